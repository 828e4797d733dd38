import { fail, Gathering, traceparent, type Log } from '@tautan/kit';
import { consume, type Bus } from '@tautan/kit/bus';
import { holdWhileAway, isTransient, type DeadLetters } from '@tautan/kit/mongo';
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
  leftOut: (count: number) => void;
}

const EVENTS_AT_ONCE = 256;
const CLICKS_AT_ONCE = 1_000;
/** Of a partition: a popular link brings 20 small batches a second, and after an outage many more at once. */
const CLICK_BATCHES_IN_FLIGHT = 32;
const MOST_DELIVERIES = 5;
const HOLD_MS = 6_000;
const RETRY_MS = 200;

/** Listens to the streams: EVENTS by one durable, CLICKS by one for each partition, shared with the other replicas. */
export function startConsumers(deps: ConsumerDeps): { stop(): Promise<void> } {
  const { bus, log, deadLetters } = deps;
  const events = new Gathering<TracedEvent, void>({
    most: EVENTS_AT_ONCE,
    atOnce: 2,
    lingerMs: 5,
    apply: async (batch) => {
      await queueEvents(deps, batch);
      return batch.map(() => undefined);
    },
  });
  const clicks = new Gathering<ClickBatch, void>({
    most: CLICKS_AT_ONCE,
    weigh: (batch) => batch.clicks.length,
    atOnce: 1,
    lingerMs: 5,
    isOnesOwn: (error) => !isTransient(error),
    apply: async (batches) => {
      await queueClicks({ ...deps, check: parseClickBatch }, batches);
      return batches.map(() => undefined);
    },
  });
  let stopping = false;
  /** Holds a message while the database is away, so that it is dealt with as soon as that is back. */
  const held = (work: () => Promise<void>): Promise<void> => {
    const unlessAway = async (): Promise<void> => {
      if (!deps.ready()) throw fail('SERVICE_UNAVAILABLE', 'The database is away.');
      return work();
    };
    return holdWhileAway(unlessAway, { holdMs: HOLD_MS, retryMs: RETRY_MS, stopping: () => stopping });
  };
  const common = { maxDeliveries: MOST_DELIVERIES, log };
  const ofEvents = consume(
    bus,
    {
      ...common,
      stream: streams.events.name,
      durable: 'webhooks',
      subject: 'events.>',
      maxInFlight: 2 * EVENTS_AT_ONCE,
      atOnce: EVENTS_AT_ONCE,
      ...deadLetters.consuming('events', (payload) =>
        held(() => events.run({ ...parseEvent(parse(payload)), traceparent: traceparent() })),
      ),
    },
    isTransient,
  );
  const ofClicks = Array.from({ length: CLICK_PARTITIONS }, (_, partition) =>
    consume(
      bus,
      {
        ...common,
        stream: streams.clicks.name,
        durable: `webhooks-${partition}`,
        subject: clickSubject(partition),
        maxInFlight: CLICK_BATCHES_IN_FLIGHT,
        atOnce: CLICK_BATCHES_IN_FLIGHT,
        ...deadLetters.consuming(clickSubject(partition), (payload) => held(() => clicks.run(glance(parse(payload))))),
      },
      isTransient,
    ),
  );
  return {
    stop: async () => {
      stopping = true;
      await Promise.all([ofEvents, ...ofClicks].map((consumer) => consumer.stop()));
    },
  };
}

type TracedEvent = TautanEvent & Pick<WebhookEvent, 'traceparent'>;

const parse = (payload: Uint8Array): unknown => JSON.parse(Buffer.from(payload).toString());

/** What is needed of a batch to see whether anybody wants it. Throws when it is none. */
function glance(batch: unknown): ClickBatch {
  const { v, texts, clicks } = (batch ?? {}) as Partial<ClickBatch>;
  if (v === 1 && Array.isArray(texts) && Array.isArray(clicks) && clicks.every(Array.isArray)) return batch as ClickBatch; // prettier-ignore
  throw new Error('the message is no batch of clicks');
}
