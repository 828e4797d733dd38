import type { ClientAddresses } from '@tautan/kit';
import type { UserAgent } from '../../domain/verdict.js';
import { referrerHost, visitorHash } from '../../domain/visitor.js';
import type { Answer } from '../answer.js';
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

export interface FlushOptions {
  clients: ClientAddresses;
  places: Places;
  salts: DailySalts;
  /** Most clicks of one batch. */
  flushMax: number;
}

// A message of NATS is at most 1 MiB unless configured.
const MOST_BATCH_BYTES = 512 * 1024;

/** The clicks of one flush on their way into batches. */
export class Flush {
  readonly batches: Batch[] = [];
  readonly #builders = new Map<number, BatchBuilder>();
  /** Hashes by user agent and address: who comes once often comes again within the flush. */
  readonly #visitors = new Map<UserAgent, Map<string, string>>();

  constructor(private readonly options: FlushOptions) {}

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
    if (!byAddress) this.#visitors.set(userAgent, (byAddress = new Map<string, string>()));
    let visitor = byAddress.get(ip);
    if (!visitor) byAddress.set(ip, (visitor = visitorHash(this.options.salts.at(at), ip, userAgent.text)));
    return visitor;
  }
}
