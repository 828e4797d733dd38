import type { ClickBatch } from '@tautan/proto';
import type { ClickSubscriptions } from '../click-subscriptions.js';
import { clickEvents, workspacesOf } from '../domain/click-events.js';
import { subscribes } from '../domain/endpoint.js';
import { clickTypes, type ClickType, type WebhookEvent } from '../domain/event-types.js';
import { addDeliveries } from '../steps/add-deliveries.js';
import type { Deps } from '../usecase-deps.js';

interface ClickDeps extends Pick<Deps, 'store' | 'wake' | 'now'> {
  clickSubscriptions: ClickSubscriptions;
  /** Validates a batch; called only if there are subscribers. */
  check: (batch: unknown) => ClickBatch;
  /** Counts events that were not queued for an endpoint, because it has too many pending deliveries. */
  countSkipped: (count: number) => void;
}

/** Queues click events for the endpoints that subscribe to them. Batches without subscribers are not validated. */
export async function queueClicks(deps: ClickDeps, unchecked: readonly ClickBatch[]): Promise<void> {
  const endpoints = await deps.clickSubscriptions.of([...new Set(unchecked.flatMap(workspacesOf))]);
  if (endpoints.length === 0) return;
  const wanted = new Set(
    endpoints.flatMap((each) =>
      clickTypes.filter((type) => subscribes(each, type)).map((type) => keyOf(each.workspaceId, type)),
    ),
  );
  const workspaces = new Set(endpoints.map(({ workspaceId }) => workspaceId));
  const events = unchecked
    .filter((batch) => workspacesOf(batch).some((id) => workspaces.has(id)))
    .flatMap((batch) => clickEvents(deps.check(batch), (...key) => wanted.has(keyOf(...key))));
  let skipped = 0;
  for (const endpoint of endpoints) {
    const own = events.filter(
      ({ workspaceId, type }) => workspaceId === endpoint.workspaceId && subscribes(endpoint, type),
    );
    skipped += own.length - (await addWithinBacklog(deps, endpoint._id, own));
  }
  // Count last, because a batch that fails is processed again.
  deps.countSkipped(skipped);
}

const keyOf = (workspaceId: string, type: ClickType): string => `${workspaceId} ${type}`;

/** Queues the first events, as many as the endpoint's backlog has room for, and returns their number. */
async function addWithinBacklog(deps: ClickDeps, endpointId: string, events: WebhookEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  return deps.clickSubscriptions.reserve(endpointId, events.length, (count) =>
    addDeliveries(
      deps,
      events.slice(0, count).map((event) => ({ event, endpointIds: [endpointId] })),
    ),
  );
}
