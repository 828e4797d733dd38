import { deadLetterSchema, createCollections, strictSchema, type DeadLetter } from '@tautan/kit/mongo';
import { type UsageCounter, usageCounterSchema } from '@tautan/plans/usage';
import { type Connection, type Model } from 'mongoose';
import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';

/** The schedule and ownership of an endpoint's deliveries. */
export interface Queue {
  /** The endpoint's id. */
  _id: string;
  /** Lower bound on the time of the next attempt; absent if no delivery is pending, or while the endpoint is disabled. */
  dueAt?: Date;
  /** Incremented by each wake-up (`markDue` or `restart`), so that a worker notices one that follows its last read. */
  wakeVersion: number;
  /**
   * Set to a new value when the endpoint is resumed, or when its URL changes while it is active. Removed once all
   * pending deliveries have been made due.
   */
  resumption?: string;
  /** The id of the replica that processes the queue, or null. */
  owner: string | null;
  /** Whether the last attempt failed. */
  failing: boolean;
  /** When the current series of failures began, or null. */
  failingSince: Date | null;
}

/** A replica of this service, as seen by the others. */
export interface StoredReplica {
  /** The value of `owner` in its queues. */
  _id: string;
  /** Identifies the instance across restarts; null if unknown. */
  instance: string | null;
  /** Heartbeat counter: incremented at intervals while the replica is active (see `Activity`). */
  beat: number;
}

const DAY_S = 86_400;
const DEAD_LETTER_DAYS = 90;

const endpoint = strictSchema<Endpoint>({
  _id: String,
  workspaceId: String,
  url: String,
  events: [String],
  active: Boolean,
  disabledReason: { type: String, default: null },
  secrets: [
    {
      _id: false,
      sealed: Buffer,
      expiresAt: { type: Date, default: null },
      operationId: { type: String, default: null },
    },
  ],
  createdAt: Date,
  updatedAt: Date,
});
endpoint.index({ workspaceId: 1, url: 1 }, { unique: true });
endpoint.index({ workspaceId: 1, _id: -1 });

const delivery = strictSchema<Delivery>(
  {
    _id: String,
    workspaceId: String,
    endpointId: String,
    eventId: String,
    type: { type: String },
    status: String,
    attempts: Number,
    nextAttemptAt: { type: Date, default: null },
    manual: Boolean,
    retryOperationId: { type: String, default: null },
    body: String,
    attemptLog: [
      {
        _id: false,
        n: Number,
        at: Date,
        durationMs: Number,
        statusCode: { type: Number, default: null },
        error: { type: String, default: null },
        responseSnippet: { type: String, default: null },
      },
    ],
    createdAt: Date,
    completedAt: { type: Date, default: null },
    traceparent: String,
  },
  { shardKey: { endpointId: 1 } },
);
delivery.index({ workspaceId: 1, _id: -1 });
delivery.index({ workspaceId: 1, status: 1, _id: -1 });
delivery.index({ workspaceId: 1, type: 1, _id: -1 });
delivery.index({ endpointId: 1, _id: -1 });
delivery.index(
  { endpointId: 1, nextAttemptAt: 1 },
  { name: 'pending', partialFilterExpression: { status: 'pending' } },
);

const queue = strictSchema<Queue>({
  _id: String,
  dueAt: Date,
  wakeVersion: Number,
  resumption: String,
  owner: { type: String, default: null },
  failing: Boolean,
  failingSince: { type: Date, default: null },
});
queue.index({ owner: 1, failing: 1, dueAt: 1 });

const replica = strictSchema<StoredReplica>({ _id: String, instance: { type: String, default: null }, beat: Number });
replica.index({ instance: 1 });

const deadLetter = deadLetterSchema();
deadLetter.index({ at: 1 }, { expireAfterSeconds: DEAD_LETTER_DAYS * DAY_S });

/** The collections of this service, on one connection. */
export interface Models {
  endpoints: Model<Endpoint>;
  deliveries: Model<Delivery>;
  queues: Model<Queue>;
  replicas: Model<StoredReplica>;
  deadLetters: Model<DeadLetter>;
  usageCounters: Model<UsageCounter>;
}

export const createModels = (connection: Connection): Models => ({
  endpoints: connection.model<Endpoint>('endpoints', endpoint, 'endpoints'),
  deliveries: connection.model<Delivery>('deliveries', delivery, 'deliveries'),
  queues: connection.model<Queue>('queues', queue, 'queues'),
  replicas: connection.model<StoredReplica>('replicas', replica, 'replicas'),
  deadLetters: connection.model<DeadLetter>('dead_letters', deadLetter, 'dead_letters'),
  usageCounters: connection.model<UsageCounter>('usage_counters', usageCounterSchema(), 'usage_counters'),
});

/** Creates missing collections and indexes, and sets the retention period of deliveries. */
export async function prepareCollections(models: Models, retentionDays: number): Promise<void> {
  await createCollections(models);
  await setRetention(models.deliveries, retentionDays * DAY_S);
}

/** Creates the TTL index of deliveries, or changes its expiry to the configured one. */
async function setRetention({ collection, db }: Model<Delivery>, seconds: number): Promise<void> {
  const name = 'retention';
  const existing = (await collection.indexes()).find((index) => index.name === name);
  if (!existing) await collection.createIndex({ createdAt: 1 }, { name, expireAfterSeconds: seconds });
  else if (existing.expireAfterSeconds !== seconds) {
    await db.db!.command({ collMod: collection.collectionName, index: { name, expireAfterSeconds: seconds } });
  }
}
