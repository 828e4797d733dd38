import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type Client } from '../support/client.js';
import { startRedirectReplica, type Replica } from '../support/processes.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// Two redirect replicas behave like one.
let stack: Stack;
let api: Client;
let second: Replica;
let spill: string;
let origins: string[];

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
  spill = await mkdtemp('/tmp/tautan-spill-');
  second = await startRedirectReplica(stack, spill);
  const first = (await stack.quickstart()).services.find(({ name }) => name === 'redirect')!.http!;
  origins = [first, second.http];
});
afterAll(async () => {
  await second?.stop();
  await rm(spill, { recursive: true, force: true });
});

const request = (origin: string, slug: string) =>
  visit(origin, `/${slug}`, { headers: { host: new URL(stack.baseUrl).host } });
const onBoth = (slug: string, check: (response: Awaited<ReturnType<typeof request>>) => void) =>
  eventually(async () => {
    for (const origin of origins) check(await request(origin, slug));
  }, 1_000);

test('1,000 concurrent visits to a link with maxClicks 100 result in exactly 100 redirects', async () => {
  const link = await aLink(api, { maxClicks: 100 });
  const responses = await Promise.all(Array.from({ length: 1_000 }, (_, i) => request(origins[i % 2]!, link.slug)));
  expect(responses.filter(({ status }) => status === 302)).toHaveLength(100);
  expect(responses.filter(({ status }) => status === 410)).toHaveLength(900);
  await eventually(async () => expect((await api.get<ApiLink>(`/links/${link.id}`)).data.clickCount).toBe(100));
});

test('updating, archiving and deleting a link take effect on both replicas within 1 s', async () => {
  const link = await aLink(api);
  await onBoth(link.slug, ({ status }) => expect(status).toBe(302));
  await api.patch(`/links/${link.id}`, { url: 'https://example.com/second' });
  await onBoth(link.slug, ({ headers }) => expect(headers['location']).toBe('https://example.com/second'));
  await api.patch(`/links/${link.id}`, { status: 'archived' });
  await onBoth(link.slug, ({ status }) => expect(status).toBe(410));
  await api.patch(`/links/${link.id}`, { status: 'active' });
  await onBoth(link.slug, ({ status }) => expect(status).toBe(302));
  await api.delete(`/links/${link.id}`);
  await onBoth(link.slug, ({ status }) => expect(status).toBe(404));
});

test('clicks on both replicas are counted together', async () => {
  const link = await aLink(api);
  for (let i = 0; i < 50; i += 1) await request(origins[i % 2]!, link.slug);
  await eventually(async () => expect((await api.get<ApiLink>(`/links/${link.id}`)).data.clickCount).toBe(50));
});
