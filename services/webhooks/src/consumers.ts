import { fail, Batcher, traceparent, type Log } from '@tautan/kit';
import { consume, type Bus } from '@tautan/kit/bus';
import { retryWhileUnavailable, isTransient, type DeadLetters } from '@tautan/kit/mongo';
import {
  CLICK_PARTITIONS,
  clickSubject,
  parseClickBatch,
  parseEvent,
  streams,
  type ClickBatch,
  type TautanEvent,
} from '@tautan/proto';
import type { ClickSubscriptions } from './click-subscriptions.js';
import type { Store } from './store/index.js';
import { queueClicks } from './usecases/queue-clicks.js';
import type { WebhookEvent } from './domain/event-types.js';
import { queueEvents } from './usecases/queue-events.js';

export interface ConsumerDeps {
  bus: Bus;
  log: Log;
  store: Store;
  deadLetters: DeadLetters;
  ready: () => boolean;
  wake: (endpointIds: string[]) => void;
  now: () => Date;
  clickSubscriptions: ClickSubscriptions;
  countSkipped: (count: number) => void;
}

const MAX_EVENTS_PER_BATCH = 256;
/**
 * Minimum interval between queries for the endpoints of events, so that many events share one query. Delays an event by
 * at most this interval.
 */
const EVENTS_EVERY_MS = 50;
const MAX_CLICKS_PER_BATCH = 1_000;
/**
 * Maximum number of batches in flight per partition. A popular link produces 20 small batches per second, and many more
 * after an outage.
 */
const CLICK_BATCHES_IN_FLIGHT = 32;
/** Number of times that a message is delivered before it is dead-lettered. */
const MAX_DELIVERIES = 5;
/** Maximum time that a message is held while the database is unavailable. */
const UNAVAILABLE_TIMEOUT_MS = 6_000;
const RETRY_MS = 200;

/**
 * Consumes the streams, shared with the other replicas: EVENTS by one durable consumer, CLICKS by one per partition.
 */
export function startConsumers(deps: ConsumerDeps): { stop(): Promise<void> } {
  const { bus, log, deadLetters } = deps;
  const events = new Batcher<TracedEvent, void>({
    maxSize: MAX_EVENTS_PER_BATCH,
    concurrency: 2,
    lingerMs: 5,
    everyMs: EVENTS_EVERY_MS,
    apply: async (batch) => {
      await queueEvents(deps, batch);
      return batch.map(() => undefined);
    },
  });
  const clicks = new Batcher<ClickBatch, void>({
    maxSize: MAX_CLICKS_PER_BATCH,
    weigh: (batch) => batch.clicks.length,
    concurrency: 1,
    lingerMs: 5,
    isItemError: (error) => !isTransient(error),
    apply: async (batches) => {
      await queueClicks({ ...deps, check: parseClickBatch }, batches);
      return batches.map(() => undefined);
    },
  });
  let stopping = false;
  /** Holds a message while the database is unavailable, and processes it as soon as the database is available again. */
  const holdWhileUnavailable = (work: () => Promise<void>): Promise<void> => {
    const workIfAvailable = async (): Promise<void> => {
      if (!deps.ready()) throw fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');
      return work();
    };
    return retryWhileUnavailable(workIfAvailable, {
      timeoutMs: UNAVAILABLE_TIMEOUT_MS,
      retryMs: RETRY_MS,
      stopping: () => stopping,
    });
  };
  const common = { maxDeliveries: MAX_DELIVERIES, log };
  const eventConsumer = consume(
    bus,
    {
      ...common,
      stream: streams.events.name,
      durable: 'webhooks',
      subject: 'events.>',
      maxInFlight: 2 * MAX_EVENTS_PER_BATCH,
      concurrency: MAX_EVENTS_PER_BATCH,
      ...deadLetters.consuming('events', (payload) =>
        holdWhileUnavailable(() => events.run({ ...parseEvent(parse(payload)), traceparent: traceparent() })),
      ),
    },
    isTransient,
  );
  const clickConsumers = Array.from({ length: CLICK_PARTITIONS }, (_, partition) =>
    consume(
      bus,
      {
        ...common,
        stream: streams.clicks.name,
        durable: `webhooks-${partition}`,
        subject: clickSubject(partition),
        maxInFlight: CLICK_BATCHES_IN_FLIGHT,
        concurrency: CLICK_BATCHES_IN_FLIGHT,
        ...deadLetters.consuming(clickSubject(partition), (payload) =>
          holdWhileUnavailable(() => clicks.run(checkShape(parse(payload)))),
        ),
      },
      isTransient,
    ),
  );
  return {
    stop: async () => {
      stopping = true;
      await Promise.all([eventConsumer, ...clickConsumers].map((consumer) => consumer.stop()));
    },
  };
}

type TracedEvent = TautanEvent & Pick<WebhookEvent, 'traceparent'>;

const parse = (payload: Uint8Array): unknown => JSON.parse(Buffer.from(payload).toString());

/** Validates only what is needed to find the subscribers of a batch. Throws if the message is not a batch. */
function checkShape(batch: unknown): ClickBatch {
  const { v, texts, clicks } = (batch ?? {}) as Partial<ClickBatch>;
  if (v === 1 && Array.isArray(texts) && Array.isArray(clicks) && clicks.every(Array.isArray))
    return batch as ClickBatch;
  throw new Error('the message is not a batch of clicks');
}
