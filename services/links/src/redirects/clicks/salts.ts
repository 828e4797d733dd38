import { randomBytes } from 'node:crypto';
import { withTimeout, type Log } from '@tautan/kit';
import { driverCollection, bytesOf, isDuplicateKey } from '@tautan/kit/mongo';
import { msToMidnight, utcDay } from '../domain/visitor.js';
import type { RoleDeps } from '../../roles.js';
import type { Models } from '../../store/models.js';

interface Salt {
  hex: string;
  /** Whether it is shared with all replicas. */
  shared: boolean;
}

const DAY_MS = 86_400_000;
const AHEAD_MS = 3_600_000;
const RETRY_MS = 1_000;
/** Maximum time in ms for which the start waits for the database. */
const START_MS = 1_000;

/**
 * The random salt of each UTC day, shared by all replicas: the first one stored wins. While the database is
 * unavailable, a process uses the salt that it will try to store, so that in most cases the salt does not change
 * afterwards.
 */
export class DailySalts {
  readonly #salts = new Map<string, Salt>();
  /** The salt requested last, which is almost always the one requested next. */
  #last: Salt | undefined;
  #lastDay = NaN;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  private constructor(
    private readonly model: Models['dailySalts'],
    private readonly log: Log,
  ) {}

  /**
   * Resolves when today's salt is shared, or after one second if the database is unavailable. While the salt is not
   * shared, a visitor counts once per replica.
   */
  static async start({ models, mongo, log }: Pick<RoleDeps, 'models' | 'mongo' | 'log'>): Promise<DailySalts> {
    const salts = new DailySalts(models.dailySalts, log);
    const shared = mongo.whenReady.then(() => salts.#attempt());
    await withTimeout(shared, START_MS, () => undefined);
    return salts;
  }

  /** Returns the salt (hex) for a time in Unix milliseconds. */
  at(ms: number): string {
    const day = Math.floor(ms / DAY_MS);
    if (day !== this.#lastDay) {
      this.#lastDay = day;
      this.#last = this.#of(utcDay(ms));
    }
    return this.#last!.hex;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #of(day: string): Salt {
    let salt = this.#salts.get(day);
    if (!salt) this.#salts.set(day, (salt = { hex: randomBytes(32).toString('hex'), shared: false }));
    return salt;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#attempt(), RETRY_MS).unref();
  }

  /** Shares the salts and schedules the next attempt, whether or not this one fails. Never rejects. */
  async #attempt(): Promise<void> {
    await this.#share().catch((error: unknown) =>
      this.log.debug({ err: error }, 'the salt of the day could not be stored yet'),
    );
    this.#schedule();
  }

  /** Stores today's salt, and tomorrow's in the last hour of a day. Forgets salts of days before yesterday. */
  async #share(): Promise<void> {
    const now = Date.now();
    const days = [utcDay(now), ...(msToMidnight(now) < AHEAD_MS ? [utcDay(now + AHEAD_MS)] : [])];
    for (const day of days) this.#of(day);
    const yesterday = utcDay(now - DAY_MS);
    for (const [day, salt] of this.#salts) {
      if (day < yesterday) this.#salts.delete(day);
      else if (!salt.shared) {
        salt.hex = await this.#store(day, salt.hex);
        salt.shared = true;
      }
    }
  }

  /** Stores a day's salt unless one is stored. Returns the stored one. */
  async #store(day: string, hex: string): Promise<string> {
    // Expires one day after the end of its day.
    const expireAt = new Date(Date.parse(day) + 2 * DAY_MS);
    const change = { $setOnInsert: { salt: Buffer.from(hex, 'hex'), expireAt } };
    const upsert = () =>
      driverCollection(this.model).findOneAndUpdate({ _id: day }, change, {
        upsert: true,
        returnDocument: 'after',
        maxTimeMS: 2_000,
      });
    // One of two concurrent upserts can fail; its retry finds the record of the other.
    const row = await upsert().catch((error: unknown) =>
      isDuplicateKey(error) ? upsert() : Promise.reject(error as Error),
    );
    const { salt } = row as unknown as { salt: { buffer: Uint8Array } | Buffer };
    return bytesOf(salt).toString('hex');
  }
}
