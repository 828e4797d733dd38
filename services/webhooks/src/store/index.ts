import { newUlid } from '@tautan/kit';
import { deliveryStore, type DeliveryStore } from './deliveries.js';
import { endpointStore, type EndpointStore } from './endpoints.js';
import type { Models } from './models.js';
import { queueStore, type QueueStore } from './queues.js';

/** Everything that this service keeps. */
export interface Store {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  queues: QueueStore;
  /** Keeps a message that could not be handled. */
  setAside(subject: string, payload: Uint8Array, error: unknown): Promise<void>;
}

const LONGEST_REASON = 2_000;

export const createStore = (models: Models): Store => ({
  endpoints: endpointStore(models),
  deliveries: deliveryStore(models),
  queues: queueStore(models),
  setAside: async (subject, payload, error) => {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON);
    await models.deadLetters.create({ _id: newUlid(), subject, payload: Buffer.from(payload), reason, at: new Date() });
  },
});
