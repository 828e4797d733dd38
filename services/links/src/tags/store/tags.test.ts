import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { startService, type TestService } from '../../testing/service.js';
import { newTag } from '../steps/use-tags.js';
import { TagRemovalStore } from './tag-removals.js';
import { TagStore } from './tags.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

test('every write of tags takes effect with its transaction, and only in its workspace', async () => {
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
    await tags.rename({ ...renamed, name: 'other', nameKey: 'other' }, session);
    await tags.remove(workspaceId, removed._id, session);
    await tags.remove(workspaceId, foreign._id, session);
    await removals.begin({ _id: removed._id, workspaceId, at: now }, session);
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
});
