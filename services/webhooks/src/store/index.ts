import { keepDeadLetter } from '@tautan/kit/mongo';
import { deliveryStore, type DeliveryStore } from './deliveries.js';
import { endpointStore, type EndpointStore } from './endpoints.js';
import type { Models } from './models.js';
import { queueStore, type QueueStore } from './queues.js';
import { replicaStore, type ReplicaStore } from './replicas.js';

/** Everything that this service keeps. */
export interface Store {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  queues: QueueStore;
  replicas: ReplicaStore;
  /** Keeps a message that could not be handled. */
  setAside(subject: string, payload: Uint8Array, error: unknown): Promise<void>;
}

export const createStore = (models: Models): Store => ({
  endpoints: endpointStore(models),
  deliveries: deliveryStore(models),
  queues: queueStore(models),
  replicas: replicaStore(models),
  setAside: (subject, payload, error) =>
    keepDeadLetter(models.deadLetters, { subject, payload, error, at: new Date() }),
});
