import { Gauge, type Registry } from './metrics.js';
import type { Breaker } from '../rpc/breaker.js';

interface MeteredBreaker {
  breaker: Breaker;
  labels: { peer: string; rpc_service: string };
}

const metered = new WeakMap<Registry, MeteredBreaker[]>();

/**
 * Adds a circuit breaker to the gauge `tautan_circuit_breaker_open`, labeled with its peer and gRPC service. The gauge
 * is 1 while the breaker rejects calls. A minute after the last refused or failed call, the gauge is 0 even if the
 * breaker is still open, because the breaker lets the next call through.
 */
export function meterBreaker(registry: Registry, breaker: Breaker, peer: string, rpcService = ''): void {
  const breakers = metered.get(registry) ?? createGauge(registry);
  breakers.push({ breaker, labels: { peer, rpc_service: rpcService } });
}

/** Creates the gauge of a registry. Returns the list of its breakers, which is read at each scrape. */
function createGauge(registry: Registry): MeteredBreaker[] {
  const breakers: MeteredBreaker[] = [];
  metered.set(registry, breakers);
  new Gauge({
    name: 'tautan_circuit_breaker_open',
    help: 'Whether a circuit breaker is open and a call was refused or failed within the last minute (1), or not (0)',
    labelNames: ['peer', 'rpc_service'],
    registers: [registry],
    collect() {
      for (const { breaker, labels } of breakers) this.set(labels, breaker.isRejecting ? 1 : 0);
    },
  });
  return breakers;
}
