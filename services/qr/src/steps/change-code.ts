import { assertNotAborted, fail, sleep, type Principal } from '@tautan/kit';
import { reachedLimit, remainingOf } from '../domain/limits.js';
import { UNCLAIMED, nextDueAt, type Pending, type QrCode, type QrRoute } from '../domain/qr-code.js';
import { namesOf } from '../domain/view.js';
import type { Deps } from '../usecase-deps.js';
import { findCode, routeOf } from './find-code.js';
import { claimLogos } from './check-logo.js';
import { isRefusal, settle, withAppliedLater, type Settled, type SettleDeps } from './settle.js';

export type ChangeDeps = SettleDeps & Pick<Deps, 'leaseMs' | 'codeMutex'>;

/** The fields that a change sets. */
export type Change = Pick<Pending, 'set'> & Partial<Pick<Pending, 'tags'>>;

/** Returns the change to apply to the current QR code; undefined if nothing changes. */
export type ComputeChange = (code: QrCode, route: QrRoute) => Change | undefined;

/** The author and target of a change, and the signal of the call. */
export interface ChangeContext {
  /** Null for the system. */
  by: Principal | null;
  workspaceId: string;
  id: string;
  /** Aborted when the caller no longer waits; after that, no change is started. */
  signal?: AbortSignal | undefined;
}

const POLL_MS = 20;
/** Maximum time to wait for a pending change. Longer than a change takes, shorter than the timeouts of callers. */
const MAX_WAIT_MS = 2_500;

/**
 * Changes a QR code once earlier changes to it have ended. A code that has already reached a limit expires before the
 * change, and a code that reaches a limit through the change expires immediately after it. Throws NOT_FOUND, FORBIDDEN,
 * and the errors of `compute` and of the link service. Throws SERVICE_UNAVAILABLE, and changes nothing, if the signal
 * is aborted before the change starts.
 */
export const changeCode = (deps: ChangeDeps, context: ChangeContext, compute: ComputeChange): Promise<Settled> =>
  deps.codeMutex.run(context.id, () => change(deps, context, compute), context.signal);

async function change(deps: ChangeDeps, context: ChangeContext, compute: ComputeChange): Promise<Settled> {
  for (;;) {
    const found = await findCurrent(deps, context);
    const outcome = await attempt(deps, context, found, 'qr_code.updated', compute(found.code, found.route));
    if (!outcome) continue;
    if (!mustExpire(outcome, deps.now())) return outcome;
    return expire(deps, context).catch((error: unknown) => {
      throw withAppliedLater(error);
    });
  }
}

/**
 * Expires a QR code if it is active and has reached a limit. Returns the code, changed or not, and its route. Throws as
 * `changeCode` does.
 */
export const expireCode = (deps: ChangeDeps, context: Omit<ChangeContext, 'by'>): Promise<Settled> =>
  deps.codeMutex.run(context.id, () => expire(deps, context));

async function expire(deps: ChangeDeps, { workspaceId, id }: Omit<ChangeContext, 'by'>): Promise<Settled> {
  const context = { by: null, workspaceId, id };
  for (;;) {
    const found = await findSettled(deps, context);
    const change = mustExpire(found, deps.now()) ? ({ set: { status: 'expired' } } as const) : undefined;
    const outcome = await attempt(deps, context, found, 'qr_code.expired', change);
    if (outcome) return outcome;
  }
}

/**
 * Returns a QR code without a pending change, and its route. If the code is active and has reached a limit, it expires
 * first. Call this only while holding the mutex of the code. Throws as `findSettled` and `expireCode` do.
 */
export async function findCurrent(deps: ChangeDeps, context: ChangeContext): Promise<Settled> {
  const found = await findSettled(deps, context);
  return mustExpire(found, deps.now()) ? expire(deps, context) : found;
}

const mustExpire = ({ code, route }: Settled, now: Date): boolean =>
  code.status === 'active' && reachedLimit(code, remainingOf(route), now) !== undefined;

/** Applies a change to the QR code that was read. Returns undefined if a concurrent change was written first. */
async function attempt(
  deps: ChangeDeps,
  { by, signal }: ChangeContext,
  { code, route }: Settled,
  event: Pending['event'],
  change: Change | undefined,
): Promise<Settled | undefined> {
  if (!change) return { code, route };
  const { set, tags = null } = change;
  // Above both versions, because the link service is ahead if this database was restored from a backup.
  const version = Math.max(code.version, route.version) + 1;
  const pending = { version, event, set, tags, tagsBefore: namesOf(route), by };
  const dueAt = new Date(deps.now().getTime() + deps.leaseMs);
  assertNotAborted(signal);
  if (!(await begin(deps, code, pending, dueAt))) return undefined;
  return settle(deps, { ...code, pending, dueAt }, { isRequested: event === 'qr_code.updated' });
}

function begin(deps: ChangeDeps, code: QrCode, pending: Pending, dueAt: Date): Promise<boolean> {
  const { qrCodes } = deps.store;
  const { logoRunRef } = pending.set;
  if (!logoRunRef) return qrCodes.begin(code, pending, dueAt);
  return deps.transact(null, async ({ session }) => {
    await claimLogos(deps, code.workspaceId, [logoRunRef], session);
    return qrCodes.begin(code, pending, dueAt, session);
  });
}

/**
 * Returns a QR code without a pending change, and its route. Waits for a pending change to end, and completes the
 * change if the process that claimed it has released its claim. Writes that follow must be conditional on an unchanged
 * record. Throws SERVICE_UNAVAILABLE on timeout.
 */
async function findSettled(deps: ChangeDeps, { by, workspaceId, id }: ChangeContext): Promise<Settled> {
  const deadline = performance.now() + MAX_WAIT_MS;
  while (performance.now() < deadline) {
    const code = await findCode(deps, workspaceId, id);
    if (!code.pending) return { code, route: await routeOf(deps, by ?? { workspaceId }, id) };
    if (await claimIfReleased(deps, code)) await completeOther(deps, code);
    else await sleep(POLL_MS);
  }
  throw fail('SERVICE_UNAVAILABLE', 'The QR code is being changed concurrently. Try again.');
}

/**
 * Completes the change of another caller. If the link service rejects it, the change is dropped and no error is thrown.
 */
async function completeOther(deps: ChangeDeps, code: QrCode): Promise<void> {
  await settle(deps, code).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
}

/**
 * Claims a change whose earlier claim was released, and returns whether the new claim succeeded. A change that is still
 * claimed is left to the process that claimed it, or to the sweep.
 */
async function claimIfReleased({ store, now, leaseMs }: ChangeDeps, code: QrCode): Promise<boolean> {
  if (code.dueAt && code.dueAt.getTime() !== UNCLAIMED.getTime()) return false;
  return (await store.qrCodes.claim(code, nextDueAt(UNCLAIMED, now(), leaseMs))) !== null;
}
