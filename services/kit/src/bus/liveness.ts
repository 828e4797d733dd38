import type { NatsConnection } from '@nats-io/transport-node';
import { sleep } from '../async/time.js';

const PING_EVERY_MS = 250;
const PONG_WITHIN_MS = 500;

/**
 * Pings the server for as long as the connection is open, each time 250 ms after the previous ping was answered or
 * failed. Reports `true` at each answer, and `false` once a ping has been unanswered for 500 ms. A hanging server keeps
 * its connections established, and the client library's own pings take 20 s to detect it.
 */
export async function watchLiveness(connection: NatsConnection, report: (alive: boolean) => void): Promise<void> {
  while (!connection.isClosed()) {
    const overdue = afterPoll(PONG_WITHIN_MS, () => report(false));
    // Rejects if the connection is lost. The next ping then resolves once the connection is restored.
    await connection.flush().then(
      () => report(true),
      () => undefined,
    );
    overdue.cancel();
    await sleep(PING_EVERY_MS, { ref: false });
  }
}

/**
 * Calls back after `ms` and after pending input was processed, so that a busy event loop is not mistaken for a silent
 * server.
 */
function afterPoll(ms: number, callback: () => void): { cancel(): void } {
  let canceled = false;
  const timer = setTimeout(() => setImmediate(() => canceled || callback()), ms).unref();
  return {
    cancel: () => {
      canceled = true;
      clearTimeout(timer);
    },
  };
}
