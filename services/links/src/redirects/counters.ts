import { latencyBuckets, totals, type Registry, type Histogram } from '@tautan/kit';

export const results = [
  'redirect',
  'not_found',
  'gone',
  // Responses with 429: a client address requested too many unknown slugs.
  'refused_unknown',
  // Responses with 429: a client address visited a limited link or QR code too often.
  'refused_limited',
  // Responses to the root path: the configured redirect of the domain, or the landing page of the default domain.
  'landing',
  // Responses with robots.txt or the favicon.
  'file',
  'bad_request',
  'method_not_allowed',
  'unavailable',
  'error',
] as const;
export type Result = (typeof results)[number];

/** Source of a route: the cache, or the database. */
export type Source = 'memory' | 'database';

/** A latency histogram with plain numbers: the bookkeeping of a metric library costs too much for a redirect. */
class Latencies {
  /** One bucket more than there are bounds, for values above the last bound. */
  readonly #counts = new Array<number>(latencyBuckets.length + 1).fill(0);
  #seconds = 0;

  constructor(private readonly source: Source) {}

  /** `weight`: the number of responses that this sample represents. */
  observe(ms: number, weight = 1): void {
    this.#seconds += (ms / 1_000) * weight;
    let bucket = 0;
    while (bucket < latencyBuckets.length && ms > latencyBuckets[bucket]! * 1_000) bucket += 1;
    this.#counts[bucket]! += weight;
  }

  /** Returns the values of a Prometheus histogram with this name. */
  values(name: string) {
    const labels = { source: this.source };
    let count = 0;
    const buckets = this.#counts.map((n, i) => ({
      metricName: `${name}_bucket`,
      value: (count += n),
      labels: { ...labels, le: String(latencyBuckets[i] ?? '+Inf') },
    }));
    const sum = { metricName: `${name}_sum`, value: this.#seconds, labels };
    return [...buckets, sum, { metricName: `${name}_count`, value: count, labels }];
  }
}

/** The metrics of the redirect role. */
export class RedirectCounters {
  readonly responses: Record<Result, number> = Object.fromEntries(results.map((result) => [result, 0])) as Record<
    Result,
    number
  >;
  readonly latencies: Record<Source, Latencies> = {
    memory: new Latencies('memory'),
    database: new Latencies('database'),
  };

  /** Registers the metrics. */
  register(registry: Registry): void {
    totals(registry, 'tautan_redirects_total', 'Responses of the redirect role', 'result', () => this.responses);
    const name = 'tautan_redirect_duration_seconds';
    const help = 'Time until a response was written; one in 64 responses from memory is measured and counts as 64';
    const head = { name, help, type: 'histogram', aggregator: 'sum', labelNames: ['source'] };
    const values = () => Object.values(this.latencies).flatMap((latencies) => latencies.values(name));
    registry.registerMetric({ ...head, get: async () => ({ ...head, values: values() }) } as unknown as Histogram);
  }
}
