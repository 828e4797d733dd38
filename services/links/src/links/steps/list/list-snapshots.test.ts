import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { driverCollection } from '@tautan/kit/mongo';
import mongoose from 'mongoose';
import { newLink } from '../../domain/new-link.js';
import { ListStore } from '../../store/lists.js';
import { snapshotBounds, ListSnapshotStore, type SnapshotBounds } from '../../store/list-snapshots.js';
import { aDraft } from '../../../testing/links.js';
import { startService, type Caller, type TestService } from '../../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

type Request = Parameters<Caller['links']>[1];

const draft = aDraft('https://example.com/');

/** Creates a workspace with links whose click counts increase in the order of creation. */
async function aWorkspace(size: number): Promise<Caller> {
  const caller = service.as();
  const { workspaceId } = caller;
  const createdAt = new Date('2024-01-01');
  const links = Array.from({ length: size }, (_, i) => {
    const id = newId('lnk');
    const metadata = {
      id,
      workspaceId,
      slug: id,
      createdBy: { type: 'user', id: 'usr_1' },
      createdAt,
      countedIn: '2024-01',
    } as const;
    return { ...newLink(draft, metadata), clickCount: i };
  });
  await driverCollection(service.models.links).insertMany(links);
  return caller;
}

/** Returns the size of all stored snapshots in bytes. */
async function storedBytes(): Promise<number> {
  const records = [service.models.listSnapshots, service.models.listSnapshotChunks].map((model) =>
    model.collection.find({}).toArray(),
  );
  const sizes = (await Promise.all(records)).flat().map((record) => mongoose.mongo.BSON.calculateObjectSize(record));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const byClicks = { sort: 'clickCount', limit: 10 };
/** Reads the first page and then the second page of the list. Returns the second page. */
async function secondPage({ links }: Caller, request: Request = {}) {
  const { nextCursor } = await links('ListLinks', { ...byClicks, ...request });
  return links('ListLinks', { ...byClicks, ...request, cursor: nextCursor! });
}
/** Reads all pages. Returns the ids in order. */
async function readAll({ links }: Caller, request: Request = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await links('ListLinks', {
      ...byClicks,
      limit: 200,
      ...request,
      ...(cursor !== undefined && { cursor }),
    });
    ids.push(...page.links.map(({ id }) => id));
    if (page.nextCursor === undefined) return ids;
    cursor = page.nextCursor;
  }
}
/** Returns the number of a workspace's snapshots. */
const countSnapshots = ({ workspaceId }: Caller) => service.models.listSnapshots.countDocuments({ workspaceId });

