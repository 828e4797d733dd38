import { Counter, Gauge, sharedMetric, type Registry } from './metrics.js';

/**
 * Returns a listener for the state changes of a connection. The listener exports the state as `tautan_connection_up`,
 * and counts losses and recoveries in `tautan_connection_changes_total`. The first connection is not a recovery, and a
 * connection that this process closed is not a loss.
 */
export function meterConnection(
  registry: Registry,
  connection: 'mongodb' | 'nats' | 'redis',
): (up: boolean, closed?: boolean) => void {
  const up = sharedMetric(registry, Gauge, {
    name: 'tautan_connection_up',
    help: 'Whether a connection is established and responsive (1) or not (0)',
    labelNames: ['connection'],
  });
  const changes = sharedMetric(registry, Counter, {
    name: 'tautan_connection_changes_total',
    help: 'Number of times that a connection was lost or restored',
    labelNames: ['connection', 'change'],
  });
  up.set({ connection }, 0);
  for (const change of ['lost', 'restored']) changes.inc({ connection, change }, 0);
  let last: boolean | undefined;
  return (isUp, isClosed = false) => {
    if (isUp === (last ?? false)) return;
    if (last !== undefined && !isClosed) changes.inc({ connection, change: isUp ? 'restored' : 'lost' });
    last = isUp;
    up.set({ connection }, isUp ? 1 : 0);
  };
}
