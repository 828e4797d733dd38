import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseRows } from '@tautan/cli/testing';
import { eventually } from '@tautan/kit/testing';
import fc from 'fast-check';
import { aLink, apiClient, listAll, type ApiLink, type ApiResponse, type Client } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
const ABSENT = 'lnk_01jd0000000000000000000000';

interface BulkResult {
  action: string;
  updated: number;
  unchanged: number;
  failed: { id: string; code: string; message: string }[];
}
interface ImportResult {
  dryRun: boolean;
  total: number;
  created: number;
  failed: number;
  results: {
    index: number;
    status: string;
    id?: string;
    slug?: string;
    error?: { code: string; message: string; field?: string };
  }[];
}

describe('POST /links/bulk', () => {
  const bulk = (body: object) => api.post<BulkResult>('/links/bulk', body);

  test('archives and activates links, and lists each failure with its code', async () => {
    const [a, b] = [await aLink(api), await aLink(api)];
    const { status, data } = await bulk({ action: 'archive', ids: [a.id, ABSENT, b.id] });
    expect([status, data]).toEqual([
      200,
      {
        action: 'archive',
        updated: 2,
        unchanged: 0,
        failed: [{ id: ABSENT, code: 'NOT_FOUND', message: expect.any(String) }],
      },
    ]);
    await eventually(async () => expect((await visit(stack.baseUrl, `/${a.slug}`)).status).toBe(410), 1_000);
    expect((await bulk({ action: 'activate', ids: [a.id, b.id] })).data.updated).toBe(2);
    await eventually(async () => expect((await visit(stack.baseUrl, `/${a.slug}`)).status).toBe(302), 1_000);
  });

  test('does not activate a link that has reached its maxClicks', async () => {
    const link = await aLink(api, { maxClicks: 1 });
    await visit(stack.baseUrl, `/${link.slug}`);
    await api.patch(`/links/${link.id}`, { status: 'archived' });
    const { data } = await bulk({ action: 'activate', ids: [link.id] });
    expect([data.updated, data.failed[0]?.code]).toEqual([0, 'VALIDATION_ERROR']);
  });

  test('counts links already in the requested state as unchanged', async () => {
    const [a, b] = [await aLink(api, { tags: ['Here'] }), await aLink(api)];
    const ids = [a.id, b.id];
    const counts = { updated: 1, unchanged: 1, failed: [] };
    expect((await bulk({ action: 'addTag', ids, tag: 'here' })).data).toEqual({ action: 'addTag', ...counts });
    expect((await bulk({ action: 'archive', ids: [a.id] })).data.updated).toBe(1);
    expect((await bulk({ action: 'archive', ids })).data).toEqual({ action: 'archive', ...counts });
  });

  test('deletes links', async () => {
    const link = await aLink(api);
    expect((await bulk({ action: 'delete', ids: [link.id] })).data.updated).toBe(1);
    expect((await api.get(`/links/${link.id}`)).status).toBe(404);
  });

  test('adds and removes a tag', async () => {
    const link = await aLink(api, { tags: ['one'] });
    await bulk({ action: 'addTag', ids: [link.id], tag: 'Two' });
    expect((await api.get<ApiLink>(`/links/${link.id}`)).data.tags).toEqual(['one', 'Two']);
    await bulk({ action: 'removeTag', ids: [link.id], tag: 'ONE' });
    expect((await api.get<ApiLink>(`/links/${link.id}`)).data.tags).toEqual(['Two']);
  });

  test.each([
    ['an unknown action', { action: 'explode', ids: [ABSENT] }, 'action'],
    ['no ids', { action: 'archive' }, 'ids'],
    ['an empty list', { action: 'archive', ids: [] }, 'ids'],
    ['over 100 ids', { action: 'archive', ids: Array<string>(101).fill(ABSENT) }, 'ids'],
    ['addTag without tag', { action: 'addTag', ids: [ABSENT] }, 'tag'],
    ['a tag with an action that takes none', { action: 'archive', ids: [ABSENT], tag: 'x' }, 'tag'],
  ])('rejects %s', async (_name, body, field) => {
    expect(errorOf(await bulk(body))).toEqual([400, 'VALIDATION_ERROR', field]);
  });
});

