import { expect, test } from '@jest/globals';
import { aPrincipal } from '../../testing/service.js';
import { newTag } from '../steps/use-tags.js';
import { deleteTag } from './delete-tag.js';

test('a tag is deleted even if removing it from links fails; the failure is logged', async () => {
  const by = aPrincipal();
  const tag = newTag(by.workspaceId, 'a', 0, new Date());
  const done: string[] = [];
  const logged: unknown[] = [];
  const store = {
    tags: {
      byId: async () => tag,
      remove: async (_workspaceId: string, id: string) => void done.push(`removed ${id}`),
    },
    tagRemovals: { begin: async ({ _id }: { _id: string }) => void done.push(`began ${_id}`) },
    links: { dropTag: () => Promise.reject(new Error('disconnected')) },
  };
  const tx = { emit: ({ type }: { type: string }) => void done.push(type) };
  const deps = {
    store,
    transact: (_by: unknown, work: (given: unknown) => unknown) => work(tx),
    now: () => new Date(),
    log: { warn: ({ err, tagId }: { err: Error; tagId: string }) => void logged.push([err.message, tagId]) },
  };
  expect(await deleteTag(deps as never, by, { id: tag._id })).toEqual({ id: tag._id });
  expect(done).toEqual([`removed ${tag._id}`, `began ${tag._id}`, 'tag.deleted']);
  expect(logged).toEqual([['disconnected', tag._id]]);
});
