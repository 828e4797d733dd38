import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type Client } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { BOT, HUMAN, visit, type VisitOptions } from '../support/visitor.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
});

const request = (path: string, options?: VisitOptions) => visit(stack.baseUrl, path, options);
const clicksOf = async (id: string) => (await api.get<ApiLink>(`/links/${id}`)).data.clickCount;

describe('a redirect', () => {
  test.each(['GET', 'HEAD'])('responds to %s with 302 and the documented headers', async (method) => {
    const link = await aLink(api, { url: 'https://example.com/there' });
    const { status, headers, body } = await request(`/${link.slug}`, { method });
    expect(status).toBe(302);
    expect(headers).toMatchObject({
      location: 'https://example.com/there',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'unsafe-url',
      'content-length': '0',
    });
    expect(body).toBe('');
  });

  test('tolerates a trailing slash', async () => {
    const { slug } = await aLink(api);
    expect((await request(`/${slug}/`)).status).toBe(302);
  });

  test.each([
    ['https://example.com/p', '?a=1', 'https://example.com/p?a=1'],
    ['https://example.com/p?a=0&b=2', '?a=1', 'https://example.com/p?b=2&a=1'],
    ['https://example.com/p?a=0#frag', '?c=3', 'https://example.com/p?a=0&c=3#frag'],
    ['https://example.com/p', '?x=%20%2B', 'https://example.com/p?x=%20%2B'],
    ['https://example.com/p', '?', 'https://example.com/p'],
  ])("merges the visitor's query into %s: %s", async (url, query, expected) => {
    const { slug } = await aLink(api, { url });
    const location = new URL((await request(`/${slug}${query}`)).headers['location'] as string);
    const wanted = new URL(expected);
    expect(location.origin + location.pathname + location.hash).toBe(wanted.origin + wanted.pathname + wanted.hash);
    expect([...location.searchParams].sort()).toEqual([...wanted.searchParams].sort());
  });

  test('returns 405 for other methods', async () => {
    const { slug } = await aLink(api);
    expect((await request(`/${slug}`, { method: 'POST' })).status).toBe(405);
  });
});

describe('pages', () => {
  test('for unknown slugs have status 404, and are HTML for browsers and plain text for other clients', async () => {
    const page = await request('/absent-slug', { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers['content-type']]).toEqual([404, expect.stringMatching(/^text\/html/)]);
    expect(page.body).toMatch(/<html/);
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    const text = await request('/absent-slug');
    expect([text.status, text.headers['content-type']]).toEqual([404, expect.stringMatching(/^text\/plain/)]);
  });

  test('for archived links have status 410, and are HTML for browsers and plain text for other clients', async () => {
    const { id, slug } = await aLink(api);
    await api.patch(`/links/${id}`, { status: 'archived' });
    await eventually(
      async () => expect((await request(`/${slug}`, { headers: { accept: 'text/html' } })).body).toMatch(/<html/),
      1_000,
    );
    expect((await request(`/${slug}`, { headers: { accept: 'text/html' } })).status).toBe(410);
    expect((await request(`/${slug}`)).headers['content-type']).toMatch(/^text\/plain/);
  });

  test('include /robots.txt, and a landing page at /', async () => {
    expect([(await request('/')).status, (await request('/robots.txt')).status]).toEqual([200, 200]);
    expect((await request('/robots.txt')).body).toMatch(/User-agent: \*/i);
  });
});

