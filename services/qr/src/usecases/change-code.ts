import { setTimeout as pause } from 'node:timers/promises';
import { assertNotAborted, fail, type Principal } from '@tautan/kit';
import { reachedLimit, remainingOf } from '../domain/limits.js';
import { LEFT, nextDueAt, type Pending, type QrCode, type QrRoute } from '../domain/qr-code.js';
import { namesOf } from '../domain/view.js';
import type { Deps } from './deps.js';
import { findCode, routeOf } from './find-code.js';
import { claimLogos } from './find-logo.js';
import { isRefusal, settle, type Settled, type SettleDeps } from './settle.js';

export type ChangeDeps = SettleDeps & Pick<Deps, 'leaseMs' | 'codeMutex'>;

/** What a change makes of a QR code. */
export type Change = Pick<Pending, 'set'> & Partial<Pick<Pending, 'tags'>>;

/** What becomes of a QR code as it is at that moment; undefined: nothing. */
export type Plan = (code: QrCode, route: QrRoute) => Change | undefined;

/** Who changes which QR code. */
export interface Subject {
  /** Null: the system. */
  by: Principal | null;
  workspaceId: string;
  id: string;
  /** Aborted when the caller no longer waits: then no change is begun. */
  signal?: AbortSignal | undefined;
}

const WAIT_MS = 20;
/** Longer than a change takes, shorter than callers wait. */
const PATIENCE_MS = 2_500;

/**
 * Changes a QR code as planned, after the changes that were requested before. One that has reached a limit expires before, or
 * else right after. Throws NOT_FOUND, FORBIDDEN, what `plan` throws, what the link service answers, or SERVICE_UNAVAILABLE when
 * the caller's signal is aborted before the change begins; then nothing was done.
 */
export const changeCode = (deps: ChangeDeps, subject: Subject, plan: Plan): Promise<Settled> =>
  deps.codeMutex.run(subject.id, () => change(deps, subject, plan), subject.signal);

async function change(deps: ChangeDeps, subject: Subject, plan: Plan): Promise<Settled> {
  for (;;) {
    const found = await undisturbed(deps, subject);
    if (isDue(found, deps.now())) {
      await expire(deps, subject);
      continue;
    }
    const outcome = await attempt(deps, subject, found, 'qr_code.updated', plan(found.code, found.route));
    if (!outcome) continue;
    return isDue(outcome, deps.now()) ? expire(deps, subject) : outcome;
  }
}

/** Lets a QR code expire that is active and has reached a limit; answers it as it then is. Throws as `changeCode` does. */
export const expireCode = (deps: ChangeDeps, subject: Omit<Subject, 'by'>): Promise<Settled> =>
  deps.codeMutex.run(subject.id, () => expire(deps, subject));

async function expire(deps: ChangeDeps, { workspaceId, id }: Omit<Subject, 'by'>): Promise<Settled> {
  const subject = { by: null, workspaceId, id };
  for (;;) {
    const found = await undisturbed(deps, subject);
    const change = isDue(found, deps.now()) ? ({ set: { status: 'expired' } } as const) : undefined;
    const outcome = await attempt(deps, subject, found, 'qr_code.expired', change);
    if (outcome) return outcome;
  }
}

const isDue = ({ code, route }: Settled, now: Date): boolean =>
  code.status === 'active' && reachedLimit(code, remainingOf(route), now) !== undefined;

/** Answers undefined where another change was faster. */
async function attempt(
  deps: ChangeDeps,
  { by, signal }: Subject,
  { code, route }: Settled,
  event: Pending['event'],
  change: Change | undefined,
): Promise<Settled | undefined> {
  if (!change) return { code, route };
  const { set, tags = null } = change;
  // Above both: where this database was put back, the link service is ahead.
  const version = Math.max(code.version, route.version) + 1;
  const pending = { version, event, set, tags, tagsBefore: namesOf(route), by };
  const dueAt = new Date(deps.now().getTime() + deps.leaseMs);
  assertNotAborted(signal);
  if (!(await begin(deps, code, pending, dueAt))) return undefined;
  return settle(deps, { ...code, pending, dueAt });
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
 * A QR code that no change is under way of, with what the link service has of it. Waits for the change that is, and carries it
 * out where whoever was at work on it has given it back. What is written after this is written only where the record is still
 * the same. Throws SERVICE_UNAVAILABLE where it takes long.
 */
export async function undisturbed(deps: ChangeDeps, { by, workspaceId, id }: Subject): Promise<Settled> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const code = await findCode(deps, workspaceId, id);
    if (!code.pending) return { code, route: await routeOf(deps, by ?? { workspaceId }, id) };
    if (await taken(deps, code)) await carryOut(deps, code);
    else await pause(WAIT_MS);
  }
  throw fail('SERVICE_UNAVAILABLE', 'The change met others; try again.');
}

/** Carries out what another caller decided. A refusal is not for this one: it puts the other's change off. */
async function carryOut(deps: ChangeDeps, code: QrCode): Promise<void> {
  await settle(deps, code).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
}

/** Whether a change that was given back is now for this process to carry out. What was not given back is left to the sweep. */
async function taken({ store, now, leaseMs }: ChangeDeps, code: QrCode): Promise<boolean> {
  if (code.dueAt && code.dueAt.getTime() !== LEFT.getTime()) return false;
  return (await store.qrCodes.claim(code, nextDueAt(LEFT, now(), leaseMs))) !== null;
}
