import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tautanAt, type Tautan } from '@tautan/cli/testing';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Runs commands against the whole product with an API key, as a script would.
let stack: Stack;
let tautan: Tautan;

beforeAll(async () => {
  stack = await shareStack();
  tautan = tautanAt(stack.baseUrl);
});
afterAll(() => tautan?.remove());

const run = (args: string[]) => tautan.run(args, { env: { TAUTAN_API_KEY: stack.apiKey } });

test('creates, changes and deletes a link', async () => {
  const created = await run(['links', 'create', 'https://example.com/first', '--slug', 'First', '--expires', '7d']);
  expect(created.stdout).toBe(`${stack.baseUrl}/First\n`);
  expect((await run(['links', 'create', 'https://example.com', '--slug', 'first'])).stderr).toContain('SLUG_TAKEN');
  const changed = await run([
    'links',
    'update',
    'first',
    '--title',
    'New',
    '--tag',
    'a',
    '--clear',
    'expires',
    '--json',
  ]);
  expect(changed.json()).toMatchObject({ title: 'New', tags: ['a'], expiresAt: null });
  expect((await run(['links', 'get', 'first'])).stdout).toMatch(/^Title +New$/m);
  expect((await run(['links', 'delete', 'first', '--yes'])).code).toBe(0);
  expect((await run(['links', 'get', 'first'])).code).toBe(4);
});

test('creates, renames and deletes tags', async () => {
  expect((await run(['tags', 'create', 'letters'])).code).toBe(0);
  expect((await run(['tags', 'rename', 'Letters', 'mails'])).code).toBe(0);
  expect((await run(['tags', 'list'])).stdout).toMatch(/^mails +0 /m);
  expect((await run(['tags', 'delete', 'mails', '--yes'])).code).toBe(0);
});

test('creates, styles, downloads, shares and deletes a QR code', async () => {
  const created = await run([
    'qr',
    'create',
    'https://example.com/poster',
    '--dots',
    'rounded',
    '--gradient',
    '#000,#1a2b5c,radial',
    '--json',
  ]);
  const { slug, styleConfig } = created.json<{ slug: string; styleConfig: object }>();
  expect(styleConfig).toMatchObject({ dotStyle: 'rounded', gradient: { type: 'radial' } });
  expect((await run(['qr', 'download', slug, '--output', 'code.svg'])).code).toBe(0);
  expect(readFileSync(join(tautan.home, 'code.svg'), 'utf8')).toContain('<svg');
  expect((await run(['qr', 'download', slug, '--output', 'code.svg'])).code).toBe(6);
  const address = (await run(['qr', 'share', slug])).stdout.trim();
  expect((await fetch(address)).headers.get('content-type')).toBe('image/png');
  expect((await run(['qr', 'stats', slug])).stdout).toMatch(/^0 scans/);
  expect((await run(['qr', 'delete', slug, '--yes'])).code).toBe(0);
});

test('changes links in bulk, and manages webhook endpoints', async () => {
  await run(['links', 'create', 'https://example.com/many', '--slug', 'many']);
  expect((await run(['links', 'bulk', 'archive', 'many'])).stdout).toBe('✓ Changed 1 link\n');
  expect((await run(['links', 'stats', 'many', '--json'])).json()).toMatchObject({ totals: { clicks: 0 } });
  const url = 'https://hooks.example.com/many';
  expect((await run(['webhooks', 'create', url, '--events', 'tag.*'])).stdout).toMatch(/^whsec_/);
  expect((await run(['webhooks', 'pause', url, '--json'])).json()).toMatchObject({ active: false });
  expect((await run(['webhooks', 'delete', url, '--yes'])).code).toBe(0);
});

test('rejects API keys for commands that need a signed-in user', async () => {
  const { code, stderr } = await run(['workspaces', 'switch', (await stack.quickstart()).workspaceId]);
  expect(stderr).toContain('PERSON_ONLY');
  expect(code).toBe(1);
});
