import { deliveryStore, type DeliveryStore } from './deliveries.js';
import { endpointStore, type EndpointStore } from './endpoints.js';
import type { Models } from './models.js';
import { queueStore, type QueueStore } from './queues.js';
import { replicaStore, type ReplicaStore } from './replicas.js';

/** All stores of this service. */
export interface Store {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  queues: QueueStore;
  replicas: ReplicaStore;
}

export const createStore = (models: Models): Store => ({
  endpoints: endpointStore(models),
  deliveries: deliveryStore(models),
  queues: queueStore(models),
  replicas: replicaStore(models),
});
