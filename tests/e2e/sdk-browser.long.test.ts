import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@tautan/kit/testing';
import type * as Sdk from '@tautan/sdk';
import type * as ImportFormats from '@tautan/sdk/import-formats';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { startStack, type Stack } from '../support/stack.js';

// These tests load the built modules of the client library in a page of another origin, without a bundler.
const root = join(import.meta.dirname, '..', '..', '..');
const page = `<!doctype html><title>SDK</title><script type="importmap">
{"imports": {"@tautan/sdk": "/sdk/index.js", "@tautan/sdk/import-formats": "/sdk/import-formats/index.js",
"openapi-fetch": "/openapi-fetch.mjs", "csv-parse/browser/esm/sync": "/csv-parse.mjs"}}</script>
<script type="module">import * as sdk from '@tautan/sdk'; import * as imports from '@tautan/sdk/import-formats';
window.sdk = sdk; window.imports = imports; document.body.dataset.ready = '';</script>`;
const dependencies: Record<string, string> = {
  '/openapi-fetch.mjs': 'openapi-fetch/dist/index.mjs',
  '/csv-parse.mjs': 'csv-parse/dist/esm/sync.js',
};

/** The modules that the page exposes to the tests as global variables. */
interface Globals {
  sdk: typeof Sdk;
  imports: typeof ImportFormats;
}

let stack: Stack;
let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    const [, module] = /^\/sdk\/([\w./-]+\.js)$/.exec(url) ?? [];
    const dependency = dependencies[url];
    const sdkModule = module && join(root, 'sdk', 'dist', module);
    const file = sdkModule ?? (dependency && join(root, 'node_modules', dependency));
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html');
    response.end(file ? readFileSync(file) : page);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${port}`;
  stack = await startStack({ env: { CORS_ORIGINS: origin } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  server?.closeAllConnections();
  await stack?.stop();
});

/** Opens the page. Returns it with the messages of its uncaught errors. */
async function openPage(): Promise<{ tab: Page; errors: string[] }> {
  const tab = await browser.newPage();
  const errors: string[] = [];
  tab.on('pageerror', (error) => errors.push(error.message));
  await tab.goto(origin);
  await tab.locator('body[data-ready]').waitFor({ state: 'attached' });
  return { tab, errors };
}

test('a page calls the API, reads an error and a list, and rejects a webhook with a wrong signature', async () => {
  const { tab, errors } = await openPage();
  const result = await tab.evaluate(
    async ({ baseUrl, credential }) => {
      const { Tautan, TautanError, verifyWebhook } = (globalThis as unknown as Globals).sdk;
      const tautan = new Tautan({ baseUrl, credential });
      const { id } = await tautan.post('/links', { body: { url: 'https://example.com/browser' } });
      const listed = await tautan.list('/links', { query: { limit: 1 } }).toArray();
      const refused: unknown = await tautan.post('/links', { body: { url: '' } }).catch((error: unknown) => error);
      const late: unknown = await tautan.get('/links', { timeoutMs: 1 }).catch((error: unknown) => error);
      const forged: unknown = await verifyWebhook(
        '{}',
        {
          'webhook-id': 'a',
          'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
          'webhook-signature': 'v1,AAAA',
        },
        'whsec_c2VjcmV0',
      ).catch((error: unknown) => error);
      const deleted = await tautan.delete('/links/{id}', { path: { id } });
      const codes = [refused, late, forged].map((error) => (error instanceof TautanError ? error.code : String(error)));
      return { listed: listed.some((link) => link.id === id), deleted: deleted.deleted, codes };
    },
    { baseUrl: stack.baseUrl, credential: stack.apiKey },
  );
  expect(result).toEqual({
    listed: true,
    deleted: true,
    codes: ['VALIDATION_ERROR', 'REQUEST_TIMED_OUT', 'INVALID_SIGNATURE'],
  });
  expect(errors).toEqual([]);
});

test('a page reads an export of another product, and imports its links', async () => {
  const { tab, errors } = await openPage();
  const result = await tab.evaluate(
    async ({ baseUrl, credential }) => {
      const { sdk, imports } = globalThis as unknown as Globals;
      const csv = 'Title;Link;Long URL\nMenu;bit.ly/menu-in-browser;https://example.com/menu\nWrong;;\n';
      const { format, columns, rows, problems } = imports.parseImport(csv);
      const tautan = new sdk.Tautan({ baseUrl, credential });
      const { created } = await tautan.post('/links/import', { body: { links: rows.map(({ item }) => item) } });
      const { url } = await tautan.get('/links/{id}', { path: { id: 'menu-in-browser' } });
      return { format, fields: columns.map(({ field }) => field), created, url, problems: problems.length };
    },
    { baseUrl: stack.baseUrl, credential: stack.apiKey },
  );
  expect(result).toEqual({
    format: 'bitly',
    fields: ['title', 'slug', 'url'],
    created: 1,
    url: 'https://example.com/menu',
    problems: 1,
  });
  expect(errors).toEqual([]);
});
