import { AckPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Log } from '../log.js';
import { inSpan } from '../telemetry.js';
import type { Bus } from './connection.js';

export interface ConsumeOptions {
  stream: string;
  /** Durable name; replicas that consume under one name share the messages. */
  durable: string;
  subject: string;
  /** Messages that may be under way at once, over all replicas (1 keeps the order while nothing fails). */
  maxInFlight?: number;
  /** Time until an unacknowledged message comes again, milliseconds. */
  ackWaitMs?: number;
  /** Deliveries after which `onDead` gets a message instead of `handle`. */
  maxDeliveries?: number;
  handle(
    payload: Uint8Array,
    message: { redelivered: boolean; sequence: number; requestId: string | null },
  ): Promise<void>;
  /** Keeps a message that could not be handled; when it resolves the message is done with. */
  onDead(payload: Uint8Array, error: unknown): Promise<void>;
  log: Log;
}

const NAK_DELAYS_MS = [250, 1_000, 5_000, 15_000, 30_000];

/**
 * Consumes a durable for ever, over all reconnects: acknowledges after `handle` resolved, sends back with a growing delay
 * after it rejected. `isTransient` failures never count as the message's own. Answers how to stop: it waits for the
 * message that is being handled.
 */
export function consume(
  bus: Bus,
  options: ConsumeOptions,
  isTransient: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  let stopped = false;
  let messages: ConsumerMessages | undefined;
  const loop = (async () => {
    while (!stopped) {
      try {
        messages = await open(bus, options);
        if (stopped) await messages.close();
        for await (const message of messages) {
          await deal(message, options, isTransient);
          if (stopped) break;
        }
      } catch (error) {
        if (!stopped && bus.connected)
          options.log.warn({ err: error, durable: options.durable }, 'consumer interrupted');
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await messages?.close();
      await loop;
    },
  };
}

async function open(bus: Bus, options: ConsumeOptions): Promise<ConsumerMessages> {
  const js = bus.jetstream();
  const manager = await js.jetstreamManager();
  await manager.consumers.add(options.stream, {
    durable_name: options.durable,
    filter_subject: options.subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(options.ackWaitMs ?? 30_000),
    max_ack_pending: options.maxInFlight ?? 64,
    max_deliver: -1,
  });
  const consumer = await js.consumers.get(options.stream, options.durable);
  return consumer.consume({
    max_messages: Math.min(options.maxInFlight ?? 64, 64),
    expires: 30_000,
    idle_heartbeat: 5_000,
    abort_on_missing_resource: true,
  });
}

async function deal(message: JsMsg, options: ConsumeOptions, isTransient: (error: unknown) => boolean): Promise<void> {
  const { deliveryCount, streamSequence } = message.info;
  const requestId = message.headers?.get('x-request-id') || null;
  const began = performance.now();
  try {
    await inSpan(
      `consume ${options.durable}`,
      { kind: 'consumer', from: { traceparent: message.headers?.get('traceparent') } },
      () => options.handle(message.data, { redelivered: message.redelivered, sequence: streamSequence, requestId }),
    );
    message.ack();
    const ms = Math.round((performance.now() - began) * 100) / 100;
    options.log.debug({ op: options.durable, requestId, code: 'OK', ms }, 'message');
  } catch (error) {
    if (!isTransient(error) && deliveryCount >= (options.maxDeliveries ?? 5)) {
      options.log.error({ err: error, op: options.durable, requestId, sequence: streamSequence }, 'message set aside');
      return options.onDead(message.data, error).then(() => message.term('set aside'), () => message.nak(30_000)); // prettier-ignore
    }
    options.log.warn({ err: error, op: options.durable, requestId, deliveryCount }, 'message comes again');
    message.nak(NAK_DELAYS_MS[Math.min(deliveryCount, NAK_DELAYS_MS.length) - 1]);
  }
}
