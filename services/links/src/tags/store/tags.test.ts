import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { startService, type TestService } from '../../testing/service.js';
import { newTag } from '../steps/use-tags.js';
import { TagRemovalStore } from './tag-removals.js';
import { TagStore } from './tags.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

test('tags are written and read in their transaction, and only in their workspace', async () => {
  const { models } = service;
  const [tags, removals] = [new TagStore(models.tags), new TagRemovalStore(models.tagRemovals)];
  const workspaceId = newId('ws');
  const now = new Date();
  const tag = (name: string, linkCount: number, workspace = workspaceId) => newTag(workspace, name, linkCount, now);
  const [kept, renamed, removed] = [tag('kept', 1), tag('renamed', 1), tag('removed', 1)];
  const foreign = tag('foreign', 1, newId('ws'));
  await models.tags.insertMany([kept, renamed, removed, foreign]);
  const namesAndCounts = async () =>
    (await tags.list(workspaceId)).map(({ name, linkCount, qrCodeCount }) => [name, linkCount, qrCodeCount]);
  const before = await namesAndCounts();

  for (const commits of [false, true]) {
    const session = await models.tags.db.startSession();
    session.startTransaction();
    const added = { [kept._id]: 2, [renamed._id]: 0, [foreign._id]: 5 };
    await tags.addToCounts(workspaceId, new Map(Object.entries(added)), session);
    await tags.addToCounts(workspaceId, new Map([[kept._id, 4]]), session, 'qrCodeCount');
    await tags.addToCounts(workspaceId, new Map(), session);
    await tags.insert([tag('new', 0)], session);
    expect(await tags.count(workspaceId, session)).toBe(4);
    await tags.rename({ ...renamed, name: 'other', nameKey: 'other' }, session);
    await tags.rename({ ...foreign, workspaceId, name: 'taken over', nameKey: 'taken over' }, session);
    await tags.remove(workspaceId, removed._id, session);
    await tags.remove(workspaceId, foreign._id, session);
    await removals.begin({ _id: removed._id, workspaceId, at: now }, session);
    expect(await tags.byId(workspaceId, removed._id, session)).toBeNull();
    expect(await tags.byKeys(workspaceId, ['new', 'removed', 'foreign'], session)).toMatchObject([{ name: 'new' }]);
    const tagged = [{ tags: [renamed._id, removed._id] }, { tags: [renamed._id, foreign._id] }];
    expect(await tags.namesOf(workspaceId, tagged, session)).toEqual(new Map([[renamed._id, 'other']]));
    if (commits) await session.commitTransaction();
    else await session.abortTransaction();
    await session.endSession();

    const after = [
      ['kept', 3, 4],
      ['new', 0, 0],
      ['other', 1, 0],
    ];
    expect(await namesAndCounts()).toEqual(commits ? after : before);
    expect(await removals.pending(10)).toMatchObject(commits ? [{ _id: removed._id, workspaceId, at: now }] : []);
  }
  expect(await tags.byId(foreign.workspaceId, foreign._id)).toMatchObject({ name: 'foreign', linkCount: 1 });
  await models.tagRemovals.create({ _id: kept._id, workspaceId, at: now });
  expect(await removals.pending(1)).toMatchObject([{ _id: [kept._id, removed._id].sort()[0] }]);
});
