import { expect, test } from '@jest/globals';
import { dropTag } from './drop-tag.js';

/** Returns a store in which this many links and QR codes have the tag. */
function storeWith(links: number, codes: number) {
  const left = { links, codes };
  const finished: string[] = [];
  const drop = (kind: 'links' | 'codes') => async (_workspaceId: string, _tagId: string, limit: number) => {
    const count = Math.min(left[kind], limit);
    left[kind] -= count;
    return count;
  };
  const store = {
    links: { dropTag: drop('links') },
    qrCodeData: { dropTag: drop('codes') },
    tagRemovals: { finish: async (id: string) => void finished.push(id) },
  };
  return { deps: { store } as never, left, finished };
}

test.each([
  { links: 0, codes: 0, limit: 1, left: { links: 0, codes: 0 }, done: true },
  { links: 700, codes: 600, limit: undefined, left: { links: 0, codes: 0 }, done: true },
  { links: 1_200, codes: 10, limit: 1_000, left: { links: 200, codes: 10 }, done: false },
  { links: 10, codes: 700, limit: 510, left: { links: 0, codes: 200 }, done: false },
])(
  'a tag of $links links and $codes QR codes is removed from them until the limit is reached (limit: $limit)',
  async ({ links, codes, limit, left, done }) => {
    const tagged = storeWith(links, codes);
    expect(await dropTag(tagged.deps, { _id: 'tag_1', workspaceId: 'ws_1' }, limit)).toBe(done);
    expect(tagged.left).toEqual(left);
    expect(tagged.finished).toEqual(done ? ['tag_1'] : []);
  },
);
