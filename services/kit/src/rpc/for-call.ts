import type { Transact } from '../mongo/outbox.js';
import type { Call } from './server.js';

/** Dependencies of a use case that differ from call to call. */
export interface CallDeps {
  /** Aborted when the caller cancels, and shortly before the deadline. */
  signal: AbortSignal;
  /** Deadline of the call, Unix milliseconds. */
  deadline: number;
}

/** Adds the signal and the deadline of a call to `deps`. */
export const withCall = <D>(deps: D, { signal, deadline }: Pick<Call, 'signal' | 'deadline'>): D & CallDeps => ({
  ...deps,
  signal,
  deadline,
});

/** Like `withCall`, and also prevents transactions from committing once the signal is aborted. */
export const forCall = <D extends { transact: Transact }>(
  deps: D,
  call: Pick<Call, 'signal' | 'deadline'>,
): D & CallDeps => ({
  ...withCall(deps, call),
  transact: (by, work) => deps.transact(by, work, call.signal),
});
