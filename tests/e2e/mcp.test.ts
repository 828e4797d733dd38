import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mcpClient, type McpTestClient } from '@tautan/cli/testing';
import type { ApiLink } from '../support/client.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Tests `tautan mcp` through the official client of the protocol, against the whole product.

let stack: Stack;
let reader: McpTestClient;
let writer: McpTestClient;

beforeAll(async () => {
  stack = await shareStack();
  [reader, writer] = await Promise.all([
    mcpClient(stack.baseUrl, stack.apiKey),
    mcpClient(stack.baseUrl, stack.apiKey, ['--write']),
  ]);
});
afterAll(() => Promise.all([reader?.close(), writer?.close()]));

const toolsOf = async ({ client }: McpTestClient) => (await client.listTools()).tools;
const readTools = [
  'search_links',
  'get_link',
  'get_link_stats',
  'search_qr_codes',
  'get_qr_code',
  'get_qr_code_image',
  'get_qr_code_stats',
  'get_workspace_stats',
  'get_workspace',
  'list_tags',
  'list_domains',
];
const writeTools = ['create_link', 'update_link', 'create_qr_code', 'update_qr_code'];

test('offers only tools that read, unless --write is set', async () => {
  expect((await toolsOf(reader)).map(({ name }) => name)).toEqual(readTools);
  expect((await toolsOf(writer)).map(({ name }) => name)).toEqual([...readTools, ...writeTools]);
  const result = await reader.call('create_link', { url: 'https://example.com' });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('create_link') }] });
});

test('describes every tool and every field of its input', async () => {
  for (const { name, description, inputSchema, annotations } of await toolsOf(writer)) {
    expect(description).toMatch(/\.$/);
    expect(annotations?.readOnlyHint).toBe(readTools.includes(name));
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
      expect([name, field, (schema as { description?: string }).description]).toEqual([
        name,
        field,
        expect.any(String),
      ]);
  }
});

test('creates, finds and changes a link, and reads its statistics', async () => {
  const created = await writer.json<ApiLink>('create_link', {
    url: 'https://example.com/mcp',
    slug: 'mcp',
    tags: ['ai'],
  });
  expect(created).toMatchObject({ shortUrl: `${stack.baseUrl}/mcp`, tags: ['ai'] });
  const found = await reader.json<{ links: ApiLink[] }>('search_links', { q: 'example.com/mcp' });
  expect(found.links.map(({ id }) => id)).toEqual([created.id]);
  const changed = await writer.json<ApiLink>('update_link', { link: 'mcp', title: 'Assistant', tags: null });
  expect(changed).toMatchObject({ id: created.id, title: 'Assistant', tags: [] });
  expect(await reader.json('get_link', { link: created.id })).toMatchObject({ title: 'Assistant' });
  expect(await reader.json('get_link_stats', { link: 'mcp', tz: 'Asia/Jakarta' })).toMatchObject({
    tz: 'Asia/Jakarta',
    totals: { clicks: 0 },
  });
  expect(await reader.json<{ tags: object[] }>('list_tags')).toMatchObject({ tags: [{ name: 'ai' }] });
  expect(await reader.json('list_domains')).toEqual({ domains: [] });
});

test('creates and changes a QR code, and returns its image', async () => {
  const code = await writer.json<{ id: string }>('create_qr_code', {
    url: 'https://example.com/poster',
    styleConfig: { dotStyle: 'dots' },
  });
  await writer.json('update_qr_code', { qrCode: code.id, title: 'Poster' });
  expect(await reader.json('get_qr_code', { qrCode: code.id })).toMatchObject({
    title: 'Poster',
    styleConfig: { dotStyle: 'dots' },
  });
  const { content } = await reader.call('get_qr_code_image', { qrCode: code.id });
  const [image] = content as unknown as [{ data: string; mimeType: string }];
  expect(image.mimeType).toBe('image/png');
  expect(Buffer.from(image.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
});

test('reports an error with its code and field, and keeps serving', async () => {
  await expect(writer.json('create_link', { url: 'nothing' })).rejects.toThrow('"code":"VALIDATION_ERROR"');
  await expect(writer.json('create_link', { url: 'nothing' })).rejects.toThrow('"field":"url"');
  await expect(reader.json('get_link', { link: 'nowhere' })).rejects.toThrow('"code":"NOT_FOUND"');
  await expect(reader.json('search_links', { limit: 0 })).rejects.toThrow('limit');
  expect(await reader.json('get_workspace')).toMatchObject({ plan: expect.any(String) });
});
