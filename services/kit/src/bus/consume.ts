import {
  AckPolicy,
  JetStreamApiCodes,
  type Consumer,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Log } from '../telemetry/log.js';
import { describeSpan, inSpan } from '../telemetry/telemetry.js';
import type { Bus } from './connection.js';
import { ACK_WAIT_MS, HeldMessages } from './held-messages.js';
import { messageSpan } from './message-span.js';
import { aheadOfStream, NewestMessage } from './position.js';
import { sleep } from '../async/time.js';

export interface ConsumeOptions {
  stream: string;
  /** Durable name. Replicas with the same name share the messages. */
  durable: string;
  subject: string;
  /**
   * Maximum number of unacknowledged messages across all replicas (default 64). 1 preserves the order unless a message
   * fails.
   */
  maxInFlight?: number;
  /**
   * Maximum number of messages that this consumer handles concurrently (default 1). Above 1 the order is not preserved.
   */
  concurrency?: number;
  /** Number of deliveries (default 5) after which a message that fails is passed to `onDeadLetter`. */
  maxDeliveries?: number;
  handle(payload: Uint8Array, message: { redelivered: boolean; requestId: string | null }): Promise<void>;
  /** Stores a dead letter. The message is redelivered only if the promise rejects. */
  onDeadLetter(payload: Uint8Array, error: unknown): Promise<void>;
  log: Log;
}

const NAK_DELAYS_MS = [250, 1_000, 5_000, 15_000, 30_000];

/**
 * Consumes a durable consumer's messages across reconnects: acknowledges a message when `handle` resolves, and requests
 * a redelivery with a growing delay when it rejects. Failures for which `isTransient` returns true never dead-letter a
 * message. `stop` waits for the messages being handled.
 *
 * A consumer that is ahead of its stream (which was restored from an older copy, or truncated) is recreated and
 * receives every message of the stream again. So `handle` must recognize duplicates by an id within the message.
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
    const current = messages;
    // Once the iteration is closed, the loop calls `open`, which recreates a consumer that is missing or ahead of its
    // stream.
    if (current && !(await canContinue(bus, options, newest))) await current.close();
  };
  const stopChecking = bus.onChange((connected) => {
    if (connected) void checkAgain();
    else newest.onConnectionLost();
  });
  const loop = (async () => {
    while (!stopped) {
      try {
        const consumer = await open(bus, options, newest);
        messages = await consumer.consume(fetchOptions(options));
        // Not awaited, because the close completes only when the iteration below ends.
        if (stopped) void messages.close();
        void closeIfUnanswered(messages);
        const unhandled = await handleMessages(messages, { held, newest }, options, {
          isTransient,
          stopped: () => stopped,
        });
        if (unhandled.length) await requeue(consumer, unhandled);
      } catch (error) {
        if (!stopped && bus.connected)
          options.log.warn({ err: error, durable: options.durable }, 'consumer interrupted');
      }
      if (!stopped) await sleep(200);
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
 * Handles messages, `concurrency` of them concurrently, until their iteration ends. Adds received messages to `held`
 * immediately, so that their acknowledgement deadline is extended while they wait. Returns the messages that were not
 * handled because of a stop.
 */
async function handleMessages(
  messages: ConsumerMessages,
  { held, newest }: { held: HeldMessages; newest: NewestMessage },
  options: ConsumeOptions,
  { isTransient, stopped }: { isTransient: (error: unknown) => boolean; stopped: () => boolean },
): Promise<JsMsg[]> {
  const waiting: JsMsg[] = [];
  const running = new Set<Promise<void>>();
  const next = (): void => {
    while (!stopped() && waiting.length > 0 && running.size < (options.concurrency ?? 1)) {
      const message = waiting.shift()!;
      const processed = process(message, options, isTransient).finally(() => {
        held.delete(message);
        running.delete(processed);
        next();
      });
      running.add(processed);
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
    while (running.size > 0) await Promise.all(running);
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
  newest.onStreamChecked(ahead !== undefined);
  return js.consumers.get(stream, durable);
}

/**
 * Creates the consumer if it is missing, and changes its limits if they differ. Otherwise only reads the consumer,
 * which also works while a NATS cluster has no metadata leader.
 */
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
    // Created with other limits by an earlier version.
    await manager.consumers.update(stream, durable, limits);
  }
}

/**
 * Returns whether a consumer can continue after a reconnect: it exists, and is not ahead of its stream. Returns false
 * if this cannot be checked.
 */
async function canContinue(bus: Bus, options: ConsumeOptions, newest: NewestMessage): Promise<boolean> {
  try {
    const manager = await bus.jetstream().jetstreamManager(false);
    if (await aheadOfStream(manager, options, newest)) return false;
    newest.onStreamChecked();
    return true;
  } catch {
    return false;
  }
}

const fetchOptions = ({ maxInFlight }: ConsumeOptions) => ({
  max_messages: Math.min(maxInFlight ?? 64, 64),
  expires: 30_000,
  // Two missed heartbeats end a fetch: in a cluster, the server that leads the consumer can fail while the connected
  // one still works.
  idle_heartbeat: 2_000,
  abort_on_missing_resource: true,
  // After a reconnect, fetch immediately. By default, the client library first requests information about the
  // consumer. If the connection is lost during this request, it waits as long as a fetch may last (`expires`).
  bind: true,
});

/** Closes the iteration if a fetch has no responders, so that the consumer is created again if it is missing. */
async function closeIfUnanswered(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) if (type === 'no_responders') void messages.close();
}

/**
 * Requeues prefetched messages immediately, so that the next consumer does not wait for the acknowledgement timeout.
 */
async function requeue(consumer: Consumer, messages: JsMsg[]): Promise<void> {
  // This request makes the server drop our open fetch. Otherwise nats-server 2.9 delivers the first requeued message to
  // that fetch, and the message is lost until its acknowledgement times out.
  await consumer.info().catch(() => {});
  for (const message of messages) message.nak();
}

/** Processes a message within a span. The span belongs to the trace that the message's `traceparent` header names. */
function process(message: JsMsg, options: ConsumeOptions, isTransient: (error: unknown) => boolean): Promise<void> {
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
      options.log.error(
        { err: error, op: options.durable, requestId, sequence: streamSequence },
        'message dead-lettered',
      );
      return options.onDeadLetter(message.data, error).then(
        () => message.term('dead-lettered'),
        () => message.nak(30_000),
      );
    }
    options.log.warn({ err: error, op: options.durable, requestId, deliveryCount }, 'message will be redelivered');
    message.nak(NAK_DELAYS_MS[Math.min(deliveryCount, NAK_DELAYS_MS.length) - 1]);
  }
}
