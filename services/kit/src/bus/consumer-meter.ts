import { Gauge, type Registry } from '../metrics.js';
import type { Bus } from './connection.js';

/** Shows how far the durables that this process consumes are behind their streams; nothing while the bus is unavailable. */
export function meterConsumers(registry: Registry, bus: Bus): void {
  let reading: Promise<Lag[]> | undefined;
  const read = (): Promise<Lag[]> => (reading ??= lagsOf(bus).finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, valueOf: (lag: Lag) => number): void => {
    // prettier-ignore
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
  gauge('tautan_consumer_pending_messages', 'Messages of the stream that the durable was not given yet', (lag) => lag.pending); // prettier-ignore
  gauge('tautan_consumer_unacknowledged_messages', 'Messages that the durable was given and has not acknowledged', (lag) => lag.unacknowledged); // prettier-ignore
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
