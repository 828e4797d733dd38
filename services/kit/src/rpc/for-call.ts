import type { Transact } from '../mongo/outbox.js';
import type { Call } from './server.js';

/** Returns the dependencies for one call: its transactions do not commit once its caller has given up. */
export const forCall = <D extends { transact: Transact }>(deps: D, { signal }: Pick<Call, 'signal'>): D => ({
  ...deps,
  transact: (by, work) => deps.transact(by, work, signal),
});
