import type { ClientAddresses } from '@tautan/kit';
import { referrerHost, visitorHash } from '../../domain/visitor.js';
import type { Answer } from '../answer.js';
import type { UserAgent } from '../../domain/verdict.js';
import type { RequestHead } from '../request-head.js';
import { BatchBuilder, type Batch } from './batch-builder.js';
import type { Places } from './places.js';
import type { DailySalts } from './salts.js';

/** A click as the request told it. Holds addresses, so it never leaves memory. */
export interface RawClick {
  /** Unix milliseconds. */
  at: number;
  answer: Answer;
  userAgent: UserAgent;
  head: RequestHead;
  /** Address of whoever opened the connection. */
  peer: string;
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

/** The clicks of one flush on their way into batches. */
class Flush {
  readonly batches: Batch[] = [];
  readonly #builders = new Map<number, BatchBuilder>();
  /** Hashes by user agent and address: who comes once often comes again within the flush. */
  readonly #visitors = new Map<UserAgent, Map<string, string>>();

  constructor(private readonly options: RecorderOptions) {}

  add({ at, answer, userAgent, head, peer }: RawClick): void {
    const { clients, places } = this.options;
    const ip = clients.of(peer, head.forwardedFor);
    const builder = this.#builder(answer.partition);
    builder.add({
      at,
      answer,
      human: !userAgent.bot,
      userAgent: userAgent.text,
      referrer: referrerHost(head.referrer),
      place: places.of(ip, head.country !== '' && clients.isTrusted(peer) ? head.country : ''),
      visitor: this.#visitor(at, ip, userAgent),
    });
    if (builder.size >= this.options.flushMax || builder.bytes >= MOST_BATCH_BYTES) this.close(builder);
  }

  /** The builders that are not closed yet. */
  open(): BatchBuilder[] {
    return [...this.#builders.values()];
  }

  close(builder: BatchBuilder): void {
    this.#builders.delete(builder.partition);
    this.batches.push(builder.build());
  }

  #builder(partition: number): BatchBuilder {
    let builder = this.#builders.get(partition);
    if (!builder) this.#builders.set(partition, (builder = new BatchBuilder(partition)));
    return builder;
  }

  #visitor(at: number, ip: string, userAgent: UserAgent): string {
    let byAddress = this.#visitors.get(userAgent);
    if (!byAddress) this.#visitors.set(userAgent, (byAddress = new Map()));
    let visitor = byAddress.get(ip);
    if (!visitor) byAddress.set(ip, (visitor = visitorHash(this.options.salts.at(at), ip, userAgent.text)));
    return visitor;
  }
}

/** Lets the event loop turn: requests that wait are answered first. */
const breath = () => new Promise<void>((resolve) => setImmediate(resolve));
