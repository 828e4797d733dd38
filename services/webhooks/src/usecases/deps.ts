import type { EgressGuard, KeyedBatcher, KeyedMutex, Sealing } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { UsageCounters } from '@tautan/kit/usage';
import type { Plans } from '@tautan/proto';
import type { Delivery } from '../domain/delivery.js';
import type { Store } from '../store/index.js';
import type { NewEndpoint } from './insert-endpoints.js';

/** What the use cases of this service need, each some of it. */
export interface Deps {
  store: Store;
  transact: Transact;
  plans: Plans;
  counters: UsageCounters;
  /** By workspace, for transactions that change its usage counter. */
  mutex: KeyedMutex;
  /** Insertions of new endpoints, by workspace. */
  insertions: KeyedBatcher<NewEndpoint, 'inserted'>;
  /** Manual retries under way in this process, by delivery. */
  retries: Map<string, Promise<Delivery>>;
  sealing: Sealing;
  guard: EgressGuard;
  /** Ports that endpoints may use. */
  ports: readonly number[];
  /** Makes every replica read an endpoint anew. */
  endpointChanged: (endpoint: { workspaceId: string; endpointId: string }) => void;
  /** Wakes the deliverers: deliveries to these endpoints are due. */
  wake: (endpointIds: string[]) => void;
  now: () => Date;
}
