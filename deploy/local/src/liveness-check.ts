import type { ChildProcess } from 'node:child_process';

const PINGS = 10;

/** Sent over the IPC channel; `answerPings` responds. */
const PING = 'ping';

/**
 * Pings a child over its IPC channel and calls `onSilent` once it has not responded for `silentMs`. Counts pings rather
 * than time: when the whole machine was suspended, the child is not to blame. Returns how to stop.
 */
export function checkLiveness(child: ChildProcess, silentMs: number, onSilent: () => void): () => void {
  let unanswered = 0;
  child.on('message', () => (unanswered = 0));
  const timer = setInterval(() => {
    if (unanswered >= PINGS) {
      clearInterval(timer);
      return onSilent();
    }
    unanswered += 1;
    // Its end is noticed elsewhere.
    if (child.connected) child.send(PING, () => undefined);
  }, silentMs / PINGS).unref();
  return () => clearInterval(timer);
}

/** Responds to the pings of the supervisor that forked this process. */
export function answerPings(): void {
  process.on('message', (message) => {
    if (message === PING) process.send?.('pong', () => undefined);
  });
}
