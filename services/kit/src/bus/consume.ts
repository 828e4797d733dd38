import {
  AckPolicy,
  JetStreamApiCodes,
  type Consumer,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Log } from '../log.js';
import { describeSpan, inSpan } from '../telemetry.js';
import type { Bus } from './connection.js';
import { ACK_WAIT_MS, HeldMessages } from './held-messages.js';
import { messageSpan } from './message-span.js';
import { aheadOfStream, NewestMessage } from './position.js';

export interface ConsumeOptions {
  stream: string;
  /** Durable name; replicas that consume under one name share the messages. */
  durable: string;
  subject: string;
  /** Messages that may be under way at once, over all replicas (1 keeps the order while nothing fails). */
  maxInFlight?: number;
  /** Messages that this consumer handles at once (default 1); their order is lost when it is more. */
  atOnce?: number;
  /** Deliveries after which `onDead` gets a message instead of `handle`. */
  maxDeliveries?: number;
  handle(payload: Uint8Array, message: { redelivered: boolean; requestId: string | null }): Promise<void>;
  /** Keeps a message that could not be handled; when it resolves the message is done with. */
  onDead(payload: Uint8Array, error: unknown): Promise<void>;
  log: Log;
}

const NAK_DELAYS_MS = [250, 1_000, 5_000, 15_000, 30_000];

/**
 * Consumes a durable for ever, over all reconnects: acknowledges after `handle` resolved, sends back with a growing delay
 * after it rejected. `isTransient` failures never count as the message's own. Answers how to stop: it waits for the
 * message that is being handled.
 *
 * A durable that is ahead of its stream, because the stream was restored from an older copy or has lost its end, is created
 * again and receives every message that the stream has. So `handle` has to recognize messages by an id of their own.
 */
