import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Tautan, TautanError } from '@tautan/sdk';
import { eventually } from '@tautan/kit/testing';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Runs the client library and the examples of its README against the whole product.
const root = join(import.meta.dirname, '..', '..', '..');
let stack: Stack;
let tautan: Tautan;

beforeAll(async () => {
  stack = await shareStack();
  tautan = new Tautan({ baseUrl: stack.baseUrl, credential: stack.apiKey });
});
afterAll(() => stack?.stop());

const url = 'https://example.com/sdk';

test('creates, reads, updates and deletes a link', async () => {
  const link = await tautan.post('/links', { body: { url, slug: 'sdk-link', tags: ['sdk'] } });
  const path = { id: link.id };
  expect(await tautan.get('/links/{id}', { path: { id: 'sdk-link' } })).toMatchObject({ id: link.id, url });
  expect((await tautan.patch('/links/{id}', { path, body: { title: 'SDK' } })).title).toBe('SDK');
  expect((await tautan.get('/links/{id}/stats', { path })).totals.clicks).toBe(0);
  expect(await tautan.delete('/links/{id}', { path })).toEqual({ id: link.id, deleted: true });
});

test('iterates over a list of several pages without repetition', async () => {
  const body = { dryRun: false, links: Array.from({ length: 25 }, (_, n) => ({ url: `${url}/${n}`, tags: ['walk'] })) };
  expect((await tautan.post('/links/import', { body })).created).toBe(25);
  const list = tautan.list('/links', { query: { tag: ['walk'], limit: 10 } });
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  expect([ids.length, new Set(ids).size]).toEqual([25, 25]);
});

test('creates one link for two calls with the same idempotency key', async () => {
  const call = () => tautan.post('/links', { body: { url }, idempotencyKey: 'sdk-once' });
  expect((await call()).id).toBe((await call()).id);
});

test('streams an export, uploads a logo and downloads an image', async () => {
  const csv = await tautan.fetch('/links/export', { query: { format: 'csv' } });
  expect((await csv.text()).split('\n')[0]).toContain('slug');
  const form = new FormData();
  form.set('logo', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']), 'logo.svg');
  const { logoRunRef } = await tautan.post('/qr-codes/upload-logo', { body: form });
  const { id } = await tautan.post('/qr-codes', { body: { url, logoRunRef } });
  const image = await tautan.fetch('/qr-codes/{id}/download', { path: { id }, query: { format: 'svg' } });
  expect(await image.text()).toContain('<svg');
});

describe('errors', () => {
  test('have the code, field, status and request id of the response', async () => {
    const error: unknown = await tautan.post('/links', { body: { url: 'nothing' } }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TautanError);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'url',
      status: 400,
      requestId: expect.stringMatching(/^req_/),
    });
  });

  test('have the code UNAUTHENTICATED and the status 401 for an invalid credential', async () => {
    const stranger = new Tautan({ baseUrl: stack.baseUrl, credential: 'tau_live_nobody' });
    await expect(stranger.get('/tags')).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
  });
});

describe('README', () => {
  const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/## ([^\n]+)\n\n```js\n(.*?)```/gs)].map(
    ([, title, code]) => [title!, code!] as const,
  );
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tautan-sdk-'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(root, 'sdk', 'src', 'import-formats', 'fixtures', 'shlink.csv'), join(folder, 'links.csv'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (code: string) =>
    promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', code.replaceAll('http://localhost:8080', stack.baseUrl)],
      {
        cwd: folder,
        timeout: 15_000,
        env: { ...process.env, TAUTAN_API_KEY: stack.apiKey, TAUTAN_WEBHOOK_SECRET: 'whsec_c2VjcmV0' },
      },
    );

  test('has examples in the sections about calls, lists, files, errors, webhooks and imports', () =>
    expect(examples.map(([title]) => title)).toEqual(['Calls', 'Lists', 'Files', 'Errors', 'Webhooks', 'Imports']));

  test.each(examples.filter(([title]) => title !== 'Webhooks'))(
    'the example %s runs as printed',
    async (title, code) => {
      const { stdout, stderr } = await start(code);
      expect(stderr).toBe('');
      if (title === 'Calls') expect(stdout).toMatch(/^http\S+\n0 clicks\n$/);
      if (title === 'Lists') expect(stdout).toMatch(/\n10\n$/);
      if (title === 'Files') expect(readFileSync(join(folder, 'poster.png')).subarray(1, 4).toString()).toBe('PNG');
      if (title === 'Imports') expect(stdout).toMatch(/^shlink .*\n0 0 .*status: 'valid'/s);
      if (title === 'Errors') expect(stdout).toMatch(/^VALIDATION_ERROR url 400 req_\S+ \S/);
    },
  );

  test('the example Webhooks accepts a signed event, and rejects a changed one', async () => {
    const { Webhook } = await import('standardwebhooks');
    const code = examples
      .find(([title]) => title === 'Webhooks')![1]
      .replace('listen(3000)', "listen(0, '127.0.0.1', () => console.log(server.address().port))");
    const running = start(code);
    running.catch(() => undefined);
    let stdout = '';
    running.child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const port = await eventually(
      () => /^\d+/.exec(stdout)?.[0] ?? Promise.reject(new Error('The example is not listening yet.')),
    );
    const body = JSON.stringify({ type: 'link.created', data: { shortUrl: 'https://go.example.com/spring' } });
    const at = new Date();
    const signature = new Webhook('whsec_c2VjcmV0').sign('evt_1', at, body);
    const send = (text: string) =>
      fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        body: text,
        headers: {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signature,
        },
      });
    expect([(await send(body)).status, (await send(`${body} `)).status]).toEqual([204, 400]);
    await eventually(() => expect(stdout).toContain('https://go.example.com/spring'));
    running.child.kill();
  });
});
