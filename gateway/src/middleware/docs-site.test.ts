import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { State } from '../state.js';
import { raw } from '../testing/raw.js';
import { docsSite } from './docs-site.js';

let root: string;
let folder: string;
let server: Server;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { headers, method });
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tautan-site-'));
  folder = join(root, 'site');
  mkdirSync(join(folder, 'guides'), { recursive: true });
  const files = {
    '../package.json': '{}',
    'index.html': 'home',
    'guides/first.html': 'guide',
    'guides/first.md': '# Guide',
    '.fingerprint': 'secret',
    'site.js': 'script '.repeat(100),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const app = new Koa<State>();
  app.use(docsSite(folder));
  server = createServer((request, response) => void app.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

test.each([
  ['/docs', 'home', 'text/html'],
  ['/docs/', 'home', 'text/html'],
  ['/docs/guides/first', 'guide', 'text/html'],
  ['/docs/guides/first.md', '# Guide', 'text/markdown'],
])('serves %s with a strict content security policy', async (path, text, type) => {
  const response = await get(path);
  expect([response.status, await response.text()]).toEqual([200, text]);
  expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy).not.toContain('unsafe');
});

test('compresses files and supports ETags', async () => {
  const response = await get('/docs/site.js', { 'accept-encoding': 'gzip' });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const etag = response.headers.get('etag')!;
  expect((await get('/docs/site.js', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  expect(await (await get('/docs/site.js', {}, 'HEAD')).text()).toBe('');
});

test.each([
  '/docs/index.html.bak',
  '/docs/.fingerprint',
  '/docs/guides',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/__proto__',
  '/docsx',
])('does not serve %s', async (path) => {
  const { port } = server.address() as AddressInfo;
  // Raw, because fetch resolves `..` in a path.
  const response = await raw(
    `http://127.0.0.1:${port}`,
    `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 404 /);
});

test('serves only GET and HEAD', async () => expect((await get('/docs', {}, 'POST')).status).toBe(404));

test('the middleware can be created even if the site has not been built', () => {
  expect(() => docsSite(join(folder, 'missing'))).not.toThrow();
});
