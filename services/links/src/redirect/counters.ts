import { latencyBuckets, type Registry } from '@tautan/kit';
import { totals } from '../metrics.js';

export const results = ['redirect', 'not_found', 'gone', 'landing', 'file', 'bad_request', 'method_not_allowed', 'unavailable', 'error'] as const; // prettier-ignore
export type Result = (typeof results)[number];

/** What the redirect role counts, as plain numbers: a labelled metric's own bookkeeping costs more than a redirect may. */
export class RedirectCounters {
  readonly answers: Record<Result, number> = Object.fromEntries(results.map((result) => [result, 0])) as never;
  /** Answers by latency: one more place than bounds, for what is above the last. */
  readonly #latencies = new Array<number>(latencyBuckets.length + 1).fill(0);
  #seconds = 0;

  /** Counts one answer that took `ms`. */
  answered(result: Result, ms: number): void {
    this.answers[result] += 1;
    this.#seconds += ms / 1_000;
    let bucket = 0;
    while (bucket < latencyBuckets.length && ms > latencyBuckets[bucket]! * 1_000) bucket += 1;
    this.#latencies[bucket]! += 1;
  }

  /** Shows answers and latencies at /metrics. */
  register(registry: Registry): void {
    totals(registry, 'tautan_redirects_total', 'Answers of the redirect role', 'result', () => this.answers);
    registry.registerMetric(this.#histogram() as never);
  }

  #histogram() {
    const name = 'tautan_redirect_duration_seconds';
    const value = (suffix: string, count: number, labels: Record<string, string> = {}) => ({
      metricName: `${name}_${suffix}`,
      value: count,
      labels,
    });
    const get = async () => {
      let count = 0;
      const buckets = this.#latencies.map((n, i) =>
        value('bucket', (count += n), { le: String(latencyBuckets[i] ?? '+Inf') }),
      );
      return { ...head, values: [...buckets, value('sum', this.#seconds), value('count', count)] };
    };
    const head = { name, help: 'Time until a redirect was written', type: 'histogram', aggregator: 'sum' };
    return { ...head, get };
  }
}
