import type { Batch } from './batch-builder.js';
import { Flush, type FlushOptions, type RawClick } from './flush.js';

export interface RecorderOptions extends FlushOptions {
  /** Longest time that a click waits, milliseconds. */
  flushMs: number;
  /** Takes batches that are ready to leave. */
  submit(batch: Batch): void;
}

const SLICE_MS = 0.75;
const LOOK_AT_CLOCK_EVERY = 8;

/**
 * Takes clicks without delaying any answer, and turns them into one batch per partition every `flushMs` milliseconds or
 * `flushMax` clicks. That work is done in slices of under a millisecond, between which requests are answered.
 */
export class ClickRecorder {
  #buffer: RawClick[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #urged = false;
  recorded = { human: 0, bot: 0 };

  constructor(private readonly options: RecorderOptions) {}

  /** Keeps a click for the next flush. */
  record(click: RawClick): void {
    this.recorded[click.userAgent.bot ? 'bot' : 'human'] += 1;
    const waiting = this.#buffer.push(click);
    if (waiting === 1) this.#timer = setTimeout(() => void this.flush(), this.options.flushMs);
    if (waiting < this.options.flushMax || this.#urged) return;
    this.#urged = true;
    setImmediate(() => void this.flush());
  }

  /** Resolves when every click recorded before this call was submitted. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush());
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#urged = false;
    const clicks = this.#buffer;
    this.#buffer = [];
    const flush = new Flush(this.options);
    let began = performance.now();
    for (let i = 0; i < clicks.length; i += 1) {
      flush.add(clicks[i]!);
      if (i % LOOK_AT_CLOCK_EVERY !== 0 || performance.now() - began < SLICE_MS) continue;
      await breath();
      began = performance.now();
    }
    for (const builder of flush.open()) {
      flush.close(builder);
      if (performance.now() - began < SLICE_MS) continue;
      await breath();
      began = performance.now();
    }
    // All in one turn: they leave in one write.
    for (const batch of flush.batches) this.options.submit(batch);
  }
}

/** Lets the event loop turn: requests that wait are answered first. */
const breath = () => new Promise<void>((resolve) => setImmediate(resolve));
