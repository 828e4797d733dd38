import { CLICK_PARTITIONS } from '@tautan/proto';
import type { Batch } from './batch-builder.js';
import { Flush, type FlushOptions, type RawClick } from './flush.js';

export interface RecorderOptions extends FlushOptions {
  /** Longest time that a click waits, milliseconds. */
  flushMs: number;
  /** Takes batches that are ready to leave. */
  submit(batch: Batch): void;
  /** Called when clicks could not be turned into batches. */
  onDefect(error: unknown): void;
}

const SLICE_MS = 1;
const LOOK_AT_CLOCK_EVERY = 8;

/**
 * Takes clicks without delaying any answer, and turns them into one batch per partition every `flushMs` milliseconds or
 * `flushMax` clicks of a partition. That work is done in slices of about a millisecond, between which requests are answered.
 */
export class ClickRecorder {
  #buffer: RawClick[] = [];
  /** Clicks in the buffer by partition. */
  readonly #waiting = new Array<number>(CLICK_PARTITIONS).fill(0);
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  recorded = { human: 0, bot: 0 };

  constructor(private readonly options: RecorderOptions) {}

  /** Keeps a click for the next flush. */
  record(click: RawClick): void {
    if (click.userAgent.bot) this.recorded.bot += 1;
    else this.recorded.human += 1;
    const waiting = (this.#waiting[click.answer.partition]! += 1);
    if (this.#buffer.push(click) === 1) this.#timer = setTimeout(() => void this.flush(), this.options.flushMs);
    if (waiting === this.options.flushMax) setImmediate(() => void this.flush());
  }

  /** Resolves when every click recorded before this call was submitted. Never rejects. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush()).catch((error: unknown) => this.options.onDefect(error));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting.fill(0);
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