describe('a snapshot of a list sorted by clicks', () => {
  test('is written once for 35 reads of the second page', async () => {
    const caller = await aWorkspace(500);
    const before = await storedBytes();
    const { nextCursor } = await caller.links('ListLinks', byClicks);
    const pages = [];
    for (let i = 0; i < 17; i += 1) pages.push(await secondPage(caller));
    pages.push(
      ...(await Promise.all(
        Array.from({ length: 18 }, () => caller.links('ListLinks', { ...byClicks, cursor: nextCursor! })),
      )),
    );
    expect(new Set(pages.map(({ links }) => links.map(({ id }) => id).join())).size).toBe(1);
    // One snapshot of 500 ids takes about 8,000 bytes.
    expect((await storedBytes()) - before).toBeLessThan(10_000);
  });

  test('is shared by all queries with the same first tag (by id), whatever their other tags and search terms', async () => {
    const tags = ['a', 'b', 'c', 'd', 'e'];
    const caller = service.as();
    const links = Array.from({ length: 60 }, () => ({ link: { url: 'https://example.com', title: 'found', tags } }));
    await caller.links('ImportLinks', { links });
    for (const request of [
      { tags: ['a'] },
      { tags: ['b', 'a'] },
      { tags: ['a', 'e', 'c'] },
      { tags: ['a', 'b'], q: 'found' },
    ]) {
      expect((await secondPage(caller, request)).links).toHaveLength(10);
    }
    expect(await countSnapshots(caller)).toBe(1);
  });

  test('reflects created, tagged, archived, activated and deleted links the next time the list is read', async () => {
    const caller = service.as();
    await caller.links('ImportLinks', {
      links: Array.from({ length: 15 }, () => ({ link: { url: 'https://example.com' } })),
    });
    const [first] = await readAll(caller, { limit: 5 });
    const created = await caller.aLink({ tags: ['late'] });
    expect((await readAll(caller, { limit: 5 })).sort()).toEqual((await readAll(caller, { sort: 'createdAt' })).sort());
    expect(await readAll(caller, { limit: 5 })).toContain(created.id);

    const { links } = await caller.links('ListLinks', { limit: 12 });
    for (const { id } of links.slice(0, 6)) await caller.links('UpdateLink', { id, tags: { names: ['late'] } });
    expect(await readAll(caller, { limit: 2, tags: ['late'] })).toHaveLength(
      new Set([created.id, ...links.slice(0, 6).map(({ id }) => id)]).size,
    );
    await caller.links('UpdateLink', { id: links[8]!.id, tags: { names: ['late'] } });
    expect(await readAll(caller, { limit: 2, tags: ['late'] })).toContain(links[8]!.id);

    await caller.links('UpdateLink', { id: first!, status: 'archived' });
    expect(await readAll(caller, { limit: 5, status: 'active' })).not.toContain(first);
    await caller.links('UpdateLink', { id: first!, status: 'active' });
    expect(await readAll(caller, { limit: 5, status: 'active' })).toContain(first);
    await caller.links('DeleteLink', { id: first! });
    expect(await readAll(caller, { limit: 5 })).not.toContain(first);
  });

  test('reflects clicks within a minute; the first page of the list reflects them immediately', async () => {
    const caller = await aWorkspace(30);
    const last = (await readAll(caller, { limit: 10 })).at(-1)!;
    await service.models.links.updateOne({ _id: last }, { $set: { clickCount: 15 } });
    expect((await readAll(caller, { limit: 10 })).indexOf(last)).toBe(29);
    await service.models.links.updateOne({ _id: last }, { $set: { clickCount: 1_000 } });
    expect((await readAll(caller, { limit: 10 })).indexOf(last)).toBe(0);
    await service.models.links.updateOne({ _id: last }, { $set: { clickCount: 15 } });
    const { workspaceId } = caller;
    await service.models.listSnapshots.updateMany({ workspaceId }, { $set: { at: new Date(Date.now() - 61_000) } });
    expect((await readAll(caller, { limit: 10 })).indexOf(last)).toBe(15);
  });

  test('is deleted before newer ones when the snapshots of the workspace exceed the bounds', async () => {
    const { workspaceId } = await aWorkspace(25);
    const { links, listSnapshots, listSnapshotChunks } = service.models;
    const lists = new ListStore(links, links.db);
    const store = (bounds: Partial<SnapshotBounds>) =>
      new ListSnapshotStore(listSnapshots, listSnapshotChunks, lists, {
        ...snapshotBounds,
        chunkIds: 10,
        reuseMs: 0,
        ...bounds,
      });
    const write = (bounds: Partial<SnapshotBounds>) =>
      store(bounds).current(
        { workspaceId, tagIds: [], terms: [] },
        { key: 'clickCount', direction: 1 },
        Date.now() + 10_000,
      );
    const storedIds = async () =>
      (await listSnapshots.find({ workspaceId }).sort({ _id: 1 }).lean()).map(({ _id }) => _id);
    const chunks = () => listSnapshotChunks.countDocuments({ _id: { $regex: `^${workspaceId}/` } });
    const written = [];
    for (let i = 0; i < 5; i += 1) written.push((await write({ maxSnapshots: 3 }))._id);
    expect(await storedIds()).toEqual(written.slice(2));
    expect(await chunks()).toBe(9);
    written.push((await write({ maxIds: 50 }))._id);
    expect(await storedIds()).toEqual(written.slice(4));
    // A single snapshot may exceed the bound.
    written.push((await write({ maxIds: 20 }))._id);
    expect(await storedIds()).toEqual(written.slice(6));
    expect(await chunks()).toBe(3);
    expect(await store({}).read(workspaceId, written[6]!, 20, 10)).toHaveLength(5);
    expect(await store({}).read(workspaceId, written[5]!, 20, 10)).toEqual([]);
    expect(await store({}).read(newId('ws'), written[6]!, 20, 10)).toEqual([]);
  });
});
