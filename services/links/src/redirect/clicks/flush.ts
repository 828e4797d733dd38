import type { ClientAddresses } from '@tautan/kit';
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
}

export interface FlushOptions {
  clients: ClientAddresses;
  places: Places;
  salts: DailySalts;
  /** Most clicks of one batch. */
  flushMax: number;
}

// A message of NATS is at most 1 MiB unless configured.
const MOST_BATCH_BYTES = 512 * 1024;

/** Where clicks came from, and the names of the visitors there by their user agents. */
interface Origin {
  ip: string;
  place: Place;
  visitors: Map<UserAgent, string>;
}

/** The clicks of one flush on their way into batches. What is found out about a visitor serves all clicks of the flush. */
export class Flush {
  readonly batches: Batch[] = [];
  readonly #builders: Array<BatchBuilder | undefined> = [];
  readonly #origins = new Map<string, Origin>();
  readonly #referrers = new Map<string, string>();

  constructor(private readonly options: FlushOptions) {}

  add(click: RawClick): void {
    const { at, answer, userAgent, referrer } = click;
    const origin = this.#origin(click);
    const builder = this.#builder(answer.partition);
    builder.add({
      at,
      answer,
      human: !userAgent.bot,
      userAgent: userAgent.text,
      referrer: referrer === '' ? '' : this.#referrer(referrer),
      place: origin.place,
      visitor: this.#visitor(origin, at, userAgent),
    });
    if (builder.size >= this.options.flushMax || builder.bytes >= MOST_BATCH_BYTES) this.close(builder);
  }

  /** The builders that are not closed yet. */
  open(): BatchBuilder[] {
    return this.#builders.filter((builder) => builder !== undefined);
  }

  close(builder: BatchBuilder): void {
    this.#builders[builder.partition] = undefined;
    this.batches.push(builder.build());
  }

  #builder(partition: number): BatchBuilder {
    return (this.#builders[partition] ??= new BatchBuilder(partition));
  }

  #origin({ peer, forwardedFor, country }: RawClick): Origin {
    const name = forwardedFor === '' && country === '' ? peer : `${peer} ${country} ${forwardedFor}`;
    let origin = this.#origins.get(name);
    if (!origin) {
      const { clients, places } = this.options;
      const ip = clients.of(peer, forwardedFor);
      const place = places.of(ip, clients.isTrusted(peer) ? country : '');
      this.#origins.set(name, (origin = { ip, place, visitors: new Map() }));
    }
    return origin;
  }

  #visitor({ ip, visitors }: Origin, at: number, userAgent: UserAgent): string {
    let visitor = visitors.get(userAgent);
    if (!visitor) visitors.set(userAgent, (visitor = visitorHash(this.options.salts.at(at), ip, userAgent.text)));
    return visitor;
  }

  #referrer(field: string): string {
    let host = this.#referrers.get(field);
    if (host === undefined) this.#referrers.set(field, (host = referrerHost(field)));
    return host;
  }
}