describe('import', () => {
  const importLinks = (body: object) => api.post<ImportResult>('/links/import', body);

  test('processes each row independently', async () => {
    await aLink(api, { slug: 'taken-row' });
    const { status, data } = await importLinks({
      links: [
        {
          url: 'https://example.com/1',
          slug: 'row-1',
          title: 'One',
          tags: ['imported'],
          maxClicks: 3,
          createdAt: '2020-05-05T00:00:00Z',
        },
        { url: 'nonsense' },
        { url: 'https://example.com/3', slug: 'taken-row' },
        { url: 'https://example.com/4', unknown: 1 },
        { url: 'https://example.com/5', slug: 'ROW-1' },
        { url: 'https://example.com/6' },
        'not an object',
      ],
    });
    expect(status).toBe(200);
    expect([data.dryRun, data.total, data.created, data.failed]).toEqual([false, 7, 2, 5]);
    expect(data.results.map((row) => [row.index, row.status, row.error?.code])).toEqual([
      [0, 'created', undefined],
      [1, 'failed', 'VALIDATION_ERROR'],
      [2, 'failed', 'SLUG_TAKEN'],
      [3, 'failed', 'VALIDATION_ERROR'],
      [4, 'failed', 'SLUG_TAKEN'],
      [5, 'created', undefined],
      [6, 'failed', 'VALIDATION_ERROR'],
    ]);
    expect(data.results.map(({ error }) => error?.field)).toEqual([
      undefined,
      'url',
      'slug',
      'unknown',
      'slug',
      undefined,
      undefined,
    ]);
    const first = (await api.get<ApiLink>('/links/row-1')).data;
    expect(first).toMatchObject({
      id: data.results[0]!.id,
      title: 'One',
      tags: ['imported'],
      maxClicks: 3,
      createdAt: '2020-05-05T00:00:00.000Z',
    });
    expect((await visit(stack.baseUrl, '/row-1')).status).toBe(302);
  });

  test.each(['', '  ', 'x'.repeat(51), 'x'.repeat(101)])(
    'rejects the tag name %j, and returns its path as the field',
    async (tag) => {
      const tags = ['fine', tag];
      const url = 'https://example.com';
      expect(errorOf(await api.post('/links', { url, tags }))).toEqual([400, 'VALIDATION_ERROR', 'tags.1']);
      const { data } = await importLinks({ dryRun: true, links: [{ url }, { url, tags }] });
      expect(data.results[1]!.error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'tags.1' });
    },
  );

  test('with dryRun validates all rows and writes nothing', async () => {
    const before = (await listAll<ApiLink>(api, '/links?limit=200')).length;
    const { data } = await importLinks({
      dryRun: true,
      links: [
        { url: 'https://example.com', slug: 'dry-1', tags: ['dry'] },
        { url: 'https://example.com', slug: 'dry-1' },
        { url: 'x' },
      ],
    });
    expect([data.dryRun, data.created, data.failed]).toEqual([true, 0, 2]);
    expect(data.results.map(({ status }) => status)).toEqual(['valid', 'failed', 'failed']);
    expect((await listAll<ApiLink>(api, '/links?limit=200')).length).toBe(before);
    expect((await api.get<{ name: string }[]>('/tags')).data.map(({ name }) => name)).not.toContain('dry');
  });

  test('accepts 1,000 rows and rejects 1,001, naming the field links', async () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => ({ url: `https://example.com/bulk/${i}` }));
    expect((await importLinks({ links: rows })).data.created).toBe(1_000);
    expect(errorOf(await importLinks({ links: [...rows, rows[0]!] }))).toEqual([400, 'VALIDATION_ERROR', 'links']);
  });

  test.each([
    ['missing links', {}, 'links'],
    ['links that are not a list', { links: 'x' }, 'links'],
    ['a dryRun that is not a boolean', { dryRun: 'yes', links: [] }, 'dryRun'],
  ])('rejects %s', async (_name, body, field) => {
    expect(errorOf(await importLinks(body))).toEqual([400, 'VALIDATION_ERROR', field]);
  });
});

/** The fields of a link that an import sets. */
type WantedLink = Pick<
  ApiLink,
  'slug' | 'url' | 'title' | 'description' | 'tags' | 'status' | 'expiresAt' | 'maxClicks' | 'createdAt'
>;
const importable = ({
  slug,
  url,
  title,
  description,
  tags,
  status,
  expiresAt,
  maxClicks,
  createdAt,
}: ApiLink): WantedLink => ({ slug, url, title, description, tags, status, expiresAt, maxClicks, createdAt });
const bySlug = (a: WantedLink, b: WantedLink) => (a.slug < b.slug ? -1 : 1);

