import type { Log } from '../telemetry/log.js';

export interface IntervalOptions {
  /** Name of the work in logs. */
  name: string;
  /** Time from the end of one run to the start of the next, milliseconds. */
  everyMs: number;
  /** Like `everyMs`, after a run that found nothing to do and resolved with false. Default: `everyMs`. */
  idleMs?: number;
  /** Whether the work can run now; a run is skipped otherwise. */
  ready: () => boolean;
  log: Log;
}

export interface Interval {
  /** Announces work, so that the next run starts within `everyMs` instead of `idleMs`. */
  soon(): void;
  /** Stops, and waits for the current run. */
  stop(): Promise<void>;
}

/** Runs work repeatedly, never concurrently. Failures are logged and do not stop later runs. */
export function startInterval(
  work: () => Promise<unknown>,
  { name, everyMs, idleMs = everyMs, ready, log }: IntervalOptions,
): Interval {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isIdle = false;
  let wasAnnounced = false;
  let running = Promise.resolve();
  const schedule = (): void => {
    if (!stopped) timer = setTimeout(run, isIdle ? idleMs : everyMs).unref();
  };
  const runOnce = async (): Promise<void> => {
    wasAnnounced = false;
    const found = ready() ? await work() : undefined;
    isIdle = found === false && !wasAnnounced;
  };
  const run = (): void => {
    isIdle = false;
    running = runOnce()
      .catch((error: unknown) => log.warn({ err: error, name }, 'repeated work failed'))
      .then(schedule);
  };
  schedule();
  return {
    soon: () => {
      wasAnnounced = true;
      if (!isIdle) return;
      isIdle = false;
      clearTimeout(timer);
      schedule();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
