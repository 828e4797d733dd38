import { changesBetween, fail } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Pending, QrCode, QrRoute } from '../domain/qr-code.js';
import { ownView, qrCodeView } from '../domain/view.js';
import type { Deps } from './deps.js';
import { copyOf } from './follow-links.js';

/** A change of a QR code that the link service has accepted. */
export interface AcceptedChange {
  /** As it is stored. */
  code: QrCode;
  /** As it will be. */
  next: QrCode;
  pending: Pending;
  route: QrRoute;
}

/** Writes a change with its event. Throws TIMEOUT where another process has carried it out or given it up. */
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
  // The logo that it had may be unused from now on.
  if (code.logoRunRef && code.logoRunRef !== next.logoRunRef)
    await logos.touch(code.workspaceId, [code.logoRunRef], now(), tx.session);
  const { workspaceId } = code;
  if (isChanged) tx.emit({ type: pending.event, target: targetOf(after), data: qrCodeView(after, route), changes, workspaceId }); // prettier-ignore
  return after;
}

/**
 * Writes the creations of QR codes of one workspace in one transaction with their events. Returns each as it now is, or TIMEOUT
 * where another process has carried it out or given it up.
 */
export function commitCreations(
  { store, transact }: Pick<Deps, 'store' | 'transact'>,
  creations: AcceptedChange[],
): Promise<(QrCode | Error)[]> {
  const { workspaceId } = creations[0]!.code;
  const ids = creations.map(({ code }) => code._id);
  return transact(null, async (tx) => {
    const begun = await store.qrCodes.begun(workspaceId, ids, tx.session);
    const open = creations.filter(({ code }) => begun.has(code._id));
    const created = open.map((creation) => {
      const { followed } = creation.route;
      // An event of the link that came meanwhile has made a newer copy.
      return { ...afterOf(creation), followed: begun.get(creation.code._id) ?? (followed ? copyOf(followed) : null) };
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

/** What an event about a QR code is about. */
export const targetOf = ({ _id, title, slug }: QrCode) => ({ type: 'qr_code', id: _id, label: title ?? slug ?? _id });

/** What the record is once the change holds. The link service has accepted the URL, and keeps it in this form too. */
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

/** The fields that a change writes. */
const writtenOf = ({ url, slug, tagIds, updatedAt }: QrCode, { set }: Pending): Partial<QrCode> => ({
  ...set,
  url,
  slug,
  tagIds,
  updatedAt,
});

/** What the QR code was, with the counts of now: those are no part of a change, and neither is what it follows. */
function before({ code, pending: { tagsBefore }, route }: AcceptedChange) {
  return { ...ownView(code, route), tags: tagsBefore };
}

/** Now, or the time of the last change where that is ahead: `updatedAt` never goes back. */
const later = ({ updatedAt }: QrCode, now: Date): Date => (updatedAt > now ? updatedAt : now);

const endedElsewhere = (): Error => fail('TIMEOUT', 'The change took too long; look whether it holds.');
