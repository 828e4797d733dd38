import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { droppedLogLines } from './log.js';

export { Counter, Gauge, Histogram, Registry };

/** A registry of a service's own (several services can share a process), with Node's default metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, prefix: 'tautan_' });
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

/** Bounds for latencies in seconds, from a cached answer to a deadline. */
export const latencyBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
