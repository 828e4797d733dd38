import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { startService, type Caller, type TestService } from '../../testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

type Request = Parameters<Caller['links']>[1] & { limit?: number };

/** Returns the slugs of every page. */
async function walk({ links }: Caller, request: Request): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const page = await links('ListLinks', { limit: 50, ...request, ...(cursor !== undefined && { cursor }) });
    pages.push(page.links.map(({ slug }) => slug));
    if (page.nextCursor === undefined) return pages;
    cursor = page.nextCursor;
  }
}

/** Creates a workspace with one link per row. Slugs are `prefix` and the index; creation times are one second apart. */
async function aWorkspace(prefix: string, rows: object[]): Promise<Caller> {
  const caller = service.as();
  const links = rows.map((row, i) => ({
    link: { url: 'https://example.com/', slug: `${prefix}${i}`, ...row },
    createdAt: new Date(Date.UTC(2020, 0, 1, 0, 0, i)).toISOString(),
  }));
  await caller.links('ImportLinks', { links });
  return caller;
}

const setClicks = (slug: string, clickCount: number, lastClickAt: Date) =>
  service.models.links.updateOne({ slug }, { $set: { clickCount, lastClickAt } });

describe('a list', () => {
  test('contains the links of one workspace, newest first, in pages', async () => {
    await service.as().aLink();
    const caller = await aWorkspace(
      'page',
      Array.from({ length: 5 }, () => ({})),
    );
    expect(await walk(caller, { limit: 2 })).toEqual([['page4', 'page3'], ['page2', 'page1'], ['page0']]);
    expect(await walk(caller, { limit: 5 })).toEqual([['page4', 'page3', 'page2', 'page1', 'page0']]);
    expect(await walk(caller, { limit: 3, order: 'asc' })).toEqual([
      ['page0', 'page1', 'page2'],
      ['page3', 'page4'],
    ]);
    expect(await walk(service.as(), {})).toEqual([[]]);
  });

  test('pages through links with equal creation times', async () => {
    const caller = service.as();
    await caller.links('ImportLinks', {
      links: Array.from({ length: 30 }, (_, i) => ({
        link: { url: 'https://example.com', slug: `tie${i}` },
        createdAt: '2020-01-01T00:00:00Z',
      })),
    });
    for (const order of ['asc', 'desc']) {
      const slugs = (await walk(caller, { limit: 7, order })).flat();
      expect([...new Set(slugs)]).toHaveLength(30);
    }
  });

  test('sorts by clicks, and by the last click with never-clicked links last in both directions', async () => {
    const caller = await aWorkspace(
      'click',
      Array.from({ length: 5 }, () => ({})),
    );
    await setClicks('click1', 7, new Date('2024-01-01'));
    await setClicks('click3', 2, new Date('2024-06-01'));
    const sorted = async (sort: string, order: string, limit: number) =>
      (await walk(caller, { sort, order, limit })).flat().join();
    for (const limit of [1, 2, 50]) {
      expect(await sorted('clickCount', 'desc', limit)).toMatch(/^click1,click3,/);
      expect(await sorted('clickCount', 'asc', limit)).toMatch(/,click3,click1$/);
      expect(await sorted('lastClickAt', 'desc', limit)).toMatch(/^click3,click1,/);
      expect(await sorted('lastClickAt', 'asc', limit)).toMatch(/^click1,click3,/);
    }
  });

  test('searches slug, title, description and URL for every term, case-insensitively and literally', async () => {
    const caller = await aWorkspace('find', [
      { title: 'Spring SALE' },
      { description: 'all about sales' },
      { url: 'https://shop.example/Sale?x=(1+1)' },
      { title: 'other' },
      { title: 'ÉTÉ 50%' },
    ]);
    const found = async (q: string) => (await walk(caller, { q, order: 'asc' })).flat().join();
    expect(await found('sale')).toBe('find0,find1,find2');
    expect(await found('  sAlE   SPRING ')).toBe('find0');
    expect(await found('find3')).toBe('find3');
    expect(await found('(1+1)')).toBe('find2');
    expect(await found('s.le')).toBe('');
    expect(await found('.*')).toBe('');
    expect(await found('été 50%')).toBe('find4');
    expect(await found('$where')).toBe('');
    expect((await found('')).split(',')).toHaveLength(5);
  });

  test('finds links by short URL, Unicode host or decoded path, whether accented letters are composed or not', async () => {
    const nfd = 'Café Zürich'.normalize('NFD');
    const caller = await aWorkspace('paste', [
      { url: 'https://münchen.example/straße/Gr%C3%BC%C3%9Fe?q=a%20b' },
      { title: nfd },
      { description: 'Café Zürich' },
      { url: `https://example.com/${nfd}` },
      { url: 'https://example.com/go.example.com/paste0' },
      { title: 'Οδός' },
    ]);
    const found = async (q: string) => (await walk(caller, { q, order: 'asc' })).flat().join();
    for (const q of [
      'https://go.example.com/paste1',
      'go.example.com/PASTE1',
      'http://GO.example.com/paste1/',
      'go.example.com/paste1?utm=1#top',
    ])
      expect(await found(q)).toBe('paste1');
    expect(await found('go.example.com/paste0')).toBe('paste0,paste4');
    expect(await found('other.example.com/paste1')).toBe('');
    expect(await found('go.example.com')).toBe('paste4');
    for (const q of [
      'münchen',
      'MÜN',
      'münchen.example',
      'https://münchen.example/straße',
      'xn--mnchen-3ya.example/straße',
      'STRAßE/grüße',
      'stra%c3%9fe',
      'q=a b',
      'Gru\u0308ße',
    ])
      expect([q, await found(q)]).toEqual([q, 'paste0']);
    for (const q of ['café', 'CAFE\u0301', 'zürich']) expect(await found(q)).toBe('paste1,paste2,paste3');
    // Only paste3 contains `cafe` without an accent: its stored URL percent-encodes the combining accent after the `e`.
    expect(await found('cafe')).toBe('paste3');
    expect(await found('ΟΔΌΣ')).toBe('paste5');
    expect(await found('münster')).toBe('');
    for (const sort of ['clickCount', 'lastClickAt']) {
      expect((await walk(caller, { q: 'zürich', sort, order: 'asc', limit: 1 })).flat()).toEqual([
        'paste1',
        'paste2',
        'paste3',
      ]);
    }
  });

  test('filters by tags (all of them, by name or id) and by status, together with a search', async () => {
    const caller = await aWorkspace('filter', [
      { tags: ['Red', 'Big'], title: 'match' },
      { tags: ['red'] },
      { tags: ['big'], title: 'match' },
      { tags: ['RED', 'BIG'] },
    ]);
    const { links } = await caller.links('ListLinks', { limit: 10 });
    await caller.links('UpdateLink', { id: links[0]!.id, status: 'archived' });
    const red = (await caller.tags('ListTags', {})).tags.find(({ name }) => name === 'Red')!.id;
    const found = async (request: Request) => (await walk(caller, { order: 'asc', ...request })).flat().join();
    expect(await found({ tags: ['RED'] })).toBe('filter0,filter1,filter3');
    expect(await found({ tags: [red, 'big'] })).toBe('filter0,filter3');
    expect(await found({ tags: ['red', 'big', 'RED'], status: 'active' })).toBe('filter0');
    expect(await found({ status: 'archived' })).toBe('filter3');
    expect(await found({ status: 'expired' })).toBe('');
    expect(await found({ tags: ['big'], q: 'match' })).toBe('filter0,filter2');
    expect(await found({ tags: ['red', 'no such tag'] })).toBe('');
    expect(await found({ tags: [newId('tag')] })).toBe('');
    expect(await found({ tags: ['red'], sort: 'clickCount', status: 'active', limit: 1 })).toBe('filter0,filter1');
  });

  test('filters by domain, creator and creation time, with every sort field, tags and a search', async () => {
    const caller = await aWorkspace(
      'kept',
      Array.from({ length: 6 }, (_, i) => ({ tags: [i % 2 ? 'odd' : 'even'], title: 'match' })),
    );
    const { links } = service.models;
    const { workspaceId } = caller;
    await links.updateMany({ workspaceId, slug: { $in: ['kept1', 'kept2', 'kept3'] } }, { domain: 'go.example.com' });
    await links.updateMany({ workspaceId, slug: { $in: ['kept2', 'kept3', 'kept4'] } }, { 'createdBy.id': 'usr_mira' });
    const at = (second: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, second)).toISOString();
    for (const sort of ['createdAt', 'clickCount', 'lastClickAt']) {
      for (const limit of [1, 2, 50]) {
        const found = async (request: Request) =>
          (await walk(caller, { sort, limit, order: 'asc', ...request })).flat().sort().join();
        expect(await found({ domain: 'GO.example.com' })).toBe('kept1,kept2,kept3');
        expect(await found({ domain: 'default' })).toBe('kept0,kept4,kept5');
        expect(await found({ domain: 'other.example.com' })).toBe('');
        expect(await found({ createdBy: 'usr_mira' })).toBe('kept2,kept3,kept4');
        expect(await found({ createdFrom: at(2), createdTo: at(4) })).toBe('kept2,kept3,kept4');
        expect(await found({ createdFrom: at(4) })).toBe('kept4,kept5');
        expect(await found({ createdTo: at(1), order: 'desc' })).toBe('kept0,kept1');
        expect(await found({ createdFrom: '2020-01-01', createdTo: '2020-01-01' })).toMatch(/kept0.*kept5/);
        expect(await found({ createdFrom: '2020-01-02' })).toBe('');
        expect(
          await found({
            domain: 'go.example.com',
            createdBy: 'usr_mira',
            tags: ['odd'],
            q: 'match',
            createdFrom: at(1),
          }),
        ).toBe('kept3');
      }
    }
  });

  test.each([
    [{ domain: 'not a domain' }, 'domain'],
    [{ createdFrom: 'yesterday' }, 'createdFrom'],
    [{ createdTo: '2020-02-30' }, 'createdTo'],
    [{ createdFrom: '2020-01-02', createdTo: '2020-01-01' }, 'createdFrom'],
  ])('rejects %j with an error that names %s', async (request, field) => {
    const refused = service.as().links('ListLinks', { limit: 1, ...request });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('rejects a cursor of another query or workspace, and an invalid one', async () => {
    const caller = await aWorkspace('cursor', [{}, {}, {}]);
    for (const sort of ['createdAt', 'clickCount']) {
      const { nextCursor: cursor } = await caller.links('ListLinks', { limit: 1, sort });
      const invalid = { code: 'VALIDATION_ERROR', field: 'cursor' };
      for (const other of [
        { order: 'asc' },
        { q: 'x' },
        { status: 'active' },
        { sort: 'lastClickAt' },
        { tags: ['x'] },
        { domain: 'default' },
        { createdBy: 'usr_1' },
        { createdFrom: '2020-01-01' },
        { createdTo: '2030-01-01' },
      ]) {
        await expect(caller.links('ListLinks', { limit: 1, sort, cursor, ...other })).rejects.toMatchObject(invalid);
      }
      await expect(service.as().links('ListLinks', { limit: 1, sort, cursor })).rejects.toMatchObject(invalid);
      for (const forged of ['', 'x', `${cursor}A`]) {
        await expect(caller.links('ListLinks', { limit: 1, sort, cursor: forged })).rejects.toMatchObject(invalid);
      }
      expect((await caller.links('ListLinks', { limit: 2, sort, cursor })).links).toHaveLength(2);
    }
  });

  test('rejects the cursor of an expired snapshot', async () => {
    const caller = await aWorkspace('stale', [{}, {}, {}, {}]);
    const first = await caller.links('ListLinks', { limit: 1, sort: 'clickCount' });
    const { nextCursor: cursor } = await caller.links('ListLinks', {
      limit: 1,
      sort: 'clickCount',
      cursor: first.nextCursor!,
    });
    await service.models.listSnapshotChunks.deleteMany({});
    const again = caller.links('ListLinks', { limit: 1, sort: 'clickCount', cursor });
    await expect(again).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'cursor' });
  });

  test.each([{ limit: 0 }, { limit: 201 }, { limit: -1 }])('rejects %j', async (request) => {
    const invalid = { code: 'VALIDATION_ERROR', field: 'limit' };
    await expect(service.as().links('ListLinks', request)).rejects.toMatchObject(invalid);
  });
});
