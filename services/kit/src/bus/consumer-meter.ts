import { Gauge, type Registry } from '../telemetry/metrics.js';
import type { Bus } from './connection.js';

/** Exports the lag of this process's durable consumers; nothing while the bus is unavailable. */
export function meterConsumers(registry: Registry, bus: Bus): void {
  let reading: Promise<Lag[]> | undefined;
  const read = (): Promise<Lag[]> => (reading ??= lagsOf(bus).finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, valueOf: (lag: Lag) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['durable'],
      registers: [registry],
      async collect() {
        const lags = await read();
        this.reset();
        for (const lag of lags) this.set({ durable: lag.durable }, valueOf(lag));
      },
    });
  };
  gauge(
    'tautan_consumer_pending_messages',
    'Messages of the stream not yet delivered to the consumer',
    (lag) => lag.pending,
  );
  gauge(
    'tautan_consumer_unacknowledged_messages',
    'Messages delivered to the consumer and not yet acknowledged',
    (lag) => lag.unacknowledged,
  );
}

interface Lag {
  durable: string;
  pending: number;
  unacknowledged: number;
}

async function lagsOf(bus: Bus): Promise<Lag[]> {
  if (!bus.connected || bus.durables.size === 0) return [];
  try {
    const manager = await bus.jetstream().jetstreamManager(false);
    return await Promise.all(
      Array.from(bus.durables, async ([durable, stream]) => {
        const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(stream, durable);
        return { durable, pending, unacknowledged };
      }),
    );
  } catch {
    return [];
  }
}
