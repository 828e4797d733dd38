import { Gauge, sharedMetric, type Registry } from './metrics.js';
import type { Breaker } from '../rpc/breaker.js';

/** Exports the state of a circuit breaker as `tautan_circuit_breaker_open`, by peer and gRPC service. */
export function meterBreaker(registry: Registry, breaker: Breaker, peer: string, rpcService = ''): void {
  const open = sharedMetric(registry, Gauge, {
    name: 'tautan_circuit_breaker_open',
    help: 'Whether calls to a peer are rejected (1) because the last ones failed, or sent (0)',
    labelNames: ['peer', 'rpc_service'],
  });
  const labels = { peer, rpc_service: rpcService };
  open.set(labels, 0);
  breaker.onChange = (now) => open.set(labels, now ? 1 : 0);
}