describe('counting', () => {
  test('counts each GET by a human as one click, and no HEAD, prefetch or bot', async () => {
    const link = await aLink(api);
    await request(`/${link.slug}`, { method: 'HEAD' });
    await request(`/${link.slug}`, { userAgent: BOT });
    await request(`/${link.slug}`, { userAgent: null });
    await request(`/${link.slug}`, { headers: { purpose: 'prefetch' } });
    await request(`/${link.slug}`, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    for (let i = 0; i < 3; i += 1) expect((await request(`/${link.slug}`)).status).toBe(302);
    await eventually(async () => expect(await clicksOf(link.id)).toBe(3));
    // By the time that one more click is counted, the requests before it would have been counted, too.
    await request(`/${link.slug}`);
    await eventually(async () => expect(await clicksOf(link.id)).toBe(4));
  });

  test('bots, HEAD and prefetch never count toward maxClicks', async () => {
    const link = await aLink(api, { maxClicks: 1 });
    for (let i = 0; i < 3; i += 1) await request(`/${link.slug}`, { userAgent: BOT });
    await request(`/${link.slug}`, { method: 'HEAD' });
    await request(`/${link.slug}`, { headers: { purpose: 'prefetch' } });
    expect((await request(`/${link.slug}`)).status).toBe(302);
    expect((await request(`/${link.slug}`)).status).toBe(410);
  });

  test('maxClicks is exact under concurrency', async () => {
    const link = await aLink(api, { maxClicks: 25 });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, () => request(`/${link.slug}`).then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 302)).toHaveLength(25);
    expect(statuses.filter((status) => status === 410)).toHaveLength(175);
    await eventually(async () => expect(await clicksOf(link.id)).toBe(25));
  });

  test('counts every click under concurrency', async () => {
    const link = await aLink(api);
    for (let i = 0; i < 10; i += 1) await Promise.all(Array.from({ length: 50 }, () => request(`/${link.slug}`)));
    await eventually(async () => expect(await clicksOf(link.id)).toBe(500));
  });
});

describe('a change takes effect within 1 s', () => {
  test('if it updates the destination, or deletes the link', async () => {
    const link = await aLink(api);
    await request(`/${link.slug}`);
    await api.patch(`/links/${link.id}`, { url: 'https://example.com/changed' });
    await eventually(
      async () => expect((await request(`/${link.slug}`)).headers['location']).toBe('https://example.com/changed'),
      1_000,
    );
    await api.delete(`/links/${link.id}`);
    await eventually(async () => expect((await request(`/${link.slug}`)).status).toBe(404), 1_000);
  });

  test('if it creates a slug that was requested before', async () => {
    expect((await request('/early-bird')).status).toBe(404);
    await aLink(api, { slug: 'early-bird' });
    await eventually(async () => expect((await request('/early-bird')).status).toBe(302), 1_000);
  });
});

describe('hostile requests', () => {
  const paths = [
    '/%',
    '/%zz',
    '/%00',
    '/a%00b',
    '/..',
    '/../../etc/passwd',
    '/%2e%2e/x',
    '//evil.example',
    '/a//b',
    '/\\evil',
    '/%0d%0aSet-Cookie:x=1',
    '/é',
    '/__proto__',
    '/constructor',
    `/${'x'.repeat(8_000)}`,
    `/x?${'q'.repeat(8_000)}`,
  ];
  test.each(paths.map((path) => [path.slice(0, 40), path]))('%s returns 404 or 400', async (_name, path) => {
    const { status, headers } = await request(Buffer.from(path, 'utf8').toString('latin1'));
    expect([400, 404]).toContain(status);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('a request with an absolute-form request target or an unknown host is not redirected', async () => {
    const { slug } = await aLink(api);
    expect([400, 404]).toContain((await request(`http://evil.example/${slug}`)).status);
    for (const host of ['evil.example', 'evil.example:80', 'x'.repeat(300), 'a b']) {
      expect([400, 404]).toContain((await request(`/${slug}`, { headers: { host } })).status);
    }
  });

  test("a visitor's query cannot inject a header", async () => {
    const { slug } = await aLink(api);
    const { status, headers } = await request(`/${slug}?a=%0d%0aX-Injected:%201&%00&%zz&=&&a`);
    expect(status).toBe(302);
    expect(headers['x-injected']).toBeUndefined();
    expect(() => new URL(headers['location'] as string)).not.toThrow();
  });

  test('redirects still work after these requests', async () => {
    const { slug } = await aLink(api);
    expect((await request(`/${slug}`, { userAgent: HUMAN })).status).toBe(302);
  });
});
