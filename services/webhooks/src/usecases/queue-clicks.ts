import type { ClickBatch } from '@tautan/proto';
import type { ClickSubscriptions } from '../click-subscriptions.js';
import { clickEvents, workspacesOf } from '../domain/click-events.js';
import { subscribes } from '../domain/endpoint.js';
import { clickTypes, type ClickType, type WebhookEvent } from '../domain/event-types.js';
import { addDeliveries } from './add-deliveries.js';
import type { Deps } from './deps.js';

interface ClickDeps extends Pick<Deps, 'store' | 'wake' | 'now'> {
  clickSubscriptions: ClickSubscriptions;
  /** Checks a batch; asked for it only where somebody subscribes. */
  check: (batch: unknown) => ClickBatch;
  /** Counts clicks that an endpoint with too many undelivered ones will not receive. */
  leftOut: (count: number) => void;
}

/** Queues the clicks of batches for the endpoints that subscribe to them. What nobody subscribes to costs next to nothing. */
export async function queueClicks(deps: ClickDeps, unchecked: readonly ClickBatch[]): Promise<void> {
  const endpoints = await deps.clickSubscriptions.of([...new Set(unchecked.flatMap(workspacesOf))]);
  if (endpoints.length === 0) return;
  const wanted = new Set(endpoints.flatMap((each) => clickTypes.filter((type) => subscribes(each, type)).map((type) => keyOf(each.workspaceId, type)))); // prettier-ignore
  const workspaces = new Set(endpoints.map(({ workspaceId }) => workspaceId));
  const events = unchecked
    .filter((batch) => workspacesOf(batch).some((id) => workspaces.has(id)))
    .flatMap((batch) => clickEvents(deps.check(batch), (...key) => wanted.has(keyOf(...key))));
  for (const endpoint of endpoints) {
    const own = events.filter(({ workspaceId, type }) => workspaceId === endpoint.workspaceId && subscribes(endpoint, type)); // prettier-ignore
    await addSome(deps, endpoint._id, own);
  }
}

const keyOf = (workspaceId: string, type: ClickType): string => `${workspaceId} ${type}`;

async function addSome(deps: ClickDeps, endpointId: string, events: WebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  const taken = await deps.clickSubscriptions.take(endpointId, events.length);
  if (taken < events.length) deps.leftOut(events.length - taken);
  await addDeliveries(deps, events.slice(0, taken).map((event) => ({ event, endpointIds: [endpointId] }))); // prettier-ignore
}
