import type { Transact } from '../mongo/outbox.js';
import type { Call } from './server.js';

/** The call that a use case serves. */
export interface CallDeps {
  /** Aborted when the caller cancels or its deadline passes. */
  signal: AbortSignal;
  /** Deadline of the call, Unix milliseconds. */
  deadline: number;
}

/** Adds the signal and the deadline of a call to dependencies. */
export const withCall = <D>(deps: D, { signal, deadline }: Pick<Call, 'signal' | 'deadline'>): D & CallDeps => ({
  ...deps,
  signal,
  deadline,
});

/** Like `withCall`, and prevents transactions from committing after the caller has canceled. */
export const forCall = <D extends { transact: Transact }>(
  deps: D,
  call: Pick<Call, 'signal' | 'deadline'>,
): D & CallDeps => ({
  ...withCall(deps, call),
  transact: (by, work) => deps.transact(by, work, call.signal),
});
