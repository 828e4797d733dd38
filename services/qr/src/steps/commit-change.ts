import { changesBetween, fail } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Pending, QrCode, QrRoute } from '../domain/qr-code.js';
import { ownView, qrCodeView } from '../domain/view.js';
import type { Deps } from '../usecase-deps.js';
import { snapshotOf } from '../domain/link-snapshot.js';

/** A change to a QR code that the link service has accepted. */
export interface AcceptedChange {
  /** The stored record. */
  code: QrCode;
  /** The stored record with the values that the change sets. Its slug, tags, version and state are not updated yet. */
  next: QrCode;
  pending: Pending;
  route: QrRoute;
}

/** Commits a change with its event. Throws TIMEOUT if another process has completed or dropped it. */
export async function commitChange(
  { store, logos, now }: Pick<Deps, 'store' | 'logos' | 'now'>,
  tx: Transaction,
  change: AcceptedChange,
): Promise<QrCode> {
  const { code, next, pending, route } = change;
  const after = afterOf(change);
  const changes = changesBetween(before(change), ownView(after, route));
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged) after.updatedAt = later(code, now());
  if (!(await store.qrCodes.commit(code, pending, writtenOf(after, pending), tx.session))) throw endedElsewhere();
  // If nothing else uses the previous logo, its retention as an unused logo starts now.
  if (code.logoRunRef && code.logoRunRef !== next.logoRunRef)
    await logos.touch(code.workspaceId, [code.logoRunRef], now(), tx.session);
  const { workspaceId } = code;
  if (isChanged)
    tx.emit({ type: pending.event, target: targetOf(after), data: qrCodeView(after, route), changes, workspaceId });
  return after;
}

/**
 * Commits the creations of QR codes of one workspace in one transaction with their events. Returns the created codes,
 * and a TIMEOUT error in place of each that another process has completed or dropped.
 */
export function commitCreations(
  { store, transact }: Pick<Deps, 'store' | 'transact'>,
  creations: AcceptedChange[],
): Promise<(QrCode | Error)[]> {
  const { workspaceId } = creations[0]!.code;
  const ids = creations.map(({ code }) => code._id);
  return transact(null, async (tx) => {
    const snapshots = await store.qrCodes.snapshotsOfBegun(workspaceId, ids, tx.session);
    const open = creations.filter(({ code }) => snapshots.has(code._id));
    const created = open.map((creation) => {
      const { followed } = creation.route;
      // An event of the link may have written a newer snapshot meanwhile.
      return {
        ...afterOf(creation),
        followed: snapshots.get(creation.code._id) ?? (followed ? snapshotOf(followed) : null),
      };
    });
    const changes = created.map((code, i) => {
      const { pending } = open[i]!;
      return { code, pending, set: { ...writtenOf(code, pending), followed: code.followed } };
    });
    await store.qrCodes.commitAll(changes, tx.session);
    for (const [i, code] of created.entries()) {
      const { route, pending } = open[i]!;
      tx.emit({ type: 'qr_code.created', target: targetOf(code), data: qrCodeView(code, route), by: pending.by! });
    }
    const byId = new Map(created.map((code) => [code._id, code]));
    return ids.map((id) => byId.get(id) ?? endedElsewhere());
  });
}

/** Returns the target of an event about a QR code. */
export const targetOf = ({ _id, title, slug }: QrCode) => ({ type: 'qr_code', id: _id, label: title ?? slug ?? _id });

/**
 * Returns the record after the change. Normalizes the URL in the same way as the link service, which has accepted it.
 */
const afterOf = ({ next, pending, route }: AcceptedChange): QrCode => ({
  ...next,
  url: next.url && new URL(next.url).href,
  slug: route.slug,
  tagIds: route.tags.map(({ id }) => id),
  version: pending.version,
  state: 'live',
  pending: null,
  dueAt: null,
});

/** Returns the fields that a change writes. */
const writtenOf = ({ url, slug, tagIds, updatedAt }: QrCode, { set }: Pending): Partial<QrCode> => ({
  ...set,
  url,
  slug,
  tagIds,
  updatedAt,
});

/** Returns the view before the change, but with the current scan counts, so that scans do not appear as changes. */
function before({ code, pending: { tagsBefore }, route }: AcceptedChange) {
  return { ...ownView(code, route), tags: tagsBefore };
}

/** Returns the current time, or that of the last change if it is later, so that `updatedAt` never decreases. */
const later = ({ updatedAt }: QrCode, now: Date): Date => (updatedAt > now ? updatedAt : now);

const endedElsewhere = (): Error => fail('TIMEOUT', 'The request timed out. The change may still have been applied.');
