import type { ClientAddresses } from '@tautan/kit';
import { CLICK_PARTITIONS } from '@tautan/proto';
import type { UserAgent } from '../../domain/verdict.js';
import { referrerHost, visitorHash } from '../../domain/visitor.js';
import type { Answer } from '../answer.js';
import { BatchBuilder, type Batch } from './batch-builder.js';
import type { Place, Places } from './places.js';
import type { DailySalts } from './salts.js';

/** A click as the request told it. Holds addresses, so it never leaves memory. */
export interface RawClick {
  /** Unix milliseconds. */
  at: number;
  answer: Answer;
  userAgent: UserAgent;
  /** Address of whoever opened the connection. */
  peer: string;
  /** Fields of the request, empty where it has none. */
  referrer: string;
  forwardedFor: string;
  country: string;
  /** The trace of the visit (W3C traceparent), where it is sampled. */
  trace?: string | undefined;
}

export interface RecorderOptions {
  clients: ClientAddresses;
  places: Places;
  salts: DailySalts;
  /** Longest time that a click waits, milliseconds. */
  flushMs: number;
  /** Clicks of a partition that leave at once. */
  flushMax: number;
  /** Takes batches that are ready to leave. */
  submit(batch: Batch): void;
  /** Called when a click could not be recorded. */
  onDefect(error: unknown): void;
}

// A message of NATS is at most 1 MiB unless configured.
const MOST_BATCH_BYTES = 512 * 1024;

const ORIGINS_MS = 1_000;
const MOST_ORIGINS = 10_000;

/** Where clicks come from. */
interface Origin {
  ip: string;
  place: Place;
}

/** Where connections come from, and the names of the visitors there by their user agents. */
interface KnownOrigin extends Origin {
  visitors: Map<UserAgent, string>;
}

/**
 * Turns clicks into batches, one per partition every `flushMs` milliseconds or `flushMax` clicks. A click is told at
 * once, after its answer was written: what it needs is at hand then, and no later moment has a thousand of them to tell.
 */
export class ClickRecorder {
  readonly recorded = { human: 0, bot: 0 };
  /** Clicks that could not be recorded. */
  defective = 0;
  readonly #builders: BatchBuilder[] = Array.from({ length: CLICK_PARTITIONS }, (_, i) => new BatchBuilder(i));
  /** By the peer's address. Forgotten within a second or so: an address is kept no longer than it spares work. */
  readonly #origins = new Map<string, KnownOrigin>();
  #originsSince = 0;
  /** That their visitors are named under. */
  #salt = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RecorderOptions) {}

  /** Takes a click. Never throws. */
  record(click: RawClick): void {
    if (click.userAgent.bot) this.recorded.bot += 1;
    else this.recorded.human += 1;
    try {
      this.#tell(click);
    } catch (error) {
      this.defective += 1;
      this.options.onDefect(error);
    }
    this.#timer ??= setTimeout(() => this.flush(), this.options.flushMs);
  }

  /** Submits every click recorded before this call. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#forgetOrigins();
    // All in one turn: they leave in one write.
    for (const builder of this.#builders) if (builder.size > 0) this.options.submit(builder.take());
  }

  #forgetOrigins(): void {
    const age = Date.now() - this.#originsSince;
    if (age < 0 || age >= ORIGINS_MS || this.#origins.size >= MOST_ORIGINS) this.#clearOrigins();
  }

  #clearOrigins(): void {
    this.#originsSince = Date.now();
    this.#origins.clear();
  }

  #tell(click: RawClick): void {
    const { at, answer, userAgent, referrer } = click;
    const [place, visitor] = this.#visitor(click);
    const builder = this.#builders[answer.partition]!;
    const host = referrerHost(referrer);
    builder.add({ at, answer, human: !userAgent.bot, userAgent: userAgent.text, referrer: host, place, visitor });
    if (click.trace !== undefined) builder.traces.push(click.trace);
    if (builder.size >= this.options.flushMax || builder.bytes >= MOST_BATCH_BYTES) this.options.submit(builder.take());
  }

  /** Visitors without a proxy between come over one connection again and again; others are found out each time. */
  #visitor(click: RawClick): [Place, string] {
    const { at, peer, userAgent, forwardedFor, country } = click;
    const salt = this.options.salts.at(at);
    if (salt !== this.#salt) this.#clearOrigins();
    this.#salt = salt;
    if (forwardedFor !== '' || country !== '') {
      const origin = this.#origin(click);
      return [origin.place, nameOf(click, origin, salt)];
    }
    let known = this.#origins.get(peer);
    if (!known) this.#origins.set(peer, (known = { ...this.#origin(click), visitors: new Map() }));
    let visitor = known.visitors.get(userAgent);
    if (!visitor) known.visitors.set(userAgent, (visitor = nameOf(click, known, salt)));
    return [known.place, visitor];
  }

  #origin({ peer, forwardedFor, country }: RawClick): Origin {
    const { clients, places } = this.options;
    const ip = clients.of(peer, forwardedFor);
    return { ip, place: places.of(ip, country !== '' && clients.isTrusted(peer) ? country : '') };
  }
}

const nameOf = ({ userAgent }: RawClick, { ip }: Origin, salt: string): string => visitorHash(salt, ip, userAgent.text);
