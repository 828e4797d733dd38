import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;
beforeAll(async () => void (gateway = await startGateway({ PLAN_FREE: '{"rateLimits":{"read":5,"write":6}}' })));
afterAll(() => gateway.stop());

const listOf = (count: number, entry: string) => `[${Array<string>(count).fill(entry).join()}]`;
const refused = (field: string, message: string) => ({ code: 'VALIDATION_ERROR', field, message });

test.each([
  ['/links/import', '"dryRun":true', 'links', '[]', 1_000],
  ['/links/bulk', '"action":"archive"', 'ids', '"lnk_1"', 100],
  ['/links', '"url":"https://example.com"', 'tags', '"a"', 20],
  ['/qr-codes', '"url":"https://example.com"', 'tags', '"a"', 20],
  ['/webhooks', '"url":"https://example.com"', 'events', '"link.created"', 100],
])('rejects POST %s with %s if %s has too many entries', async (path, others, field, entry, max) => {
  const tooMany = refused(field, `${field} must be at most ${max} entries long.`);
  // Short bodies are checked after they are parsed, long ones before.
  for (const count of [max + 1, 9_000, Math.ceil(150_000 / entry.length)]) {
    const { status, error } = await gateway.request('POST', path, `{${others},"${field}":${listOf(count, entry)}}`);
    expect([status, error]).toEqual([400, tooMany]);
  }
});

test('rejects a body with too many values', async () => {
  const rows = listOf(999, listOf(200, '0'));
  const { status, error } = await gateway.request('POST', '/links/import', `{"dryRun":true,"links":${rows}}`);
  expect([status, error]).toEqual([400, refused('links', 'The body must have at most 100000 values.')]);
  const deep = `{"url":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect((await gateway.request('POST', '/links', deep)).error).toEqual(
    refused('url', 'The body must have at most 10000 values.'),
  );
  const unknown = `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":0`).join()}}`;
  expect((await gateway.request('POST', '/auth/login', unknown, { authorization: '' })).error).toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

test('accepts an import with the maximum number of complete rows', async () => {
  const tags = Array.from({ length: 20 }, (_, i) => `tag ${i}`);
  const record = {
    id: 'x',
    slug: 'x',
    domain: null,
    shortUrl: 'x',
    url: 'https://example.com',
    title: null,
    description: null,
    tags,
    status: 'active',
    expiresAt: null,
    maxClicks: null,
    clickCount: 1,
    lastClickAt: null,
    qrCodeCount: 0,
    createdBy: { type: 'user', id: 'x' },
    createdAt: '2024-01-01T00:00:00Z',
    updatedAt: 'x',
  };
  const body = JSON.stringify({ dryRun: true, links: Array<unknown>(1_000).fill(record) });
  expect((await gateway.request('POST', '/links/import', body)).status).toBe(200);
});

const KiB = 1024;
const bodyOfSize = (bytes: number) => JSON.stringify({ name: 'x'.repeat(bytes - 11) });
const freePlanKey = () => ({ authorization: `Bearer ${gateway.services.freeKey}` });
const remaining = ({ headers }: { headers: Headers }) => headers.get('ratelimit-remaining');
/** Resolves when the rate-limit window of the last write has passed. */
const windowOver = () => new Promise((resolve) => setTimeout(resolve, 1_100));

test('counts a write once per 256 KiB of its body, rounded up', async () => {
  expect(remaining(await gateway.request('POST', '/tags', bodyOfSize(1_024 * KiB), freePlanKey()))).toBe('2');
  await windowOver();
  const body = new Blob([bodyOfSize(1_000 * KiB)]).stream();
  const headers = { ...freePlanKey(), 'content-type': 'application/json' };
  const chunked = await fetch(`${gateway.url}/api/v1/tags`, { method: 'POST', headers, body, duplex: 'half' });
  expect(remaining(chunked)).toBe('2');
});

test('does not rate-limit the first write, even if its size alone counts as more writes than the limit', async () => {
  await windowOver();
  const largest = await gateway.request('POST', '/links/import', bodyOfSize(5 * 1_024 * KiB), freePlanKey());
  expect([largest.status, remaining(largest)]).toEqual([400, '0']);
});