export function consume(
  bus: Bus,
  options: ConsumeOptions,
  isTransient: (error: unknown) => boolean,
): { stop(): Promise<void> } {
  bus.durables.set(options.durable, options.stream);
  let stopped = false;
  let messages: ConsumerMessages | undefined;
  const held = new HeldMessages(() => bus.connected);
  const newest = new NewestMessage();
  const checkAgain = async (): Promise<void> => {
    const open = messages;
    // Closed, it is opened again, which finds out what is wrong.
    if (open && !(await canContinue(bus, options, newest))) await open.close();
  };
  const stopChecking = bus.onChange((connected) => {
    if (connected) void checkAgain();
    else newest.hold();
  });
  const loop = (async () => {
    while (!stopped) {
      try {
        const consumer = await open(bus, options, newest);
        messages = await consumer.consume(fetching(options));
        // Not awaited: it is closed by the iteration below.
        if (stopped) void messages.close();
        void closeIfUnanswered(messages);
        const unhandled = await take(messages, { held, newest }, options, { isTransient, stopped: () => stopped });
        if (unhandled.length) await giveBack(consumer, unhandled);
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
      stopChecking();
      void messages?.close();
      await loop;
      held.stop();
    },
  };
}

/**
 * Handles messages, `atOnce` of them concurrently, until their iteration ends. All that has arrived is taken over at
 * once, because only then can it be extended. Returns the messages that a stop left unhandled.
 */
async function take(
  messages: ConsumerMessages,
  { held, newest }: { held: HeldMessages; newest: NewestMessage },
  options: ConsumeOptions,
  { isTransient, stopped }: { isTransient: (error: unknown) => boolean; stopped: () => boolean },
): Promise<JsMsg[]> {
  const waiting: JsMsg[] = [];
  const underWay = new Set<Promise<void>>();
  const next = (): void => {
    while (!stopped() && waiting.length > 0 && underWay.size < (options.atOnce ?? 1)) {
      const message = waiting.shift()!;
      const dealt = deal(message, options, isTransient).finally(() => {
        held.delete(message);
        underWay.delete(dealt);
        next();
      });
      underWay.add(dealt);
    }
  };
  try {
    for await (const message of messages) {
      newest.note(message);
      if (!held.add(message)) continue;
      waiting.push(message);
      next();
    }
  } finally {
    while (underWay.size > 0) await Promise.race(underWay);
    for (const message of waiting) held.delete(message);
  }
  return waiting;
}

async function open(bus: Bus, options: ConsumeOptions, newest: NewestMessage): Promise<Consumer> {
  const { stream, durable, log } = options;
  const js = bus.jetstream();
  const manager = await js.jetstreamManager(false);
  await ensureConsumer(manager, options);
  const ahead = await aheadOfStream(manager, options, newest);
  if (ahead) {
    log.warn({ stream, durable, ...ahead }, 'consumer is ahead of its stream; it starts again from the first message');
    await manager.consumers.delete(stream, durable);
    await ensureConsumer(manager, options);
  }
  newest.release(ahead !== undefined);
  return js.consumers.get(stream, durable);
}

/** Creates the consumer if it is missing. Only that, and changed limits, need the one server of a cluster that decides. */
async function ensureConsumer(manager: JetStreamManager, options: ConsumeOptions): Promise<void> {
  const { stream, durable } = options;
  const limits = { ack_wait: nanos(ACK_WAIT_MS), max_ack_pending: options.maxInFlight ?? 64, max_deliver: -1 };
  const existing = await manager.consumers.info(stream, durable).catch((error: unknown) => {
    if ((error as { code?: number }).code === JetStreamApiCodes.ConsumerNotFound) return undefined;
    throw error;
  });
  if (!existing) {
    const identity = { durable_name: durable, filter_subject: options.subject, ack_policy: AckPolicy.Explicit };
    await manager.consumers.add(stream, { ...identity, ...limits });
  } else if (Object.entries(limits).some(([name, value]) => existing.config[name as keyof typeof limits] !== value)) {
    // An earlier version created it with other limits.
    await manager.consumers.update(stream, durable, limits);
  }
}

/** Whether a consumer is as it was before the connection was lost: it exists, and its stream has what it has received. */
async function canContinue(bus: Bus, options: ConsumeOptions, newest: NewestMessage): Promise<boolean> {
  try {
    const manager = await bus.jetstream().jetstreamManager(false);
    if (await aheadOfStream(manager, options, newest)) return false;
    newest.release();
    return true;
  } catch {
    return false;
  }
}

const fetching = ({ maxInFlight }: ConsumeOptions) => ({
  max_messages: Math.min(maxInFlight ?? 64, 64),
  expires: 30_000,
  // Two that are missed end a fetch: the server that had it may be gone, without a sign on the connection to another one.
  idle_heartbeat: 2_000,
  abort_on_missing_resource: true,
  // After a reconnect the client library fetches at once. Otherwise it asks for the consumer first, and if the connection is
  // lost meanwhile, it waits for as long as a fetch lasts before it fetches again.
  bind: true,
});

/** Closes the iteration when nobody answers a fetch, so that it is opened again, with a consumer that exists. */
async function closeIfUnanswered(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'no_responders') void messages.close();
}

/** Hands back at once what was fetched ahead: the next consumer must not wait for the acknowledgement's time-out. */
async function giveBack(consumer: Consumer, messages: JsMsg[]): Promise<void> {
  // Asking makes the server forget our open fetch; nats-server 2.9 would offer it the first message, and lose that one
  // until its acknowledgement times out.
  await consumer.info().catch(() => {});
  for (const message of messages) message.nak();
}

/** Deals with a message in a span of the trace that it came with. */
function deal(message: JsMsg, options: ConsumeOptions, isTransient: (error: unknown) => boolean): Promise<void> {
  const { subject, headers } = message;
  const span = {
    ...messageSpan('process', subject, options.durable),
    from: [headers?.get('traceparent') || undefined],
  };
  return inSpan(`process ${subject}`, span, () => handle(message, options, isTransient));
}

async function handle(
  message: JsMsg,
  options: ConsumeOptions,
  isTransient: (error: unknown) => boolean,
): Promise<void> {
  const { deliveryCount, streamSequence } = message.info;
  const requestId = message.headers?.get('x-request-id') || null;
  const began = performance.now();
  try {
    await options.handle(message.data, { redelivered: message.redelivered, requestId });
    message.ack();
    const ms = Math.round((performance.now() - began) * 100) / 100;
    options.log.debug({ op: options.durable, requestId, code: 'OK', ms }, 'message');
  } catch (error) {
    describeSpan(() => ({}), error instanceof Error ? error.name : 'error');
    if (!isTransient(error) && deliveryCount >= (options.maxDeliveries ?? 5)) {
      options.log.error({ err: error, op: options.durable, requestId, sequence: streamSequence }, 'message set aside');
      return options.onDead(message.data, error).then(() => message.term('set aside'), () => message.nak(30_000)); // prettier-ignore
    }
    options.log.warn({ err: error, op: options.durable, requestId, deliveryCount }, 'message comes again');
    message.nak(NAK_DELAYS_MS[Math.min(deliveryCount, NAK_DELAYS_MS.length) - 1]);
  }
}
