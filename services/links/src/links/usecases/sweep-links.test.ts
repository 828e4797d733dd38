import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import type { ApiDeps } from '../../usecase-deps.js';
import { sweepLinks } from './sweep-links.js';

const now = new Date('2030-01-01T00:00:00.000Z');

/**
 * Sweeps `count` links that are past their expiry date, and the deleted tags `tags`. Transactions with the link
 * `broken` fail, as does the removal of the tag `broken`. Returns what the sweep has done. `left`: the links that are
 * still active.
 */
async function sweep(count: number, { broken = '', tags = [] as string[] } = {}) {
  const active = new Set(Array.from({ length: count }, (_, n) => `/${n}`));
  const done = { reads: [] as number[], invalidated: 0, removedTags: [] as string[], warnings: [] as unknown[] };
  const routes = {
    due: async (via: string, at: Date, limit: number) => {
      expect([via, at]).toEqual(['link', now]);
      if (done.reads.push(limit) > 20) throw new Error('the sweep does not end');
      return [...active].slice(0, limit).map((_id) => ({ _id }));
    },
    byKeys: async (keys: string[]) => {
      if (keys.includes(broken)) throw new Error('broken');
      const route = { via: 'link', status: 'active', workspaceId: 'ws_1', expiresAt: new Date(0), remaining: null };
      return keys.map((_id) => ({ _id, linkId: _id, ...route }));
    },
    expire: async (keys: string[]) => keys.forEach((key) => active.delete(key)),
  };
  const dropTag = async (_workspaceId: string, id: string) => {
    if (id === broken) throw new Error('broken');
    return 0;
  };
  const tagRemovals = {
    pending: async (limit: number) => tags.slice(0, limit).map((_id) => ({ _id, workspaceId: 'ws_1' })),
    finish: async (id: string) => void done.removedTags.push(id),
  };
  const links = { anyByIds: async () => [], expire: async () => undefined, dropTag };
  const deps = {
    store: { routes, links, tagRemovals, qrCodeData: { dropTag }, tags: { namesOf: async () => new Map() } },
    transact: (_by: unknown, work: (tx: object) => unknown) => work({}),
    invalidate: (keys: string[]) => void (done.invalidated += keys.length),
    now: () => now,
    log: {
      ...createLog('test', 'silent'),
      warn: ({ key, tagId }: { key?: string; tagId?: string }) => void done.warnings.push(key ?? tagId),
    },
  };
  await sweepLinks(deps as unknown as ApiDeps);
  return { ...done, left: [...active] };
}

test('all links that have reached a limit expire', async () => {
  const nothingElse = { removedTags: [], warnings: [], left: [] };
  expect(await sweep(250)).toEqual({ ...nothingElse, reads: [100, 100, 100, 100], invalidated: 250 });
  expect(await sweep(0)).toEqual({ ...nothingElse, reads: [100], invalidated: 0 });
});

test('a link that cannot be expired is logged and does not prevent others from expiring', async () => {
  const { left, invalidated, warnings } = await sweep(150, { broken: '/7' });
  expect([left, invalidated]).toEqual([['/7'], 149]);
  expect(new Set(warnings)).toEqual(new Set(['/7']));
});

test('a tag that cannot be removed is logged and does not prevent others from being removed', async () => {
  const { removedTags, warnings } = await sweep(0, { broken: 'tag_1', tags: ['tag_1', 'tag_2'] });
  expect([removedTags, warnings]).toEqual([['tag_2'], ['tag_1']]);
});

test('a sweep removes at most ten deleted tags', async () => {
  const tags = Array.from({ length: 11 }, (_, i) => `tag_${i}`);
  expect((await sweep(0, { tags })).removedTags).toEqual(tags.slice(0, 10));
});
