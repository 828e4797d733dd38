import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../testing/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test.each(['/docs', '/docs/'])('%s is a page titled Tautan that allows nothing from outside', async (path) => {
  const response = await fetch(gateway.url + path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'/,
  );
  const page = await response.text();
  expect(page).toMatch(/<title>Tautan[^<]*<\/title>/);
  expect(page).not.toMatch(/https?:\/\//);
});

test('everything that the page asks for is there, typed, compressed and cached', async () => {
  const page = await (await fetch(`${gateway.url}/docs`)).text();
  const addresses = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, address]) => address!);
  expect(addresses).toContain('/docs/swagger-ui-bundle.js');
  for (const address of addresses) {
    const response = await fetch(gateway.url + address, { headers: { 'accept-encoding': 'gzip' } });
    expect([address, response.status, response.headers.get('content-encoding')]).toEqual([address, 200, 'gzip']);
    expect(response.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|image\/svg)/);
    const etag = response.headers.get('etag')!;
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect(
      (await fetch(gateway.url + address, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
    ).toBe(304);
  }
});

test.each([
  '/docs/package.json',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/index.html',
  '/docs/__proto__',
])('%s is not served', async (path) => expect((await fetch(gateway.url + path)).status).toBe(404));
