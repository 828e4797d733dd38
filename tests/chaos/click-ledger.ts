import { newUlid } from '@tautan/kit';
import { clickPartition, type ClickBatch } from '@tautan/proto';
import { randomFrom } from './random.js';

/** Visitors' browsers, with their values in statistics. */
const browsers = [
  {
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    device: 'mobile',
    browser: 'Safari',
    os: 'iOS',
  },
  {
    agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    device: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
  },
  {
    agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    device: 'desktop',
    browser: 'Chrome',
    os: 'Windows',
  },
  {
    agent:
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    device: 'tablet',
    browser: 'Safari',
    os: 'iOS',
  },
] as const;
const bot = 'Googlebot/2.1 (+http://www.google.com/bot.html)';
const countries = ['ID', 'SG', 'MY', 'JP', 'DE', 'US', ''];
const cities = ['Bandung', 'Jakarta', 'Medan', ''];
const referrers = ['', ...Array.from({ length: 20 }, (_, i) => `situs-${i}.example.com`)];
const VISITORS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const dimensions = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;
export type Dimension = (typeof dimensions)[number];

/** The expected counts of one link. */
export class Count {
  clicks = 0;
  bots = 0;
  readonly visitors = new Set<string>();
  /** Clicks by hour, keyed by the start of the hour in Unix milliseconds. */
  readonly hours = new Map<number, number>();
  /** Clicks by dimension and key. */
  readonly by = new Map<Dimension, Map<string, number>>(dimensions.map((dimension) => [dimension, new Map()]));
}

export interface Batch {
  partition: number;
  batch: ClickBatch;
}

/** Generates clicks of links over some hours, reproducible by seed, and counts them. */
export class ClickLedger {
  readonly counts = new Map<string, Count>();
  readonly #below: (limit: number) => number;
  #clicks = 0;

  constructor(
    private readonly workspaceId: string,
    private readonly links: string[],
    private readonly hours: { from: number; count: number },
    seed: number,
  ) {
    this.#below = randomFrom(seed);
    for (const link of links) this.counts.set(link, new Count());
  }

  /**
   * Yields batches until the ledger has this number of clicks, including those of bots. All links of a batch are in one
   * partition.
   */
  *batches(clicks: number): Generator<Batch> {
    while (this.#clicks < clicks) {
      const partition = clickPartition(this.#any(this.links));
      const links = this.links.filter((link) => clickPartition(link) === partition);
      const size = Math.min(1 + this.#below(200), clicks - this.#clicks);
      this.#clicks += size;
      yield { partition, batch: this.#batch(links, size) };
    }
  }

  #batch(links: string[], size: number): ClickBatch {
    const texts: string[] = [];
    const textIndex = (text: string): number => {
      const known = texts.indexOf(text);
      return known >= 0 ? known : texts.push(text) - 1;
    };
    const clicks = Array.from({ length: size }, (): ClickBatch['clicks'][number] => {
      const offset = this.#below(this.hours.count * HOUR_MS);
      // Visitors get a new id every day.
      const visitor = `pengunjung ${this.#below(VISITORS)} ${Math.floor(offset / DAY_MS)}`;
      const link = this.#any(links);
      const [country, city, referrer] = [this.#any(countries), this.#any(cities), this.#any(referrers)];
      const count = this.counts.get(link)!;
      const isBot = this.#below(10) === 0;
      const browser = this.#any(browsers);
      if (isBot) count.bots += 1;
      else {
        const hour = this.hours.from + Math.floor(offset / HOUR_MS) * HOUR_MS;
        count.clicks += 1;
        count.visitors.add(visitor);
        count.hours.set(hour, (count.hours.get(hour) ?? 0) + 1);
        const keys: Record<Dimension, string> = {
          countries: country || 'unknown',
          cities: city,
          devices: browser.device,
          browsers: browser.browser,
          os: browser.os,
          referrers: referrer || 'direct',
          sources: 'link',
        };
        for (const dimension of dimensions) add(count.by.get(dimension)!, keys[dimension]);
      }
      const agent = isBot ? bot : browser.agent;
      return [
        offset,
        textIndex(link),
        -1,
        textIndex(this.workspaceId),
        isBot ? 'b' : 'h',
        textIndex(agent),
        textIndex(referrer),
        textIndex(country),
        textIndex(city),
        textIndex(visitor),
        'l',
      ];
    });
    return { v: 1, id: newUlid(), base: this.hours.from, texts, clicks };
  }

  #any = <T>(of: readonly T[]): T => of[this.#below(of.length)]!;
}

function add(counts: Map<string, number>, key: string): void {
  if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
}
