import type { TautanEvent } from '@tautan/proto';
import { subscribes } from '../domain/endpoint.js';
import { deliverableTypes } from '../domain/event-types.js';
import type { Subscription } from '../store/endpoints.js';
import { addDeliveries } from '../steps/add-deliveries.js';
import type { Deps } from '../usecase-deps.js';

/**
 * Queues events for the endpoints that subscribe to them. Reads the subscriptions from the database, so that a change
 * of a subscription applies to every event that is published after the change was acknowledged.
 */
export async function queueEvents(
  deps: Pick<Deps, 'store' | 'wake' | 'now'>,
  events: readonly TautanEvent[],
): Promise<void> {
  const deliverable = events.filter(({ type }) => deliverableTypes.has(type));
  if (deliverable.length === 0) return;
  const workspaceIds = [...new Set(deliverable.map(({ workspaceId }) => workspaceId))];
  const endpoints = await deps.store.endpoints.subscriptions(workspaceIds);
  const addressed = deliverable.map((event) => ({
    event,
    endpointIds: endpoints.filter((each) => isFor(event, each)).map(({ _id }) => _id),
  }));
  await addDeliveries(deps, addressed);
}

/** Returns whether an endpoint receives an event. A test event is only for the endpoint that is its target. */
function isFor({ type, target, workspaceId }: TautanEvent, endpoint: Subscription): boolean {
  if (endpoint.workspaceId !== workspaceId) return false;
  return type === 'webhook.test' ? endpoint._id === target.id : subscribes(endpoint, type);
}
