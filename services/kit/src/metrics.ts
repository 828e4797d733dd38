import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type CounterConfiguration,
  type GaugeConfiguration,
} from 'prom-client';
import { droppedLogLines } from './log.js';

export { Counter, Gauge, Histogram, Registry };

/** Returns a registry for one service (several can share a process), with the standard metrics of the process and Node.js. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'tautan_log_lines_dropped_total',
    help: 'Log lines of the process that the disk refused to store',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  return registry;
}

type Config<L extends string> = Omit<CounterConfiguration<L> & GaugeConfiguration<L>, 'registers' | 'collect'>;

/** Returns the metric of this name in a registry. The first call creates it; later ones add series to it. */
export function sharedMetric<M extends Counter | Gauge, L extends string>(
  registry: Registry,
  Metric: new (config: CounterConfiguration<L> & GaugeConfiguration<L>) => M,
  config: Config<L>,
): M {
  const existing = registry.getSingleMetric(config.name) as M | undefined;
  return existing ?? new Metric({ ...config, registers: [registry] });
}

/** Bounds for latencies in seconds, from a cached answer to a deadline. */
export const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
