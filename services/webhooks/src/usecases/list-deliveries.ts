import { checkLimit, fail, isId, oneOf, type Principal } from '@tautan/kit';
import { readCursor, writeCursor, type DeliveryFilter } from '../domain/cursor.js';
import { deliveryStatuses, type DeliverySummary } from '../domain/delivery.js';
import { deliverableTypes } from '../domain/event-types.js';
import type { Deps } from '../usecase-deps.js';

export interface DeliveryQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
  status?: string | undefined;
  subscriptionId?: string | undefined;
  type?: string | undefined;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Returns a page of the workspace's deliveries, newest first. Throws VALIDATION_ERROR naming the parameter. */
export async function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  { workspaceId }: Principal,
  query: DeliveryQuery,
): Promise<{ deliveries: DeliverySummary[]; nextCursor?: string }> {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  checkLimit(limit, MAX_LIMIT);
  const filter = filterOf(workspaceId, query);
  const after = cursor === undefined ? undefined : readCursor(filter, cursor);
  const found = await store.deliveries.page(filter, after, limit + 1);
  const deliveries = found.slice(0, limit);
  if (found.length <= limit) return { deliveries };
  return { deliveries, nextCursor: writeCursor(filter, deliveries.at(-1)!._id) };
}

function filterOf(workspaceId: string, { status, subscriptionId, type }: DeliveryQuery): DeliveryFilter {
  oneOf('status', deliveryStatuses, status);
  if (subscriptionId !== undefined && !isId(subscriptionId, 'whe')) {
    throw invalid('subscriptionId', 'subscriptionId must be the id of an endpoint.');
  }
  if (type !== undefined && !deliverableTypes.has(type)) throw invalid('type', 'type must be an event type.');
  return { workspaceId, status, endpointId: subscriptionId, type };
}

const invalid = (field: string, message: string): Error => fail('VALIDATION_ERROR', message, field);
