import type { Slot } from '../store/slot.js';
import type { PullQueue } from './pull-queue.js';

/** Messages given out in one go before other connections get their turn. */
const burst = 256;

/** What the pump moves. */
export interface Flow {
  /** The message to deliver next; 'full' when too many are out already. */
  next(): Slot | 'full' | undefined;
  /** Hands one message to a waiting request; false when none can take it. */
  deliver(slot: Slot, now: number): boolean;
  /** How many messages there are to deliver. */
  ready(): number;
}

/** Brings messages and requests together, and ends the requests whose time has come. */
export class Pump {
  #scheduled = false;
  #stopped = false;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: PullQueue,
    private readonly flow: Flow,
  ) {}

  /** Runs at the end of this turn of the event loop, once for all that asked for it. */
  runSoon(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#stopped) this.#run();
    });
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#sweeper);
  }

  #run(): void {
    const now = Date.now();
    let found: Slot | 'full' | undefined;
    for (let given = 0; this.queue.length > 0; given++) {
      if (given === burst) return this.runSoon();
      found = this.flow.next();
      if (found === undefined || found === 'full' || !this.flow.deliver(found, now)) break;
    }
    this.#sweep(found === undefined);
  }

  #sweep(exhausted: boolean): void {
    const now = Date.now();
    const next = this.queue.sweep(now, exhausted);
    clearTimeout(this.#sweeper);
    if (next === undefined || this.#stopped) return;
    this.#sweeper = setTimeout(() => this.#sweep(this.flow.ready() === 0), Math.max(1, next - now));
  }
}
