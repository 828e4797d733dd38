import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { linkRecord } from '@tautan/proto';
import { aLink, apiClient, type ApiLink, type ApiResponse, type Client } from '../support/client.js';
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
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('record', () => {
  test('has exactly the declared fields; unset fields have their defaults', async () => {
    const link = await aLink(api, { url: 'https://example.com/record' });
    expect(Object.keys(link).sort()).toEqual(Object.keys(linkRecord.shape).sort());
    expect(link).toMatchObject({
      id: expect.stringMatching(/^lnk_/),
      slug: expect.stringMatching(/^[23456789abcdefghjkmnpqrstuvwxyz]{7}$/),
      domain: null,
      shortUrl: `${stack.baseUrl}/${link.slug}`,
      url: 'https://example.com/record',
      title: null,
      description: null,
      tags: [],
      status: 'active',
      expiresAt: null,
      maxClicks: null,
      clickCount: 0,
      lastClickAt: null,
      qrCodeCount: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(link.createdBy).toEqual({ type: 'api_key', id: expect.stringMatching(/^key_/) });
  });

  test('returns the values given on creation, with the tags sorted', async () => {
    const fields = {
      url: 'https://example.com/all?x=1#y',
      slug: 'All-Fields_1',
      title: 'T',
      description: 'D',
      tags: ['beta', 'Alpha'],
      expiresAt: '2099-12-31T23:59:59.999Z',
      maxClicks: 7,
    };
    const link = await aLink(api, fields);
    expect(link).toMatchObject({ ...fields, tags: ['Alpha', 'beta'] });
    expect((await api.get<ApiLink>(`/links/${link.id}`)).data).toEqual(link);
  });

  test('rejects a domain that is not verified', async () => {
    expect(errorOf(await api.post('/links', { url: 'https://example.com', domain: 'go.example.org' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'domain',
    ]);
  });

  test.each([
    ['title', 201],
    ['description', 501],
  ])('limits the length of %s', async (field, over) => {
    expect(errorOf(await api.post('/links', { url: 'https://example.com', [field]: 'x'.repeat(over) }))).toEqual([
      400,
      'VALIDATION_ERROR',
      field,
    ]);
    expect((await aLink(api, { [field]: 'x'.repeat(over - 1) }))[field as 'title']).toHaveLength(over - 1);
  });
});

describe('url', () => {
  test.each([
    'nonsense',
    '/relative',
    'ftp://example.com/file',
    'javascript:alert(1)',
    'https://user:secret@example.com/',
    'https://example.com/\u0000',
    'https://example.com/a\nb',
    'http://localhost/x',
    'http://127.0.0.1/x',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://100.64.0.1/',
    'http://service.internal/',
    '',
    'https://',
  ])('%j is rejected with an error that names url', async (url) => {
    expect(errorOf(await api.post('/links', { url }))).toEqual([400, 'VALIDATION_ERROR', 'url']);
  });

  test('the error message asks for a valid http(s) URL', async () => {
    expect((await api.post('/links', { url: 'nonsense' })).error!.message).toMatch(/valid http\(s\) URL/);
  });

  test('a host of this service is rejected', async () => {
    expect(errorOf(await api.post('/links', { url: `${stack.baseUrl}/loop` }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'url',
    ]);
  });

  test('2,048 characters are accepted, 2,049 are not', async () => {
    const url = `https://example.com/${'a'.repeat(2028)}`;
    expect((await aLink(api, { url })).url).toBe(url);
    expect(errorOf(await api.post('/links', { url: `${url}a` }))).toEqual([400, 'VALIDATION_ERROR', 'url']);
  });

  test('IDN hosts are stored as punycode', async () => {
    expect((await aLink(api, { url: 'https://bücher.example/ä' })).url).toMatch(/^https:\/\/xn--bcher-kva\.example\//);
  });
});

describe('a slug in the path', () => {
  test('is accepted by GET, PATCH, DELETE and stats, regardless of case', async () => {
    const { id } = await aLink(api, { slug: 'By-Slug' });
    expect((await api.get<ApiLink>('/links/by-slug')).data.id).toBe(id);
    expect((await api.patch('/links/by-slug', { title: 'Changed' })).data).toMatchObject({ id, title: 'Changed' });
    expect((await api.get('/links/by-slug/stats')).status).toBe(200);
    expect((await api.get('/links/by-slug/stats/export')).status).toBe(200);
    expect((await api.patch('/links/by-slug?domain=go.example.org', { title: 'x' })).status).toBe(404);
    expect((await api.delete('/links/by-slug?domain=go.example.org')).status).toBe(404);
    const { status, data } = await api.delete('/links/by-slug');
    expect([status, data]).toEqual([200, { id, deleted: true }]);
    expect((await api.get(`/links/${id}`)).status).toBe(404);
  });
});

describe('slug', () => {
  test.each(['has space', 'ümlaut', 'a/b', 'a.b', 'x'.repeat(65), '', '%41'])('%j is rejected', async (slug) => {
    expect(errorOf(await api.post('/links', { url: 'https://example.com', slug }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'slug',
    ]);
  });

  test.each(
    'api q app auth health healthz readyz metrics docs login signup dashboard static assets robots.txt favicon.ico sitemap.xml .well-known export bulk import stats API Docs Export'.split(
      ' ',
    ),
  )('%s is reserved', async (slug) => {
    expect(errorOf(await api.post('/links', { url: 'https://example.com', slug }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'slug',
    ]);
  });

  test('anything formatted like an id is rejected', async () => {
    const { id } = await aLink(api);
    expect(errorOf(await api.post('/links', { url: 'https://example.com', slug: id }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'slug',
    ]);
  });

  test('is unique case-insensitively and keeps its case', async () => {
    const link = await aLink(api, { slug: 'CamelCase' });
    expect(link.slug).toBe('CamelCase');
    expect(errorOf(await api.post('/links', { url: 'https://example.com', slug: 'camelcase' }))).toEqual([
      409,
      'SLUG_TAKEN',
      'slug',
    ]);
    expect((await visit(stack.baseUrl, '/camelCASE')).status).toBe(302);
  });

  test('is given to exactly one of many concurrent creations', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => api.post('/links', { url: 'https://example.com', slug: 'contested' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  test('of a deleted link can be reused by the same workspace immediately', async () => {
    const { id } = await aLink(api, { slug: 'phoenix' });
    await api.delete(`/links/${id}`);
    expect((await visit(stack.baseUrl, '/phoenix')).status).toBe(404);
    const again = await aLink(api, { slug: 'Phoenix', url: 'https://example.com/again' });
    await eventually(async () =>
      expect((await visit(stack.baseUrl, '/phoenix')).headers['location']).toBe('https://example.com/again'),
    );
    expect(again.id).not.toBe(id);
  });

  test('can be changed; the old one then returns 404', async () => {
    const { id } = await aLink(api, { slug: 'before' });
    expect((await api.patch(`/links/${id}`, { slug: 'after' })).data.slug).toBe('after');
    await eventually(async () => {
      expect((await visit(stack.baseUrl, '/after')).status).toBe(302);
      expect((await visit(stack.baseUrl, '/before')).status).toBe(404);
    }, 1_000);
    const taken = await aLink(api, { slug: 'occupied' });
    expect(errorOf(await api.patch(`/links/${id}`, { slug: 'Occupied' }))).toEqual([409, 'SLUG_TAKEN', 'slug']);
    expect((await api.patch(`/links/${taken.id}`, { slug: 'OCCUPIED' })).data.slug).toBe('OCCUPIED');
  });
});

describe('tags', () => {
  test('are trimmed, case-insensitive, and created if missing', async () => {
    const link = await aLink(api, { tags: ['  Spring  ', 'spring', 'Sale'] });
    expect(link.tags).toEqual(['Sale', 'Spring']);
    expect((await aLink(api, { tags: ['SPRING'] })).tags).toEqual(['Spring']);
  });

  test.each([
    ['a list of more than 20', Array.from({ length: 21 }, (_, i) => `t${i}`), /^tags/],
    ['an empty name', ['  '], /^tags/],
    ['a name over 50 characters', ['x'.repeat(51)], /^tags/],
    ['an entry that is not text', [5], /^tags/],
    ['a value that is not a list', 'spring', /^tags$/],
  ])('%s is rejected with an error that names tags', async (_name, tags, field) => {
    const response = await api.post('/links', { url: 'https://example.com', tags });
    expect([response.status, response.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.error!.field).toMatch(field);
  });
});

describe('limits', () => {
  test.each(['2001-01-01T00:00:00Z', 'tomorrow', '2099-13-01T00:00:00Z', 5, ''])(
    'expiresAt %j is rejected',
    async (expiresAt) => {
      expect(errorOf(await api.post('/links', { url: 'https://example.com', expiresAt }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'expiresAt',
      ]);
    },
  );

  test.each([0, -1, 1.5, 1_000_000_001, '5'])('maxClicks %j is rejected', async (maxClicks) => {
    expect(errorOf(await api.post('/links', { url: 'https://example.com', maxClicks }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'maxClicks',
    ]);
  });
});

describe('status', () => {
  test('archived makes the redirect return 410; active resumes it', async () => {
    const link = await aLink(api);
    expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(302);
    expect((await api.patch(`/links/${link.id}`, { status: 'archived' })).data.status).toBe('archived');
    await eventually(async () => expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(410), 1_000);
    await api.patch(`/links/${link.id}`, { status: 'active' });
    await eventually(async () => expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(302), 1_000);
  });

  test('a link expires at expiresAt: immediately for redirects, soon after in lists', async () => {
    const link = await aLink(api, { expiresAt: fromNow(700), tags: ['expiring'] });
    expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(302);
    await eventually(async () => expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(410), 1_500);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(link.expiresAt!));
    await eventually(
      async () => expect((await api.get<ApiLink[]>('/links?tag=expiring&status=expired')).data).toHaveLength(1),
      10_000,
    );
    expect((await api.get<ApiLink>(`/links/${link.id}`)).data.status).toBe('expired');
    expect(errorOf(await api.patch(`/links/${link.id}`, { status: 'active' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'expiresAt',
    ]);
    const reactivated = await api.patch(`/links/${link.id}`, { status: 'active', expiresAt: null });
    expect([reactivated.status, reactivated.data.status]).toEqual([200, 'active']);
    await eventually(async () => expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(302), 1_000);
  });

  test('a link expires when maxClicks is reached, and cannot be activated before the limit is raised', async () => {
    const link = await aLink(api, { maxClicks: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await visit(stack.baseUrl, `/${link.slug}`)).status);
    expect(statuses).toEqual([302, 302, 410]);
    await eventually(
      async () => expect((await api.get<ApiLink>(`/links/${link.id}`)).data.status).toBe('expired'),
      10_000,
    );
    expect(errorOf(await api.patch(`/links/${link.id}`, { status: 'active' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'maxClicks',
    ]);
    expect((await api.patch(`/links/${link.id}`, { status: 'active', maxClicks: 3 })).data.status).toBe('active');
    await eventually(async () => expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(302), 1_000);
    expect((await visit(stack.baseUrl, `/${link.slug}`)).status).toBe(410);
  });

  test('an unknown value is rejected', async () => {
    const link = await aLink(api);
    expect(errorOf(await api.patch(`/links/${link.id}`, { status: 'deleted' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'status',
    ]);
  });
});

describe('GET /links/{id}', () => {
  test('finds a link by id, or by slug regardless of case; responds with NOT_FOUND for an unknown link', async () => {
    const link = await aLink(api, { slug: 'Find-Me' });
    expect((await api.get<ApiLink>(`/links/${link.id}`)).data.id).toBe(link.id);
    expect((await api.get<ApiLink>('/links/find-me')).data.id).toBe(link.id);
    expect(errorOf(await api.get('/links/absent'))).toEqual([404, 'NOT_FOUND', undefined]);
    expect((await api.get('/links/lnk_01jd0000000000000000000000')).status).toBe(404);
    expect((await api.get('/links/find-me?domain=other.example')).status).toBe(404);
  });
});

describe('clicks', () => {
  test('are counted within 5 s, with the time of the last one', async () => {
    const link = await aLink(api);
    await visit(stack.baseUrl, `/${link.slug}`);
    await eventually(async () => {
      const { data } = await api.get<ApiLink>(`/links/${link.id}`);
      expect(data.clickCount).toBe(1);
      expect(Math.abs(Date.parse(data.lastClickAt!) - Date.now())).toBeLessThan(60_000);
    }, 5_000);
  });
});
