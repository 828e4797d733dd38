import { latencyBuckets, totals, type Registry } from '@tautan/kit';

export const results = ['redirect', 'not_found', 'gone', 'refused_unknown', 'refused_limited', 'landing', 'file', 'bad_request', 'method_not_allowed', 'unavailable', 'error'] as const; // prettier-ignore
export type Result = (typeof results)[number];

/** Where an answer came from: memory, within the turn of the event loop, or the database. */
export type Source = 'memory' | 'database';

/** Latencies of one kind of answers, as plain numbers: a metric's own bookkeeping costs more than a redirect may. */
class Latencies {
  /** One more place than bounds, for what is above the last. */
  readonly #counts = new Array<number>(latencyBuckets.length + 1).fill(0);
  #seconds = 0;

  constructor(private readonly source: Source) {}

  /** `weight`: the number of answers that this one stands for. */
  observe(ms: number, weight = 1): void {
    this.#seconds += (ms / 1_000) * weight;
    let bucket = 0;
    while (bucket < latencyBuckets.length && ms > latencyBuckets[bucket]! * 1_000) bucket += 1;
    this.#counts[bucket]! += weight;
  }

  /** The values of a Prometheus histogram of that name. */
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

/** What the redirect role counts. */
export class RedirectCounters {
  readonly answers: Record<Result, number> = Object.fromEntries(results.map((result) => [result, 0])) as never;
  readonly latencies: Record<Source, Latencies> = { memory: new Latencies('memory'), database: new Latencies('database') }; // prettier-ignore

  /** Shows answers and latencies at /metrics. */
  register(registry: Registry): void {
    totals(registry, 'tautan_redirects_total', 'Responses of the redirect role', 'result', () => this.answers);
    const name = 'tautan_redirect_duration_seconds';
    const help = 'Time until a response was written; of those from memory one in 64 is measured, and counts as 64';
    const head = { name, help, type: 'histogram', aggregator: 'sum', labelNames: ['source'] };
    const values = () => Object.values(this.latencies).flatMap((latencies) => latencies.values(name));
    registry.registerMetric({ ...head, get: async () => ({ ...head, values: values() }) } as never);
  }
}
