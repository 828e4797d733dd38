import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { startProduct, type Product } from './testing/product.js';

// The gateway with the real services.
let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.stop());

type Record = { id: string; slug: string; [field: string]: unknown };
const create = async (body: object) => (await product.request('POST', '/links', body)).data as Record;

test('a link is created, found by id and slug, updated, listed and deleted', async () => {
  const body = {
    url: 'https://example.com/a',
    slug: 'Life',
    title: 'T',
    tags: ['b', 'a'],
    expiresAt: '2099-01-01T01:00:00+01:00',
  };
  const created = await product.request('POST', '/links', body);
  expect(created.status).toBe(201);
  const link = created.data as Record;
  expect(link).toMatchObject({
    ...body,
    tags: ['a', 'b'],
    expiresAt: '2099-01-01T00:00:00.000Z',
    maxClicks: null,
    domain: null,
  });
  expect((await product.request('GET', `/links/${link.id}`)).data).toEqual(link);
  expect((await product.request('GET', '/links/life')).data).toEqual(link);
  const change = { title: null, expiresAt: null, tags: null, maxClicks: 5, status: 'archived' };
  const changed = await product.request('PATCH', `/links/${link.id}`, change);
  expect([changed.status, changed.data]).toEqual([
    200,
    expect.objectContaining({ ...change, tags: [], url: body.url }),
  ]);
  expect((await product.request('GET', '/links?status=archived')).data).toHaveLength(1);
  const deleted = await product.request('DELETE', `/links/${link.id}`);
  expect([deleted.status, deleted.data]).toEqual([200, { id: link.id, deleted: true }]);
  expect((await product.request('GET', `/links/${link.id}`)).error!.code).toBe('NOT_FOUND');
});

test('the line breaks of a description are stored and exported as LF; a lone CR is refused, as is a line break in a title', async () => {
  const written = 'First line\r\n\r\n"third", line\n';
  const stored = 'First line\n\n"third", line';
  const { id, description } = await create({ url: 'https://example.com/', description: written });
  expect(description).toBe(stored);
  const changed = await product.request('PATCH', `/links/${id}`, { description: 'one\ntwo' });
  expect((changed.data as Record)['description']).toBe('one\ntwo');
  expect((await product.request('GET', '/links?q=two%20one')).data).toMatchObject([{ id }]);
  await product.request('PATCH', `/links/${id}`, { description: written });
  const csv = (await product.request('GET', '/links/export')).text;
  expect(csv).toContain(',"First line\n\n""third"", line",');
  const ndjson = (await product.request('GET', '/links/export?format=ndjson')).text.trimEnd().split('\n');
  expect(ndjson.map((line) => (JSON.parse(line) as Record)['description'])).toContain(stored);
  for (const field of ['description', 'title'] as const) {
    const refused = await product.request('POST', '/links', {
      url: 'https://example.com/',
      [field]: field === 'title' ? 'a\nb' : 'a\rb',
    });
    expect([refused.status, refused.error?.field]).toEqual([400, field]);
  }
});

test('links are paginated by a cursor that is valid only with the same query', async () => {
  for (let i = 0; i < 5; i += 1) await create({ url: 'https://example.com/', title: `walk ${i}`, tags: ['walk'] });
  const titles: unknown[] = [];
  for (let query = 'tag=walk&limit=2&order=asc', more = true; more;) {
    const { data, meta } = await product.request('GET', `/links?${query}`);
    titles.push(...(data as Record[]).map(({ title }) => title));
    more = meta.page!.hasMore;
    query = `tag=walk&limit=2&order=asc&cursor=${meta.page!.nextCursor}`;
    if (more) expect((await product.request('GET', `/links?${query}&q=x`)).error!.field).toBe('cursor');
  }
  expect(titles).toEqual([0, 1, 2, 3, 4].map((i) => `walk ${i}`));
});

describe('an import', () => {
  const rows = [
    { url: 'https://example.com/1', slug: 'row-1', createdAt: '2024-05-01T08:00:00Z' },
    { url: 'nonsense' },
    { url: 'https://example.com/3', slug: 'ROW-1' },
    { url: 'https://example.com/4', extra: 1 },
    'text',
    { url: 'https://example.com/5', tags: ['ok', 5] },
  ];
  const outcome = (results: unknown) =>
    (results as { status: string; error?: { code: string; field?: string } }[]).map(({ status, error }) =>
      error ? [status, error.code, error.field] : status,
    );
  const refused = [
    ['failed', 'VALIDATION_ERROR', 'url'],
    ['failed', 'SLUG_TAKEN', 'slug'],
    ['failed', 'VALIDATION_ERROR', 'extra'],
    ['failed', 'VALIDATION_ERROR', undefined],
    ['failed', 'VALIDATION_ERROR', 'tags.1'],
  ];

  test('reports the result of each row in a dry run, and writes nothing', async () => {
    const { status, data } = await product.request('POST', '/links/import', { dryRun: true, links: rows });
    const { results, ...counts } = data as { results: unknown };
    expect([status, counts]).toEqual([200, { dryRun: true, total: 6, created: 0, failed: 5 }]);
    expect(outcome(results)).toEqual(['valid', ...refused]);
    expect((await product.request('GET', '/links/row-1')).status).toBe(404);
  });

  test('creates the valid rows, once per Idempotency-Key', async () => {
    const send = () => product.request('POST', '/links/import', { links: rows }, { 'idempotency-key': 'import-1' });
    const { data } = await send();
    const { results, ...counts } = data as { results: { id?: string }[] };
    expect(counts).toEqual({ dryRun: false, total: 6, created: 1, failed: 5 });
    expect(outcome(results)).toEqual(['created', ...refused]);
    expect((await send()).data).toEqual(data);
    const link = (await product.request('GET', '/links/row-1')).data as Record;
    expect([link.id, link['createdAt']]).toEqual([results[0]!.id, '2024-05-01T08:00:00.000Z']);
  });
});

