import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../testing/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const html = { accept: 'text/html' };
const get = (path: string, headers: Record<string, string> = html) => fetch(gateway.url + path, { headers });

test.each(['/app', '/app/', '/app/tags', '/app/links/some-id'])('serves the application at %s', async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self'; style-src 'self';/);
  expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe/);
  expect(await response.text()).toContain('<div id="root">');
});

test('serves compressed, immutable assets, with less than 200 KB of scripts after compression with gzip', async () => {
  const page = await (await get('/app')).text();
  const names = [...page.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(1);
  let scripts = 0;
  for (const name of names) {
    const response = await get(name, { 'accept-encoding': 'br' });
    expect([name, response.status, response.headers.get('content-encoding')]).toEqual([name, 200, 'br']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = response.headers.get('etag')!;
    const again = await get(name, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(again.status).toBe(304);
    const sent = await fetch(gateway.url + name, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    if (name.endsWith('.js')) scripts += Number(sent.headers.get('content-length'));
  }
  expect(scripts).toBeGreaterThan(1_000);
  expect(scripts).toBeLessThan(200_000);
});

test.each([
  ['/app/assets/missing.js', html],
  ['/app/nothing.png', { accept: 'image/png' }],
  // The build writes this stamp file to the served folder.
  ['/app/.built', { accept: '*/*' }],
  ['/app/%2e%2e/package.json', { accept: '*/*' }],
])('responds 404 to %s', async (path, headers) => expect((await get(path, headers)).status).toBe(404));
