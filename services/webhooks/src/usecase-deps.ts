import type { EgressGuard, KeyedBatcher, KeyedMutex, Sealing } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { UsageCounters } from '@tautan/plans/usage';
import type { Plans } from '@tautan/proto';
import type { Delivery } from './domain/delivery.js';
import type { Store } from './store/index.js';
import type { NewEndpoint } from './steps/insert-endpoints.js';

/** Dependencies of the use cases; each uses a subset. */
export interface Deps {
  store: Store;
  transact: Transact;
  plans: Plans;
  counters: UsageCounters;
  /** Serializes transactions that change a usage counter, per workspace. */
  mutex: KeyedMutex;
  /** Batches insertions of new endpoints, per workspace. */
  insertions: KeyedBatcher<NewEndpoint, 'inserted'>;
  /** Manual retries in progress in this process, keyed by delivery id. */
  retries: Map<string, Promise<Delivery>>;
  sealing: Sealing;
  guard: EgressGuard;
  /** Ports that endpoints may use. */
  ports: readonly number[];
  /** Makes every replica reload an endpoint. */
  endpointChanged: (endpoint: { workspaceId: string; endpointId: string }) => void;
  /** Wakes the replicas because deliveries to these endpoints are due. */
  wake: (endpointIds: string[]) => void;
  now: () => Date;
}