test.each(['ndjson', 'json'])('accepts a record of an export (%s) as a row of an import', async (format) => {
  const { id, ...created } = await create({
    url: 'https://example.com/',
    tags: ['a, b', 'c'],
    expiresAt: '2090-01-01T00:00:00Z',
  });
  await product.request('PATCH', `/links/${id}`, { status: 'archived' });
  const { text } = await product.request('GET', `/links/export?format=${format}`);
  const records = (
    format === 'json'
      ? (JSON.parse(text) as { data: unknown }).data
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
  ) as Record[];
  await product.request('DELETE', `/links/${id}`);
  const links = records.filter((record) => record.id === id);
  const { data } = await product.request('POST', '/links/import', { links });
  expect(data).toMatchObject({ created: 1, results: [{ slug: created['slug'] }] });
  const { id: newId, ...again } = (await product.request('GET', `/links/${created['slug']}`)).data as Record;
  expect(newId).not.toBe(id);
  expect(again).toEqual({ ...created, status: 'archived', updatedAt: again['updatedAt'] });
});

test('a bulk action processes each link independently, and addTag requires a tag', async () => {
  const { id } = await create({ url: 'https://example.com/' });
  const body = { action: 'addTag', ids: [id, 'lnk_01jd0000000000000000000000'], tag: 'bulk' };
  const { status, data } = await product.request('POST', '/links/bulk', body);
  expect([status, data]).toEqual([
    200,
    {
      action: 'addTag',
      updated: 1,
      unchanged: 0,
      failed: [{ id: body.ids[1], code: 'NOT_FOUND', message: expect.any(String) }],
    },
  ]);
  expect((await product.request('POST', '/links/bulk', { action: 'addTag', ids: [id] })).error!.field).toBe('tag');
});

test('an export contains the same links in the same order in every format', async () => {
  const all = JSON.parse((await product.request('GET', '/links/export?format=json')).text) as { data: Record[] };
  const lines = (await product.request('GET', '/links/export?format=ndjson')).text.trimEnd().split('\n');
  const csv = await product.request('GET', '/links/export');
  expect(lines.map((line) => JSON.parse(line) as Record)).toEqual(all.data);
  expect(
    csv.text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
  ).toEqual(all.data.map(({ id }) => id));
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="links-\d{4}-\d\d-\d\d\.csv"$/);
  expect(all.data.length).toBeGreaterThan(5);
});

test('an API key reads its workspace, members and keys, and cannot use operations that require a user', async () => {
  const { workspaceId } = product;
  const workspace = { id: workspaceId, name: 'Test', role: null, plan: 'BUSINESS', memberCount: 0, current: true };
  expect((await product.request('GET', '/workspaces/current')).data).toMatchObject(workspace);
  expect((await product.request('GET', '/workspaces')).data).toEqual([expect.objectContaining(workspace)]);
  expect((await product.request('GET', '/workspaces/current/members')).data).toEqual([]);
  const key = { label: 'test', prefix: product.key.slice(0, 15), createdBy: { type: 'system', id: null } };
  expect((await product.request('GET', '/auth/api-keys')).data).toEqual([expect.objectContaining(key)]);
  expect((await product.request('GET', '/auth/session')).data).toMatchObject({
    user: null,
    workspace: { id: workspaceId, name: 'Test', role: null, plan: 'BUSINESS' },
    credential: { type: 'api_key', label: 'test' },
  });
  expect((await product.request('POST', '/auth/api-keys', { label: 'more' })).error!.code).toBe('PERSON_ONLY');
});

test('refuses access tokens and sign-in if no identity provider is configured', async () => {
  const noCredential = { authorization: '' };
  const login = { email: 'a@example.com', password: 'correct horse' };
  expect((await product.request('POST', '/auth/login', login, noCredential)).error!.code).toBe('NOT_FOUND');
  expect((await product.request('GET', '/auth/authorize', undefined, noCredential)).error!.code).toBe('NOT_FOUND');
  const { status, error } = await product.request('GET', '/tags', undefined, { authorization: 'Bearer eyJ.x.y' });
  expect([status, error!.code]).toEqual([401, 'UNAUTHENTICATED']);
});

// This test is last, because it revokes the API key that the other tests use.
test('refuses a revoked key within a second', async () => {
  expect((await product.request('GET', '/tags')).status).toBe(200);
  await product.revoke();
  await eventually(async () => expect((await product.request('GET', '/tags')).status).toBe(401), 1_000);
});
