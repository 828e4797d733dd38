import { KeyedBatcher, type KeyedMutex } from '@tautan/kit';
import type { LinkView } from '../../domain/view.js';
import { isItemError } from '../is-item-error.js';
import { createAlone, createTogether, type CreationDeps, type LinkRequest } from './create-links.js';

/** Large enough to share the cost of a transaction, and small enough to stay far below its timeout. */
const MAX_BATCH = 50;

/** Returns a batcher that creates links of one workspace together. Never use it while holding the workspace's mutex. */
export const linkBatcher = (deps: CreationDeps, mutex: KeyedMutex): KeyedBatcher<LinkRequest, LinkView> =>
  new KeyedBatcher({
    mutex,
    keyOf: ({ by }) => by.workspaceId,
    groupOf: ({ by }) => by.plan,
    maxItems: MAX_BATCH,
    apply: async (requests) =>
      requests.length > 1 ? createTogether(deps, requests) : [await createAlone(deps, requests[0]!)],
    isItemError,
  });
