import type { Log } from '../telemetry/log.js';

export interface IntervalOptions {
  /** Name of the work in logs. */
  name: string;
  /** Time from the end of one run to the start of the next, milliseconds; a function is called after each run. */
  everyMs: number | (() => number);
  /** Whether the work can run now; a run is skipped otherwise. */
  ready: () => boolean;
  log: Log;
}

/** Runs work repeatedly, never concurrently. Failures are logged and do not stop later runs. `stop` waits for the current run. */
export function startInterval(
  work: () => Promise<unknown>,
  { name, everyMs, ready, log }: IntervalOptions,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();
  const go = async (): Promise<void> => {
    if (ready()) await work();
  };
  const schedule = (): void => {
    if (stopped) return;
    const delayMs = typeof everyMs === 'number' ? everyMs : everyMs();
    timer = setTimeout(() => {
      running = go()
        .catch((error: unknown) => log.warn({ err: error, name }, 'repeated work failed'))
        .then(schedule);
    }, delayMs);
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
