import { Gauge, sharedMetric, type Registry } from './metrics.js';
import type { Breaker } from '../rpc/breaker.js';

/** Exports the state of a circuit breaker as `tautan_circuit_breaker_open`, by peer and gRPC service. */
export function meterBreaker(registry: Registry, breaker: Breaker, peer: string, rpcService = ''): void {
  const gauge = sharedMetric(registry, Gauge, {
    name: 'tautan_circuit_breaker_open',
    help: 'Whether calls to a peer are refused (1) because recent calls failed, or sent (0)',
    labelNames: ['peer', 'rpc_service'],
  });
  const labels = { peer, rpc_service: rpcService };
  gauge.set(labels, 0);
  breaker.onChange = (isOpen) => gauge.set(labels, isOpen ? 1 : 0);
}
