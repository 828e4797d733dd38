import { fail, type Fault, type Principal } from '@tautan/kit';
import { planLimitExceeded } from '@tautan/plans';
import { isDuplicateKey } from '@tautan/kit/mongo';
import { endpointView, type Endpoint } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';

type InsertDeps = Pick<Deps, 'store' | 'transact' | 'plans' | 'counters' | 'now'>;

/** A new endpoint and its creator. */
export interface NewEndpoint {
  endpoint: Endpoint;
  by: Principal;
}

/**
 * Inserts new endpoints of one workspace and plan, in order and up to the plan's limit, in one transaction, which also
 * reserves their usage and emits their events. Returns the outcome of each item. An item beyond the limit gets
 * PLAN_LIMIT_EXCEEDED naming `webhookEndpoints`, or ENDPOINT_EXISTS naming `url` if an endpoint with its URL exists, so
 * that a retried creation learns that the first attempt succeeded. If the URL of an item within the limit is already in
 * use, the result depends on the number of items. A single item gets ENDPOINT_EXISTS. With several items, the call
 * rejects with a duplicate key error, so that the batcher retries each item alone.
 */
export async function insertEndpoints(deps: InsertDeps, items: NewEndpoint[]): Promise<('inserted' | Error)[]> {
  try {
    return await insertTogether(deps, items);
  } catch (error) {
    if (items.length === 1 && isDuplicateKey(error)) return [endpointExists()];
    throw error;
  }
}

async function insertTogether(deps: InsertDeps, items: NewEndpoint[]): Promise<('inserted' | Error)[]> {
  const { store, counters, plans, transact, now } = deps;
  const { workspaceId, plan } = items[0]!.by;
  const limit = 'webhookEndpoints';
  const max = plans[plan].limits[limit];
  const { granted, used } = await transact(null, async (tx) => {
    const wanted = items.length;
    const reserved = await counters.reserve(tx.session, { workspaceId, limit, wanted, max, at: now() });
    const created = items.slice(0, reserved.granted);
    if (created.length === 0) return reserved;
    await store.endpoints.insert(
      created.map(({ endpoint }) => endpoint),
      tx.session,
    );
    await store.queues.insert(
      created.map(({ endpoint }) => endpoint._id),
      tx.session,
    );
    for (const { endpoint, by } of created) {
      const target = { type: 'webhook_endpoint', id: endpoint._id, label: endpoint.url };
      tx.emit({ type: 'webhook_endpoint.created', target, data: endpointView(endpoint), by });
    }
    return reserved;
  });
  const refusedUrls = items.slice(granted).map(({ endpoint }) => endpoint.url);
  const existing = refusedUrls.length > 0 ? await store.endpoints.existingUrls(workspaceId, refusedUrls) : new Set();
  return items.map(({ endpoint }, i) => {
    if (i < granted) return 'inserted';
    return existing.has(endpoint.url) ? endpointExists() : planLimitExceeded(limit, { plan, max: max!, used: used! });
  });
}

/** Returns the error for a duplicate URL. */
export const endpointExists = (): Fault =>
  fail('ENDPOINT_EXISTS', 'A webhook endpoint with this URL already exists.', 'url');
