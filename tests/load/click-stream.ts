import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { newUlid } from '@tautan/kit';
import { eventually } from '@tautan/kit/testing';
import { CLICK_PARTITIONS, clickPartition, clickSubject, streams, type ClickBatch } from '@tautan/proto';
import { userAgents } from './visitors.js';

const referrers = [
  '',
  'www.google.com',
  'l.instagram.com',
  't.co',
  'news.example.com',
  'www.linkedin.com',
  'mail.example.org',
];
const countries = ['ID', 'ID', 'ID', 'SG', 'MY', 'US', 'DE', 'JP', ''];

/** Publishes clicks in the format of the redirect role, in one batch per partition. */
export class ClickStream {
  readonly #byPartition: string[][];
  #random = 1;

  /** `uniqueReferrers` gives each click its own referrer. */
  private constructor(
    private readonly connection: NatsConnection,
    private readonly workspaceId: string,
    links: string[],
    private readonly uniqueReferrers: boolean,
  ) {
    this.#byPartition = Array.from({ length: CLICK_PARTITIONS }, () => []);
    for (const link of links) this.#byPartition[clickPartition(link)]!.push(link);
  }

  static async open(url: string, workspaceId: string, links: string[], uniqueReferrers = false): Promise<ClickStream> {
    return new ClickStream(await connect({ servers: url }), workspaceId, links, uniqueReferrers);
  }

  /**
   * Publishes clicks of random links, evenly distributed over the partitions that have links. `at` is in Unix
   * milliseconds. The visitor of each click is one of `visitors` visitors. Resolves when all clicks are stored.
   */
  async publish(clicks: number, at: number, visitors: number): Promise<void> {
    const partitions = this.#byPartition.flatMap((links, partition) => (links.length ? [{ partition, links }] : []));
    await Promise.all(
      partitions.map(async ({ partition, links }, i) => {
        const share = Math.floor((clicks * (i + 1)) / partitions.length) - Math.floor((clicks * i) / partitions.length);
        if (share === 0) return;
        const payload = JSON.stringify(this.#batch(links, share, at, visitors));
        const answer = await this.connection.request(clickSubject(partition), payload, { timeout: 20_000 });
        if (answer.json<{ error?: unknown }>().error)
          throw new Error(`the stream rejected a batch: ${answer.string()}`);
      }),
    );
  }

  /** Returns the number of messages that the consumers have not acknowledged. */
  async lag(): Promise<number> {
    const manager = await jetstreamManager(this.connection);
    let lag = 0;
    for await (const { num_pending, num_ack_pending } of manager.consumers.list(streams.clicks.name))
      lag += num_pending + num_ack_pending;
    return lag;
  }

  /** Resolves when the consumers have acknowledged every message. */
  drained(): Promise<void> {
    return eventually(
      async () => {
        const lag = await this.lag();
        if (lag > 0) throw new Error(`${lag} batches are not applied yet`);
      },
      300_000,
      50,
    );
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  #batch(links: string[], count: number, base: number, visitors: number): ClickBatch {
    const texts: string[] = [this.workspaceId];
    const indexes = new Map<string, number>();
    const indexOf = (text: string): number => {
      let found = indexes.get(text);
      if (found === undefined) indexes.set(text, (found = texts.push(text) - 1));
      return found;
    };
    const clicks = Array.from({ length: count }, (_, i): ClickBatch['clicks'][number] => [
      i % 50,
      indexOf(this.#any(links)),
      -1,
      0,
      'h',
      indexOf(this.#any(userAgents)),
      indexOf(this.uniqueReferrers ? `www.site-${newUlid().toLowerCase()}.example.com` : this.#any(referrers)),
      indexOf(this.#any(countries)),
      indexOf(''),
      indexOf(`visitor-${this.#below(visitors)}`),
      'l',
    ]);
    return { v: 1, id: newUlid(), base, texts, clicks };
  }

  #any = <T>(values: readonly T[]): T => values[this.#below(values.length)]!;

  /**
   * Returns a number from 0 to `limit` - 1. The seed of the generator (Lehmer) is fixed, so every run draws the same
   * numbers.
   */
  #below(limit: number): number {
    this.#random = (this.#random * 48_271) % 0x7fffffff;
    return this.#random % limit;
  }
}
