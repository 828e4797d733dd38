import { changesBetween, errorCatalogue, fail, faultCode, isFault, type FaultKind } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Pending, QrCode, QrRoute } from '../domain/qr-code.js';
import { ownView, qrCodeView } from '../domain/view.js';
import type { Deps } from './deps.js';
import { copyOf } from './follow-links.js';

export type SettleDeps = Pick<Deps, 'store' | 'logos' | 'routes' | 'transact' | 'now' | 'log'>;

/** A QR code as it is, here and at the link service. */
export interface Settled {
  code: QrCode;
  route: QrRoute;
}

/**
 * Carries out the change that is under way: tells it to the link service, which has the last word on it and knows what
 * its tags are, and then lets it hold here, with its event, in one transaction. So what is answered and told is in effect,
 * and a crash at whatever point leaves a change that anybody can carry out: repetitions change nothing.
 * Throws what the link service answers: when it refuses, the change is off; else it is carried out later.
 */
export async function settle(deps: SettleDeps, code: QrCode): Promise<Settled> {
  const pending = code.pending!;
  const next = { ...code, ...pending.set };
  const route = await deps.routes.put(next, pending).catch(async (error: unknown) => {
    await leave(deps, code, pending, error);
    throw isRefusal(error) || code.state === 'begun' ? error : carriedOutLater(error);
  });
  const after = await deps.transact(pending.by, (tx) => hold(deps, tx, { code, next, pending, route }));
  if (after) return { code: after, route };
  // Whoever took the change over while this waited has carried it out, or given it up.
  throw fail('TIMEOUT', 'The change took too long; look whether it holds.');
}

/** Says of a failure that the change is applied once the link service responds. */
const carriedOutLater = (error: unknown): unknown =>
  isFault(error)
    ? fail(error.code, 'The change is stored and will be applied as soon as the link service responds.')
    : error;

/** Lets a change hold. Answers undefined where somebody else has ended it. */
async function hold(
  { store, logos, now }: SettleDeps,
  tx: Transaction,
  { code, next, pending, route }: Settled & { next: QrCode; pending: Pending },
): Promise<QrCode | undefined> {
  const { event } = pending;
  // The link service has accepted the URL, and keeps it in this form too.
  const url = next.url && new URL(next.url).href;
  const after: QrCode = { ...next, url, slug: route.slug, version: pending.version, pending: null, dueAt: null };
  const created = event === 'qr_code.created';
  const changes = created ? {} : changesBetween(before(code, pending, route), ownView(after, route));
  const told = created || Object.keys(changes).length > 0;
  if (told && !created) after.updatedAt = later(code, now());
  const { slug, updatedAt } = after;
  const tagIds = route.tags.map(({ id }) => id);
  const set = { ...pending.set, url, slug, tagIds, updatedAt };
  if (!(await store.qrCodes.commit(code, pending, set, tx.session))) return undefined;
  // An event of the link that came meanwhile has made a newer copy.
  if (created && route.followed)
    await store.qrCodes.follow({ ...code, followed: null }, copyOf(route.followed), tx.session);
  // The logo that it had may be unused from now on.
  if (code.logoRunRef && code.logoRunRef !== next.logoRunRef)
    await logos.touch(code.workspaceId, [code.logoRunRef], now(), tx.session);
  const data = qrCodeView(after, route);
  if (told) tx.emit({ type: event, target: targetOf(after), data, changes, workspaceId: code.workspaceId });
  return { ...after, tagIds };
}

/** What the QR code was, with the counts of now: those are no part of a change, and neither is what it follows. */
function before(code: QrCode, { tagsBefore }: Pending, route: QrRoute) {
  return { ...ownView(code, route), tags: tagsBefore };
}

/** What an event about a QR code is about. */
export const targetOf = ({ _id, title, slug }: QrCode) => ({ type: 'qr_code', id: _id, label: title ?? slug ?? _id });

/** Now, or the time of the last change where that is ahead: `updatedAt` never goes back. */
const later = ({ updatedAt }: QrCode, now: Date): Date => (updatedAt > now ? updatedAt : now);

const refusals: FaultKind[] = ['invalid', 'not_found', 'forbidden', 'conflict', 'payment_required'];

/** Whether the link service has answered that it will not have a change, as opposed to not having answered. */
export function isRefusal(error: unknown): boolean {
  const code = faultCode(error);
  return code !== undefined && refusals.includes(errorCatalogue[code].kind);
}

const RETRY_MS = 500;

/** When what has just failed is worth another try. */
export const retryTime = (now: Date): Date => new Date(now.getTime() + RETRY_MS);

/** Gives a change up that was refused; leaves another one to the sweep. Never rejects: the sweep comes anyway. */
async function leave({ store, now, log }: SettleDeps, code: QrCode, pending: Pending, error: unknown): Promise<void> {
  // Nobody sees what is being created, and whoever creates it knows what to do.
  if (code.state === 'begun') return;
  try {
    if (isRefusal(error)) await store.qrCodes.revoke(code, pending);
    else await store.qrCodes.postpone(code, retryTime(now()));
  } catch (failure) {
    log.warn({ err: failure, id: code._id }, 'a change that failed is left to the sweep');
  }
}
