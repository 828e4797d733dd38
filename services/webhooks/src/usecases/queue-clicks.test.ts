import { expect, test } from '@jest/globals';
import type { ClickBatch } from '@tautan/proto';
import type { Delivery } from '../domain/delivery.js';
import type { Subscription } from '../store/endpoints.js';
import { queueClicks } from './queue-clicks.js';

let batches = 0;

/** Returns a batch with one scan of a link's QR code in each of the workspaces. */
function aBatch(...workspaceIds: string[]): ClickBatch {
  const texts = ['lnk_1', 'qr_1', '', ...workspaceIds];
  const clicks = workspaceIds.map((_id, i): ClickBatch['clicks'][number] => [
    ...([i, 0, 1, i + 3, 'h'] as const),
    ...([2, 2, 2, 2, 2, 'q'] as const),
  ]);
  return { v: 1, id: `batch-${(batches += 1)}`, base: 0, texts, clicks };
}

const anEndpoint = (workspaceId: string, ...events: string[]): Subscription => ({
  _id: `whe_${workspaceId}_${events.join('_')}`,
  workspaceId,
  events,
});

/**
 * Queues batches for endpoints, each of which has room for `room` deliveries. Returns the queued deliveries (keyed by
 * endpoint id), the validated batches, the number of skipped events, and the error, if any.
 */
async function queue(endpoints: Subscription[], given: ClickBatch[], { room = 100, fails = false } = {}) {
  const queued: Record<string, string[]> = {};
  const checked: unknown[] = [];
  let skipped: number | undefined;
  const insertNew = async (created: Delivery[]) => {
    if (fails) throw new Error('the database is unavailable');
    for (const { endpointId, workspaceId, type } of created) (queued[endpointId] ??= []).push(`${workspaceId} ${type}`);
  };
  const outcome = queueClicks(
    {
      store: { deliveries: { insertNew }, queues: { markDue: async (ids: string[]) => ids.length } },
      clickSubscriptions: {
        of: async (ids: string[]) => endpoints.filter(({ workspaceId }) => ids.includes(workspaceId)),
        reserve: async (_id: string, wanted: number, add: (count: number) => Promise<void>) => {
          const count = Math.min(wanted, room);
          await add(count);
          return count;
        },
      },
      check: (batch: unknown) => (checked.push(batch), batch),
      countSkipped: (count: number) => (skipped = count),
      wake: () => undefined,
      now: () => new Date(),
    } as unknown as Parameters<typeof queueClicks>[0],
    given,
  );
  const error: unknown = await outcome.catch((reason: unknown) => reason);
  return { queued, checked, skipped, error };
}

test('clicks of several workspaces are each queued only for the endpoints of their workspace', async () => {
  const endpoints = [
    anEndpoint('ws_1', '*'),
    anEndpoint('ws_1', 'link.clicked'),
    anEndpoint('ws_2', 'qr_code.scanned'),
  ];
  const given = [aBatch('ws_1', 'ws_2', 'ws_3'), aBatch('ws_2')];
  expect(await queue(endpoints, given)).toEqual({
    queued: {
      'whe_ws_1_*': ['ws_1 link.clicked', 'ws_1 qr_code.scanned'],
      'whe_ws_1_link.clicked': ['ws_1 link.clicked'],
      'whe_ws_2_qr_code.scanned': ['ws_2 qr_code.scanned', 'ws_2 qr_code.scanned'],
    },
    checked: given,
    skipped: 0,
    error: undefined,
  });
});

test('only batches with subscribers are validated', async () => {
  const [other, own] = [aBatch('ws_2', 'ws_3'), aBatch('ws_3', 'ws_1')];
  expect((await queue([anEndpoint('ws_1', '*')], [other, own])).checked).toEqual([own]);
  expect(await queue([anEndpoint('ws_9', '*')], [other, own])).toMatchObject({ queued: {}, checked: [] });
});

test('events that exceed the maximum backlog of an endpoint are skipped and counted', async () => {
  const endpoints = [anEndpoint('ws_1', '*'), anEndpoint('ws_2', '*')];
  const { queued, skipped } = await queue(endpoints, [aBatch('ws_1', 'ws_1', 'ws_2')], { room: 3 });
  expect(Object.values(queued).map((types) => types.length)).toEqual([3, 2]);
  expect(skipped).toBe(1);
});

test('events that could not be queued are not counted as skipped, because they are processed again', async () => {
  const failed = await queue([anEndpoint('ws_1', '*')], [aBatch('ws_1')], { room: 1, fails: true });
  expect(failed).toMatchObject({ error: expect.any(Error), skipped: undefined });
});
