import type { ClientAddresses } from '@tautan/kit';
import { CLICK_PARTITIONS } from '@tautan/proto';
import type { UserAgent } from '../domain/user-agent.js';
import { dailyVisitorId, referrerHost } from '../domain/visitor.js';
import type { CachedRoute } from '../cached-route.js';
import { BatchBuilder, type Batch } from './batch-builder.js';
import type { Place, Places } from './places.js';
import type { DailySalts } from './salts.js';

/** A click with data from its request. It contains IP addresses and is never stored. */
export interface RawClick {
  /** Unix milliseconds. */
  at: number;
  route: CachedRoute;
  userAgent: UserAgent;
  /** Remote address of the connection. */
  peer: string;
  /** Request headers; empty if absent. */
  referrer: string;
  forwardedFor: string;
  country: string;
  /** W3C traceparent of the visit, if sampled. */
  trace?: string | undefined;
}

export interface RecorderOptions {
  clients: ClientAddresses;
  places: Places;
  salts: DailySalts;
  /** Maximum time a click waits, milliseconds. */
  flushMs: number;
  /** Maximum number of clicks in a batch. */
  flushMax: number;
  /** Receives completed batches. */
  submit(batch: Batch): void;
  /** Called when a click cannot be encoded and is therefore lost. */
  onDefect(error: unknown): void;
}

// The default maximum size of a NATS message is 1 MiB.
const MAX_BATCH_BYTES = 512 * 1024;

const MAX_ORIGINS = 10_000;

/** An origin of clicks: its address and location. */
interface Origin {
  ip: string;
  place: Place;
}

/** A cached origin, with its visitor ids by user agent. */
interface KnownOrigin extends Origin {
  visitors: Map<UserAgent, string>;
}

/**
 * Batches clicks. Submits one batch per partition at most `flushMs` milliseconds after the first click, and the batch
 * of a partition as soon as it is full. Each click is encoded right after its response was written, while its data is
 * in the processor cache. Encoding clicks one by one also avoids the pauses that encoding many at once would cause.
 */
export class ClickRecorder {
  readonly recorded = { human: 0, bot: 0 };
  /** Number of clicks that `recorded` includes, but that could not be encoded. */
  defective = 0;
  readonly #builders: BatchBuilder[] = Array.from({ length: CLICK_PARTITIONS }, (_, i) => new BatchBuilder(i));
  /** Cache by remote address. It is cleared by every flush, so that addresses are not retained. */
  readonly #origins = new Map<string, KnownOrigin>();
  /** The salt of the cached visitor ids. */
  #salt = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RecorderOptions) {}

  /** Records a click. Never throws. */
  record(click: RawClick): void {
    if (click.userAgent.bot) this.recorded.bot += 1;
    else this.recorded.human += 1;
    try {
      this.#encode(click);
    } catch (error) {
      this.defective += 1;
      this.options.onDefect(error);
    }
    this.#timer ??= setTimeout(() => this.flush(), this.options.flushMs);
  }

  /**
   * Submits every recorded click. The batches of all partitions leave together, because each time the broker is woken,
   * it takes CPU time from redirects on a machine with few cores.
   */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#origins.clear();
    for (const builder of this.#builders) if (builder.size > 0) this.options.submit(builder.take());
  }

  #encode(click: RawClick): void {
    const { at, route, userAgent, referrer } = click;
    const [place, visitor] = this.#visitor(click);
    const builder = this.#builders[route.partition]!;
    const host = referrerHost(referrer);
    builder.add({ at, route, human: !userAgent.bot, userAgent: userAgent.text, referrer: host, place, visitor });
    if (click.trace !== undefined) builder.traces.push(click.trace);
    if (builder.size >= this.options.flushMax || builder.bytes >= MAX_BATCH_BYTES) this.options.submit(builder.take());
  }

  /**
   * Returns the location and visitor id of a click. They are cached by remote address for direct visitors, and
   * determined for each click for visitors behind proxies.
   */
  #visitor(click: RawClick): [Place, string] {
    const { at, peer, userAgent, forwardedFor, country } = click;
    const salt = this.options.salts.at(at);
    if (salt !== this.#salt || this.#origins.size >= MAX_ORIGINS) this.#origins.clear();
    this.#salt = salt;
    if (forwardedFor !== '' || country !== '') {
      const origin = this.#origin(click);
      return [origin.place, visitorIdOf(click, origin, salt)];
    }
    let known = this.#origins.get(peer);
    if (!known) this.#origins.set(peer, (known = { ...this.#origin(click), visitors: new Map() }));
    let visitor = known.visitors.get(userAgent);
    if (!visitor) known.visitors.set(userAgent, (visitor = visitorIdOf(click, known, salt)));
    return [known.place, visitor];
  }

  #origin({ peer, forwardedFor, country }: RawClick): Origin {
    const { clients, places } = this.options;
    const ip = clients.of(peer, forwardedFor);
    return { ip, place: places.of(ip, country !== '' && clients.isTrusted(peer) ? country : '') };
  }
}

const visitorIdOf = ({ userAgent }: RawClick, { ip }: Origin, salt: string): string =>
  dailyVisitorId(salt, ip, userAgent.text);
