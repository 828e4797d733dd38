import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The clock of the services of a stack, which a test can advance. */
export interface Clock {
  /** Environment variables of a stack that uses this clock. */
  env: Record<string, string>;
  /** Returns the time of this clock in Unix milliseconds. */
  now(): number;
  /** Advances the clock. The services see the new time within about 10 ms. */
  advance(ms: number): Promise<void>;
  /** Advances the clock to a time, unless that time has passed. */
  advanceTo(time: number): Promise<void>;
  /** Deletes the file from which services read the time. Stop the stack first: its services crash without the file. */
  remove(): Promise<void>;
}

/** Creates a clock that shows the system time, plus all advances. */
export async function createTestClock(): Promise<Clock> {
  const folder = await mkdtemp(join(tmpdir(), 'clock-'));
  const file = join(folder, 'ahead');
  let ahead = 0;
  const advance = async (ms: number): Promise<void> => {
    ahead += ms;
    await writeFile(`${file}.new`, String(ahead));
    await rename(`${file}.new`, file);
  };
  await advance(0);
  const now = (): number => Date.now() + ahead;
  return {
    env: {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'shifted-clock.js')).href}`,
      CLOCK_OF: 'services',
      CLOCK_FILE: file,
    },
    now,
    advance,
    advanceTo: (time) => advance(Math.max(0, time - now())),
    remove: () => rm(folder, { recursive: true }),
  };
}
