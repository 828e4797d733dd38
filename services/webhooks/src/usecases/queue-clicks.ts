import type { ClickBatch } from '@tautan/proto';
import type { ClickSubscriptions } from '../click-subscriptions.js';
import { clickEvents, workspacesOf } from '../domain/click-events.js';
import { subscribes } from '../domain/endpoint.js';
import type { WebhookEvent } from '../domain/event-types.js';
import { addDeliveries } from './add-deliveries.js';
import type { Deps } from './deps.js';

interface ClickDeps extends Pick<Deps, 'store' | 'wake' | 'now'> {
  clickSubscriptions: ClickSubscriptions;
  /** Checks a batch; asked for it only where somebody subscribes. */
  check: (batch: unknown) => ClickBatch;
  /** Counts clicks that an endpoint with too many undelivered ones will not receive. */
  leftOut: (count: number) => void;
}

/** Queues the clicks of a batch for the endpoints that subscribe to them. What nobody subscribes to costs next to nothing. */
export async function queueClicks(deps: ClickDeps, unchecked: ClickBatch): Promise<void> {
  const endpoints = await deps.clickSubscriptions.of(workspacesOf(unchecked));
  if (endpoints.length === 0) return;
  const batch = deps.check(unchecked);
  const events = clickEvents(batch, (workspaceId, type) =>
    endpoints.some((each) => each.workspaceId === workspaceId && subscribes(each, type)),
  );
  for (const endpoint of endpoints) {
    const own = events.filter(({ workspaceId, type }) => workspaceId === endpoint.workspaceId && subscribes(endpoint, type)); // prettier-ignore
    await addSome(deps, endpoint._id, own);
  }
}

async function addSome(deps: ClickDeps, endpointId: string, events: WebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  const taken = await deps.clickSubscriptions.take(endpointId, events.length);
  if (taken < events.length) deps.leftOut(events.length - taken);
  await addDeliveries(deps, events.slice(0, taken).map((event) => ({ event, endpointIds: [endpointId] }))); // prettier-ignore
}
