import type { NatsConnection } from '@nats-io/transport-node';

const PING_EVERY_MS = 250;
const PONG_WITHIN_MS = 500;

/**
 * Pings the server four times a second for as long as the connection is open. Reports `false` once a ping has been
 * unanswered for 500 ms, and `true` when the server answers again. A server that hangs keeps its connections
 * established, and the client library's own pings need 20 s to notice.
 */
export async function watchLiveness(connection: NatsConnection, report: (alive: boolean) => void): Promise<void> {
  while (!connection.isClosed()) {
    const overdue = afterPoll(PONG_WITHIN_MS, () => report(false));
    // Rejects when the connection is lost. After that the next ping is answered once the connection is restored.
    await connection.flush().then(
      () => report(true),
      () => undefined,
    );
    overdue.cancel();
    await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS).unref());
  }
}

/** Calls back after a time in ms, and after what has arrived by then: a process that was busy itself blames nobody else. */
function afterPoll(ms: number, callback: () => void): { cancel(): void } {
  let cancelled = false;
  const timer = setTimeout(() => setImmediate(() => cancelled || callback()), ms).unref();
  return {
    cancel: () => {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}
