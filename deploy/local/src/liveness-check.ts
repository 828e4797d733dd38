import type { ChildProcess } from 'node:child_process';

/** Number of consecutive unanswered pings after which a process counts as silent. */
const MAX_UNANSWERED = 10;

/** Sent over the IPC channel; `answerPings` responds. */
const PING = 'ping';

/**
 * Pings a child process over its IPC channel and calls `onSilent` if it has not responded for `silentMs`. Counts pings
 * instead of time, because the clock continues while the machine is suspended. Returns a function that stops the check.
 */
export function checkLiveness(child: ChildProcess, silentMs: number, onSilent: () => void): () => void {
  let unanswered = 0;
  child.on('message', () => (unanswered = 0));
  const timer = setInterval(() => {
    if (unanswered >= MAX_UNANSWERED) {
      clearInterval(timer);
      return onSilent();
    }
    unanswered += 1;
    // The exit of the process is handled elsewhere.
    if (child.connected) child.send(PING, () => undefined);
  }, silentMs / MAX_UNANSWERED).unref();
  return () => clearInterval(timer);
}

/** Responds to the pings of the supervisor that forked this process. */
export function answerPings(): void {
  process.on('message', (message) => {
    if (message === PING) process.send?.('pong', () => undefined);
  });
}
