import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import type { QrCode } from './domain/qr-code.js';
import { driverCollection } from '@tautan/kit/mongo';
import { createStore } from './store/index.js';
import { startService, type Caller, type TestService } from './testing/service.js';
import { searchQrCodes } from './steps/search-qr-codes.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

type Query = Omit<Parameters<Caller['call']>[1], 'limit'> & { limit?: number };
const page = ({ call }: Caller, query: Query = {}) => call('ListQrCodes', { limit: 50, tags: [], ...query });
const titles = async (caller: Caller, query: Query = {}) =>
  (await page(caller, query)).qrCodes.map(({ title }) => title);

/** Creates QR codes with these titles, in order. */
async function createCodes(caller: Caller, names: string[], fields: Parameters<Caller['aCode']>[0] = {}) {
  const codes = [];
  for (const title of names) codes.push(await caller.aCode({ title, ...fields }));
  return codes;
}

describe('a list', () => {
  test('is sorted newest first, limited to the workspace, and contains the records as created', async () => {
    const caller = service.as();
    const codes = await createCodes(caller, ['a', 'b', 'c'], { tags: ['x', 'y'] });
    await service.as().aCode();
    expect((await page(caller)).qrCodes).toEqual(codes.reverse());
    expect(await page(service.as())).toMatchObject({ qrCodes: [] });
  });

  test('is paginated without gaps or duplicates during creations and deletions', async () => {
    const caller = service.as();
    const codes = await createCodes(caller, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const first = await page(caller, { limit: 3 });
    expect(first.qrCodes.map(({ title }) => title)).toEqual(['g', 'f', 'e']);
    await caller.call('DeleteQrCode', { id: codes[4]!.id });
    await caller.call('DeleteQrCode', { id: codes[2]!.id });
    await caller.aCode({ title: 'h' });
    const second = await page(caller, { limit: 3, cursor: first.nextCursor! });
    expect(second.qrCodes.map(({ title }) => title)).toEqual(['d', 'b', 'a']);
    expect(second.nextCursor).toBeUndefined();
  });

  test('is filtered by link, status and tags', async () => {
    const caller = service.as();
    const [link, other] = [await caller.aLink(), await caller.aLink()];
    const [, b] = await createCodes(caller, ['a', 'b'], { linkId: link.id, tags: ['red', 'Big'] });
    await createCodes(caller, ['c'], { linkId: other.id, tags: ['red'] });
    await createCodes(caller, ['d']);
    await caller.update(b!.id, { status: 'archived' });
    expect(await titles(caller, { linkId: link.id })).toEqual(['b', 'a']);
    expect(await titles(caller, { status: 'active' })).toEqual(['d', 'c', 'a']);
    expect(await titles(caller, { linkId: link.id, status: 'archived' })).toEqual(['b']);
    expect(await titles(caller, { tags: ['RED'] })).toEqual(['c', 'b', 'a']);
    const red = (await caller.tags('ListTags', {})).tags.find(({ name }) => name === 'red')!;
    expect(await titles(caller, { tags: [red.id, 'big'] })).toEqual(['b', 'a']);
    expect(await titles(caller, { tags: ['red', 'none'] })).toEqual([]);
    expect(await titles(caller, { tags: Array.from({ length: 20 }, (_, i) => `none ${i}`) })).toEqual([]);
    expect(await titles(caller, { linkId: newId('lnk') })).toEqual([]);
  });

  test('contains the codes that have every word of the query in their title, slug or url, ignoring case', async () => {
    const caller = service.as();
    const [a] = await createCodes(caller, ['Summer poster', 'winter POSTER (100%)'], {
      url: 'https://example.com/shop',
    });
    await createCodes(caller, ['flyer'], { url: 'https://example.org/.*' });
    expect(await titles(caller, { q: 'poster' })).toEqual(['winter POSTER (100%)', 'Summer poster']);
    expect(await titles(caller, { q: 'SHOP summer' })).toEqual(['Summer poster']);
    expect(await titles(caller, { q: a!.slug.toUpperCase() })).toEqual(['Summer poster']);
    expect(await titles(caller, { q: '(100%)' })).toEqual(['winter POSTER (100%)']);
    expect(await titles(caller, { q: '.*' })).toEqual(['flyer']);
    expect(await titles(caller, { q: 'shop flyer' })).toEqual([]);
  });

  test('can be searched by short URL, Unicode host and decoded path, in any Unicode normalization', async () => {
    const caller = service.as();
    const [a] = await createCodes(caller, ['Café'.normalize('NFD')], { url: 'https://münchen.example/straße' });
    await createCodes(caller, ['other'], { url: 'https://example.com/' });
    for (const q of [
      a!.shortUrl,
      a!.shortUrl.replace('https://', ''),
      'MÜNchen',
      'münchen.example/straße',
      'STRAßE',
      'café',
    ])
      expect([q, await titles(caller, { q })]).toEqual([q, [a!.title]]);
    expect(await titles(caller, { q: 'cafe' })).toEqual([]);
  });

  test('does not contain a code whose route was removed, and reading that code fails with NOT_FOUND', async () => {
    const caller = service.as();
    const code = await caller.aCode();
    const _id = newId('qr');
    const stored = await service.models.qrCodes.findById(code.id).orFail().lean();
    await driverCollection(service.models.qrCodes).insertOne({ ...stored, _id });
    expect((await page(caller)).qrCodes).toEqual([code]);
    await expect(caller.get(_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 201 }],
    ['status', { status: 'nonsense' }],
    ['linkId', { linkId: 'nonsense' }],
    ['q', { q: 'x'.repeat(2_049) }],
    ['tag', { tags: Array.from({ length: 21 }, (_, i) => `${i}`) }],
    ['cursor', { cursor: 'nonsense' }],
  ])('rejects an invalid %s', async (field, query) => {
    await expect(page(service.as(), query)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('binds its cursors to the workspace and the filters', async () => {
    const caller = service.as();
    await createCodes(caller, ['a', 'b']);
    const { nextCursor } = await page(caller, { limit: 1, status: 'active' });
    const cursor = nextCursor!;
    for (const call of [
      page(caller, { limit: 1, cursor }),
      page(caller, { limit: 1, status: 'active', q: 'a', cursor }),
      page(service.as(), { limit: 1, status: 'active', cursor }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'cursor' });
    }
    expect(await titles(caller, { limit: 2, status: 'active', cursor })).toEqual(['a']);
  });
});

test('a search that examines only a few codes per request still finds all matches', async () => {
  const { workspaceId } = service.as();
  const ids = Array.from({ length: 45 }, () => newId('qr'));
  const rows = ids.map((_id, i) => ({ _id, workspaceId, state: 'live', title: i % 4 ? 'other' : 'wanted', slug: _id }));
  await driverCollection(service.models.qrCodes).insertMany(rows as QrCode[]);
  const wanted = ids.filter((_, i) => i % 4 === 0).reverse();
  const { lists } = createStore(service.models);
  const filter = { workspaceId, tagIds: [], terms: [{ text: 'wanted' }] };
  const found: string[] = [];
  let requests = 0;
  for (let after: string | undefined; ; requests += 1) {
    const { codes, next } = await searchQrCodes(
      lists,
      filter,
      { after, limit: 4, until: Date.now() + 10_000 },
      { stepSize: 3, maxSteps: 2 },
    );
    found.push(...codes.map(({ _id }) => _id));
    if (next === undefined) break;
    after = next;
  }
  expect(found).toEqual(wanted);
  expect(requests).toBeGreaterThanOrEqual(7);
});
