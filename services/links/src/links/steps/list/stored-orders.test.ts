import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import mongoose from 'mongoose';
import { newLink } from '../../domain/new-link.js';
import { ListStore } from '../../store/lists.js';
import { orderBounds, OrderStore, type OrderBounds } from '../../store/orders.js';
import { aDraft } from '../../../testing/links.js';
import { startService, type Caller, type TestService } from '../../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

type Request = Parameters<Caller['links']>[1];

const draft = aDraft('https://example.com/');

/** A workspace with links that are clicked the more often the later they were created. */
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
  await service.models.links.collection.insertMany(links as never[]);
  return caller;
}

/** The bytes of all orders that are stored. */
async function storedBytes(): Promise<number> {
  const records = [service.models.orders, service.models.orderChunks].map((model) =>
    model.collection.find({}).toArray(),
  );
  const sizes = (await Promise.all(records)).flat().map((record) => mongoose.mongo.BSON.calculateObjectSize(record));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const byClicks = { sort: 'clickCount', limit: 10 };
/** The second page of a new walk. */
async function secondPage({ links }: Caller, request: Request = {}) {
  const { nextCursor } = await links('ListLinks', { ...byClicks, ...request });
  return links('ListLinks', { ...byClicks, ...request, cursor: nextCursor! });
}
/** The ids of a whole walk. */
async function walk({ links }: Caller, request: Request = {}): Promise<string[]> {
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
/** The number of a workspace's stored orders. */
const orders = ({ workspaceId }: Caller) => service.models.orders.countDocuments({ workspaceId });

describe('the order of a list by clicks', () => {
  test('is written once for 35 reads', async () => {
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
    expect((await storedBytes()) - before).toBeLessThan(10_000);
  });

  test('is shared by queries with several tags, and by searches', async () => {
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
    expect(await orders(caller)).toBe(1);
  });

  test('shows in a new walk what was created, tagged or activated before it, and not what was deleted', async () => {
    const caller = service.as();
    await caller.links('ImportLinks', {
      links: Array.from({ length: 15 }, () => ({ link: { url: 'https://example.com' } })),
    });
    const [first] = await walk(caller, { limit: 5 });
    const created = await caller.aLink({ tags: ['late'] });
    expect((await walk(caller, { limit: 5 })).sort()).toEqual((await walk(caller, { sort: 'createdAt' })).sort());
    expect(await walk(caller, { limit: 5 })).toContain(created.id);

    const { links } = await caller.links('ListLinks', { limit: 12 });
    for (const { id } of links.slice(0, 6)) await caller.links('UpdateLink', { id, tags: { names: ['late'] } });
    expect(await walk(caller, { limit: 2, tags: ['late'] })).toHaveLength(
      new Set([created.id, ...links.slice(0, 6).map(({ id }) => id)]).size,
    );
    await caller.links('UpdateLink', { id: links[8]!.id, tags: { names: ['late'] } });
    expect(await walk(caller, { limit: 2, tags: ['late'] })).toContain(links[8]!.id);

    await caller.links('UpdateLink', { id: first!, status: 'archived' });
    expect(await walk(caller, { limit: 5, status: 'active' })).not.toContain(first);
    await caller.links('UpdateLink', { id: first!, status: 'active' });
    expect(await walk(caller, { limit: 5, status: 'active' })).toContain(first);
    await caller.links('DeleteLink', { id: first! });
    expect(await walk(caller, { limit: 5 })).not.toContain(first);
  });

  test('follows clicks within a minute, and its first page at once', async () => {
    const caller = await aWorkspace(30);
    const last = (await walk(caller, { limit: 10 })).at(-1)!;
    await service.models.links.updateOne({ _id: last }, { $set: { clickCount: 15 } });
    expect((await walk(caller, { limit: 10 })).indexOf(last)).toBe(29);
    await service.models.links.updateOne({ _id: last }, { $set: { clickCount: 1_000 } });
    expect((await walk(caller, { limit: 10 })).indexOf(last)).toBe(0);
    await service.models.links.updateOne({ _id: last }, { $set: { clickCount: 15 } });
    const { workspaceId } = caller;
    await service.models.orders.updateMany({ workspaceId }, { $set: { at: new Date(Date.now() - 61_000) } });
    expect((await walk(caller, { limit: 10 })).indexOf(last)).toBe(15);
  });

  test('takes no more room in a workspace than the bounds allow: the oldest order is deleted first', async () => {
    const { workspaceId } = await aWorkspace(25);
    const { links, orders, orderChunks } = service.models;
    const lists = new ListStore(links, links.db);
    const store = (bounds: Partial<OrderBounds>) =>
      new OrderStore(orders, orderChunks, lists, { ...orderBounds, chunkIds: 10, reuseMs: 0, ...bounds });
    const write = (bounds: Partial<OrderBounds>) =>
      store(bounds).current(
        { workspaceId, tagIds: [], terms: [] },
        { key: 'clickCount', direction: 1 },
        Date.now() + 10_000,
      );
    const kept = async () => (await orders.find({ workspaceId }).sort({ _id: 1 }).lean()).map(({ _id }) => _id);
    const chunks = () => orderChunks.countDocuments({ _id: { $regex: `^${workspaceId}/` } });
    const written = [];
    for (let i = 0; i < 5; i += 1) written.push((await write({ maxOrders: 3 }))._id);
    expect(await kept()).toEqual(written.slice(2));
    expect(await chunks()).toBe(9);
    written.push((await write({ maxIds: 50 }))._id);
    expect(await kept()).toEqual(written.slice(4));
    // One order may be larger than the bound.
    written.push((await write({ maxIds: 20 }))._id);
    expect(await kept()).toEqual(written.slice(6));
    expect(await chunks()).toBe(3);
    expect(await store({}).read(workspaceId, written[6]!, 20, 10)).toHaveLength(5);
    expect(await store({}).read(workspaceId, written[5]!, 20, 10)).toEqual([]);
    expect(await store({}).read(newId('ws'), written[6]!, 20, 10)).toEqual([]);
  });
});
