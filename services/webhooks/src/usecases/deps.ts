import type { EgressGuard, Sealing } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { Store } from '../store/index.js';

/** What the use cases of this service need, each some of it. */
export interface Deps {
  store: Store;
  transact: Transact;
  sealing: Sealing;
  guard: EgressGuard;
  /** Makes every replica read an endpoint anew. */
  endpointChanged: (endpoint: { workspaceId: string; endpointId: string }) => void;
  /** Wakes the deliverers: deliveries to these endpoints are due. */
  wake: (endpointIds: string[]) => void;
  now: () => Date;
}