/** One line of text, often with a prefix that an export has to escape. */
const oneLine = (maxLength: number) =>
  fc
    .tuple(fc.constantFrom('', "'", "''"), fc.string({ unit: fc.constantFrom(...'\'"=+-@,; ab1é日😀'), maxLength }))
    .map((parts) => parts.join('').trim().replace(/ +/g, ' '))
    .filter((text) => text !== '');
const aTime = (min: string, max: string) =>
  fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }).map((date) => date.toISOString());
const anExpiry = (status: ApiLink['status']) => aTime(status === 'active' ? '2090-01-01' : '2020-01-01', '2099-01-01');
const tagNames = fc.uniqueArray(oneLine(8), { maxLength: 4 }).map((names) => names.sort((a, b) => (a < b ? -1 : 1)));
const wantedLinks = fc.array(
  fc.constantFrom('active' as const, 'expired' as const, 'archived' as const).chain((status) =>
    fc.record({
      url: fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).href),
      title: fc.option(oneLine(20)),
      description: fc.option(oneLine(20)),
      tags: tagNames,
      status: fc.constant(status),
      expiresAt: fc.option(anExpiry(status)),
      maxClicks: fc.option(fc.integer({ min: 1, max: 1_000_000_000 })),
      createdAt: aTime('2000-01-02', '2024-01-01'),
    }),
  ),
  { minLength: 1, maxLength: 12 },
);

describe('export', () => {
  test('defaults to CSV with a header and every link, and escapes formulas', async () => {
    const link = await aLink(api, { title: '=HYPERLINK("x")', description: '+1, "quoted"' });
    const answer = await api.get('/links/export');
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    const [header, ...rows] = answer.text.trimEnd().split(/\r?\n(?=lnk_)/);
    expect(header).toMatch(/^id,slug,/);
    const row = rows.find((line) => line.startsWith(link.id))!;
    expect(row).toContain(`'=HYPERLINK(""x"")`);
    expect(row).toContain(`'+1,`);
    expect(rows).toHaveLength((await listAll<ApiLink>(api, '/links?limit=200')).length);
  });

  test('as JSON and NDJSON contains the same links as the list', async () => {
    await aLink(api);
    const listed = new Map((await listAll<ApiLink>(api, '/links?limit=200')).map((link) => [link.id, link]));
    const json = (await api.get<ApiLink[]>('/links/export?format=json')).data;
    const ndjson = (await api.get('/links/export?format=ndjson')).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ApiLink);
    for (const links of [json, ndjson]) {
      expect(new Set(links.map(({ id }) => id))).toEqual(new Set(listed.keys()));
      expect(links[0]).toEqual(listed.get(links[0]!.id));
    }
  });

  test('can be imported to create the same links, in each format', async () => {
    const roundTrip = fc.asyncProperty(wantedLinks, async (wanted) => {
      const run = (runs += 1);
      const rows = wanted.map((link, i) => ({ ...link, slug: `Trip-${run}-${i}` }));
      await createExactly(rows);
      for (const format of ['csv', 'json', 'ndjson'] as const) {
        const exported = (await api.get(`/links/export?format=${format}`)).text;
        const items = parseRows(exported, { format }).rows.map(({ item }) => item as ApiLink);
        await removeAll();
        await createExactly(
          items.filter(({ slug }) => rows.some((row) => row.slug === slug)),
          rows,
        );
      }
      await removeAll();
    });
    let runs = 0;
    await fc.assert(roundTrip, { numRuns: 8 });
  });

  /** Imports `items`, and checks that exactly the links of `wanted` exist afterwards. */
  async function createExactly(items: object[], wanted: WantedLink[] = items as WantedLink[]) {
    const { data } = await api.post<ImportResult>('/links/import', { links: items });
    expect(data.results.filter(({ error }) => error)).toEqual([]);
    const links = new Map((await listAll<ApiLink>(api, '/links?limit=200&q=Trip-')).map((link) => [link.slug, link]));
    expect([...links.values()].map(importable).sort(bySlug)).toEqual([...wanted].sort(bySlug));
  }

  async function removeAll() {
    const ids = (await listAll<ApiLink>(api, '/links?limit=200&q=Trip-')).map(({ id }) => id);
    expect((await api.post<BulkResult>('/links/bulk', { action: 'delete', ids })).data.updated).toBe(ids.length);
  }
});

test('the paths of bulk and import are never interpreted as link ids', async () => {
  expect((await api.get('/links/bulk')).status).toBe(405);
  expect((await api.get('/links/import')).status).toBe(405);
});
