import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
  type HistogramConfiguration,
} from 'prom-client';
import { droppedLogLines } from './log.js';
import { withTimeout } from '../async/time.js';

export { Counter, Gauge, Histogram, Registry };

/**
 * Creates the registry of a service, with the default metrics of the process and of Node.js. Services that share a
 * process have a registry each.
 */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'tautan_log_lines_dropped_total',
    help: 'Log lines of the process that were lost because the disk or the log collector did not accept them',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  return registry;
}

type Config<L extends string> = CounterConfiguration<L> & GaugeConfiguration<L> & HistogramConfiguration<L>;

/** Returns the registry's metric with this name. The first call creates it. */
export function sharedMetric<M extends Counter | Gauge | Histogram, L extends string>(
  registry: Registry,
  Metric: new (config: Config<L>) => M,
  config: Omit<Config<L>, 'registers' | 'collect'>,
): M {
  const existing = registry.getSingleMetric(config.name) as M | undefined;
  return existing ?? new Metric({ ...config, registers: [registry] });
}

/** Declares a counter with one label. At each scrape, `read` returns the count for each label value. */
export function totals<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: L,
  read: () => Record<string, number>,
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of Object.entries(read())) this.labels(key).inc(count);
    },
  });
}

/** Declares a counter whose value is read at each scrape. */
export function total(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Declares a gauge whose value is read at each scrape. */
export function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Timeout of a database read in milliseconds. It keeps a hanging database from making the scrape time out. */
const MAX_READ_MS = 1_000;

/**
 * Declares a gauge that is read from the database at each scrape. The gauge is NaN while `ready` returns false, and if
 * the read fails or takes longer than a second.
 */
export function databaseGauge(
  registry: Registry,
  { name, help, ready }: { name: string; help: string; ready: () => boolean },
  read: () => Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(ready() ? await withTimeout(read(), MAX_READ_MS, () => Number.NaN).catch(() => Number.NaN) : Number.NaN);
    },
  });
}

/** Histogram buckets for latencies in seconds. They range from cached responses to calls that reach their deadline. */
export const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
