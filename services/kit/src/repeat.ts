import type { Log } from './log.js';

export interface RepeatOptions {
  /** What the work is called where it failed. */
  name: string;
  /** Time from the end of one go to the beginning of the next, milliseconds. */
  everyMs: number;
  /** Whether the work can be done now; a go at another time is left out. */
  ready: () => boolean;
  log: Log;
}

/** Does work again and again; a failure is logged and keeps nothing from the next go. `stop` waits for the go under way. */
export function repeat(
  work: () => Promise<unknown>,
  { name, everyMs, ready, log }: RepeatOptions,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();
  const go = async (): Promise<void> => {
    if (ready()) await work();
  };
  const schedule = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = go()
        .catch((error: unknown) => log.warn({ err: error, name }, 'repeated work failed'))
        .then(schedule);
    }, everyMs);
    timer.unref();
  };
  schedule();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
