import type { Slot } from '../store/slot.js';
import type { PullQueue } from './pull-queue.js';

/** Maximum number of messages delivered before other connections are served. */
const burst = 256;
const maxTimer = 2 ** 31 - 1;

/** Source and sink of the pump. */
export interface Flow {
  /** Returns the next message to deliver, or 'full' if too many are pending. */
  next(): Slot | 'full' | undefined;
  /** Delivers a message to a waiting request. Returns false if there is none. */
  deliver(slot: Slot, now: number): boolean;
  /** Number of messages to deliver. */
  ready(): number;
}

/** Delivers messages to waiting requests and ends expired requests. */
export class Pump {
  #scheduled = false;
  #stopped = false;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly queue: PullQueue,
    private readonly flow: Flow,
  ) {}

  /** Schedules one run at the end of this event loop iteration. */
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
    for (let delivered = 0; this.queue.length > 0; delivered++) {
      if (delivered === burst) return this.runSoon();
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
    this.#sweeper = setTimeout(() => this.#sweep(this.flow.ready() === 0), Math.min(Math.max(1, next - now), maxTimer));
  }
}
