import type { ClientAddresses } from '@tautan/kit';
import { boundUserAgent } from '../../domain/verdict.js';
import { referrerHost, visitorHash } from '../../domain/visitor.js';
import type { Answer } from '../answer.js';
import { BatchBuilder, type Batch } from './batch-builder.js';
import type { Places } from './places.js';
import type { DailySalts } from './salts.js';

/** A click as the request told it. Holds addresses, so it never leaves memory. */
export interface RawClick {
  /** Unix milliseconds. */
  at: number;
  answer: Answer;
  human: boolean;
  userAgent: string;
  referrer: string;
  peer: string;
  forwardedFor: string;
  edgeCountry: string;
}

export interface RecorderOptions {
  clients: ClientAddresses;
  places: Places;
  salts: DailySalts;
  flushMs: number;
  /** Clicks that leave at once, and the most of one batch. */
  flushMax: number;
  submit(batch: Batch): void;
}

const SLICE_MS = 0.75;
const LOOK_AT_CLOCK_EVERY = 8;
// A message of NATS is at most 1 MiB unless configured.
const MOST_BATCH_BYTES = 512 * 1024;

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
    this.recorded[click.human ? 'human' : 'bot'] += 1;
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
    const builders = new Map<number, BatchBuilder>();
    let began = performance.now();
    for (let i = 0; i < clicks.length; i += 1) {
      this.#add(clicks[i]!, builders);
      if (i % LOOK_AT_CLOCK_EVERY !== 0 || performance.now() - began < SLICE_MS) continue;
      await breath();
      began = performance.now();
    }
    for (const builder of builders.values()) {
      this.options.submit(builder.build());
      if (performance.now() - began < SLICE_MS) continue;
      await breath();
      began = performance.now();
    }
  }

  #add(click: RawClick, builders: Map<number, BatchBuilder>): void {
    const { clients, places, salts, flushMax, submit } = this.options;
    const { at, answer, human } = click;
    const ip = clients.of(click.peer, click.forwardedFor);
    const userAgent = boundUserAgent(click.userAgent);
    const place = places.of(ip, clients.isTrusted(click.peer) ? click.edgeCountry : '');
    const visitor = visitorHash(salts.at(at), ip, userAgent);
    let builder = builders.get(answer.partition);
    if (!builder) builders.set(answer.partition, (builder = new BatchBuilder(answer.partition)));
    builder.add({ at, answer, human, userAgent, referrer: referrerHost(click.referrer), place, visitor });
    if (builder.size < flushMax && builder.bytes < MOST_BATCH_BYTES) return;
    builders.delete(answer.partition);
    submit(builder.build());
  }
}

/** Lets the event loop turn: requests that wait are answered first. */
const breath = () => new Promise<void>((resolve) => setImmediate(resolve));
