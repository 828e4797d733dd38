import { expect, test } from '@jest/globals';
import type { TautanEvent } from '@tautan/proto';
import type { Delivery } from '../domain/delivery.js';
import type { Subscription } from '../store/endpoints.js';
import type { Deps } from '../usecase-deps.js';
import { queueEvents } from './queue-events.js';

let events = 0;
const anEvent = (workspaceId: string, type: string, targetId = 'tag_1') =>
  ({ id: `evt_${(events += 1)}`, at: '', type, workspaceId, target: { id: targetId }, data: {} }) as TautanEvent;

/**
 * Queues events for endpoints. Returns the queued deliveries as `<endpoint> <event>`, and the workspace ids of each
 * query for subscriptions.
 */
async function queue(endpoints: Subscription[], given: TautanEvent[]) {
  const inserted: Delivery[] = [];
  const reads: string[][] = [];
  const store = {
    endpoints: {
      subscriptions: async (workspaceIds: string[]) => {
        reads.push(workspaceIds);
        return endpoints.filter(({ workspaceId }) => workspaceIds.includes(workspaceId));
      },
    },
    deliveries: { insertNew: async (created: Delivery[]) => void inserted.push(...created) },
    queues: { markDue: async (ids: string[]) => ids.length },
  };
  const deps = { store, wake: () => undefined, now: () => new Date() } as unknown as Deps;
  await queueEvents(deps, given);
  return { queued: inserted.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`), reads };
}

test('events of several workspaces are each queued only for the endpoints of their workspace', async () => {
  const endpoints = ['ws_1', 'ws_2'].map((workspaceId) => ({ _id: `whe_${workspaceId}`, workspaceId, events: ['*'] }));
  const given = ['ws_1', 'ws_2', 'ws_1'].map((workspaceId) => anEvent(workspaceId, 'tag.created'));
  const { queued, reads } = await queue(endpoints, given);
  expect(queued).toEqual([`whe_ws_1 ${given[0]!.id}`, `whe_ws_2 ${given[1]!.id}`, `whe_ws_1 ${given[2]!.id}`]);
  expect(reads).toEqual([['ws_1', 'ws_2']]);
});

test('a test event is queued only for its endpoint, regardless of subscriptions', async () => {
  const endpoints = ['whe_1', 'whe_2'].map((_id) => ({ _id, workspaceId: 'ws_1', events: ['tag.created'] }));
  const [own, foreign] = [anEvent('ws_1', 'webhook.test', 'whe_2'), anEvent('ws_2', 'webhook.test', 'whe_1')];
  expect((await queue(endpoints, [own, foreign])).queued).toEqual([`whe_2 ${own.id}`]);
});

test('events that no endpoint can receive cause no query', async () => {
  const endpoints = [{ _id: 'whe_1', workspaceId: 'ws_1', events: ['*'] }];
  expect(await queue(endpoints, [anEvent('ws_1', 'workspace.updated')])).toEqual({ queued: [], reads: [] });
});
