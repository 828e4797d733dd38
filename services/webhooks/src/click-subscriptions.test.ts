import { expect, test } from '@jest/globals';
import { ClickSubscriptions } from './click-subscriptions.js';
import type { Store } from './store/index.js';
import type { Subscription } from './store/endpoints.js';

const MAX_PENDING = 10;

test('does not cache a lookup that started before the workspace was invalidated', async () => {
  const workspaceId = 'ws_1';
  const endpoint: Subscription = { _id: 'whe_1', workspaceId, events: ['link.clicked'] };
  const stored: Subscription[] = [];
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const subscriptions = async (): Promise<Subscription[]> => {
    const found = [...stored];
    await finished;
    return found;
  };
  const cache = new ClickSubscriptions({ endpoints: { subscriptions } } as unknown as Store, MAX_PENDING);
  const before = cache.of([workspaceId]);
  stored.push(endpoint);
  cache.invalidate(workspaceId);
  finish();
  expect(await before).toEqual([]);
  expect(await cache.of([workspaceId])).toEqual([endpoint]);
});

test('returns the endpoints of a cached workspace even if its entry is removed while another workspace is looked up', async () => {
  const endpointOf = (workspaceId: string): Subscription => ({ _id: `whe_${workspaceId}`, workspaceId, events: ['*'] });
  let onLookup = (): void => undefined;
  const subscriptions = async (ids: string[]): Promise<Subscription[]> => {
    onLookup();
    return ids.map(endpointOf);
  };
  const cache = new ClickSubscriptions({ endpoints: { subscriptions } } as unknown as Store, MAX_PENDING);
  await cache.of(['ws_1']);
  onLookup = () => cache.invalidate('ws_1');
  expect(await cache.of(['ws_1', 'ws_2'])).toEqual([endpointOf('ws_1'), endpointOf('ws_2')]);
});

test('releases the reserved room of an endpoint if the deliveries could not be added', async () => {
  const pendingCount = async (): Promise<number> => MAX_PENDING - 4;
  const cache = new ClickSubscriptions({ deliveries: { pendingCount } } as unknown as Store, MAX_PENDING);
  const unavailable = new Error('The database is unavailable.');
  await expect(cache.reserve('whe_1', 3, () => Promise.reject(unavailable))).rejects.toBe(unavailable);
  const added: number[] = [];
  const add = async (count: number): Promise<void> => void added.push(count);
  expect(await cache.reserve('whe_1', 3, add)).toBe(3);
  expect(await cache.reserve('whe_1', 3, add)).toBe(1);
  expect(added).toEqual([3, 1]);
});
