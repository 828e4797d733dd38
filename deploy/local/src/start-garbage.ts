import { Session } from 'node:inspector';

const SETTLE_MS = 1_000;

/** Collects the garbage of the start once the process is idle. V8 would keep much of it until more is allocated. */
export function collectStartGarbage(): void {
  setTimeout(() => {
    const session = new Session();
    session.connect();
    // Disconnecting in the callback itself would deadlock.
    session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
  }, SETTLE_MS).unref();
}
