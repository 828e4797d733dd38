import { randomBytes } from 'node:crypto';
import type { Log } from '@tautan/kit';
import { bytesOf, isDuplicateKey } from '@tautan/kit/mongo';
import { leftOfDay, utcDay } from '../../domain/visitor.js';
import type { Models } from '../../store/models.js';

interface Salt {
  hex: string;
  /** Whether all replicas have it, or only this process so far. */
  shared: boolean;
}

const DAY_MS = 86_400_000;
const AHEAD_MS = 3_600_000;
const RETRY_MS = 1_000;

/**
 * The random salt of each UTC day. Replicas share it: the first to offer one wins. While the database is away a process
 * goes on with the salt that it is going to offer, so that in most cases nothing changes afterwards.
 */
export class DailySalts {
  readonly #salts = new Map<string, Salt>();
  /** The salt asked for last: as good as always the one that is asked for next. */
  #last: Salt | undefined;
  #lastDay = NaN;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly model: Models['dailySalts'],
    private readonly log: Log,
  ) {
    this.#schedule(0);
  }

  /** The salt (hex) for a time in Unix milliseconds. */
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

  #schedule(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#share()
        .catch((error: unknown) => this.log.debug({ err: error }, 'the salt of the day is not shared yet'))
        .finally(() => this.#schedule(RETRY_MS));
    }, ms);
    this.#timer.unref();
  }

  /** Shares today's salt, and tomorrow's in the last hour of a day; forgets those of days that are over. */
  async #share(): Promise<void> {
    const now = Date.now();
    const days = [utcDay(now), ...(leftOfDay(now) < AHEAD_MS ? [utcDay(now + AHEAD_MS)] : [])];
    for (const day of days) this.#of(day);
    const yesterday = utcDay(now - DAY_MS);
    for (const [day, salt] of this.#salts) {
      if (day < yesterday) this.#salts.delete(day);
      else if (!salt.shared) {
        salt.hex = await this.#settle(day, salt.hex);
        salt.shared = true;
      }
    }
  }

  async #settle(day: string, hex: string): Promise<string> {
    // The day and the one after it: two days from when the salt came into use.
    const expireAt = new Date(Date.parse(day) + 2 * DAY_MS);
    const offer = { $setOnInsert: { salt: Buffer.from(hex, 'hex'), expireAt } };
    const offered = () => this.model.collection.findOneAndUpdate({ _id: day as never }, offer, { upsert: true, returnDocument: 'after', maxTimeMS: 2_000 }); // prettier-ignore
    // Two upserts at once: one of them meets the other's row and finds it at the second try.
    const row = await offered().catch((error: unknown) => (isDuplicateKey(error) ? offered() : Promise.reject(error as Error))); // prettier-ignore
    const { salt } = row as unknown as { salt: { buffer: Uint8Array } | Buffer };
    return bytesOf(salt).toString('hex');
  }
}
