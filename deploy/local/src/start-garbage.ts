import { Session } from 'node:inspector';

const DELAY_MS = 1_000;

/** Collects the garbage of the start a second later. V8 would keep much of it until more is allocated. */
export function collectStartGarbage(): void {
  setTimeout(() => {
    const session = new Session();
    session.connect();
    // Disconnecting in the callback itself would deadlock.
    session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
  }, DELAY_MS).unref();
}
