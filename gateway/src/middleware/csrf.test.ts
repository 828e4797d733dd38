import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../testing/gateway.js';

const cookie = (session: string) => ({ authorization: '', cookie: `other=1; tautan_session=${session}; more=2` });

describe('a change with the session cookie', () => {
  let site: TestGateway;
  let withoutBaseUrl: TestGateway;

  beforeAll(async () => {
    site = await startGateway({ BASE_URL: 'https://go.example/' });
    withoutBaseUrl = await startGateway();
  });
  afterEach(() => void site.services.calls.splice(0));
  afterAll(async () => {
    await site.stop();
    await withoutBaseUrl.stop();
  });

  const write = (headers: Record<string, string>, at = site) =>
    at.request('POST', '/tags', { name: 'a' }, { ...cookie(at.services.people.member.session), ...headers });

  test.each<[string, Record<string, string>]>([
    ['the origin of BASE_URL', { origin: 'https://go.example' }],
    [
      'the origin of BASE_URL, regardless of Sec-Fetch-Site',
      { origin: 'https://go.example', 'sec-fetch-site': 'cross-site' },
    ],
    ['no origin and Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }],
  ])('is accepted with %s', async (_name, headers) => expect((await write(headers)).status).toBe(201));

  test.each<[string, Record<string, string>]>([
    ['neither Origin nor Sec-Fetch-Site', {}],
    ['another origin', { origin: 'https://evil.example' }],
    [
      'another origin and Sec-Fetch-Site same-origin',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['another scheme', { origin: 'http://go.example' }],
    ['another port', { origin: 'https://go.example:8443' }],
    ['a subdomain', { origin: 'https://x.go.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }],
  ])('is FORBIDDEN with %s', async (_name, headers) => {
    const { status, error } = await write(headers);
    expect([status, error!.code]).toEqual([403, 'FORBIDDEN']);
    expect(site.services.calls).toEqual([]);
  });

  test.each(['PATCH', 'DELETE'])('is FORBIDDEN with the method %s from another origin', async (method) => {
    const headers = { ...cookie(site.services.people.member.session), origin: 'https://evil.example' };
    const { status } = await site.request(
      method,
      '/tags/tag_1',
      method === 'PATCH' ? { name: 'b' } : undefined,
      headers,
    );
    expect(status).toBe(403);
  });

  test('is accepted from another origin with an Authorization header; a read from another origin needs only the cookie', async () => {
    const origin = 'https://evil.example';
    const authorization = `Bearer ${site.services.people.member.token}`;
    expect((await write({ authorization, origin })).status).toBe(201);
    const read = { ...cookie(site.services.people.member.session), origin, 'sec-fetch-site': 'cross-site' };
    expect((await site.request('GET', '/tags', undefined, read)).status).toBe(200);
  });

  test('must come from the origin of the Host header if BASE_URL is not set', async () => {
    const own = new URL(withoutBaseUrl.url).host;
    expect((await write({ origin: `http://${own}` }, withoutBaseUrl)).status).toBe(201);
    for (const origin of ['http://evil.example', `http://${own}.evil.example`, 'null', 'nonsense']) {
      expect((await write({ origin }, withoutBaseUrl)).status).toBe(403);
    }
  });
});
