import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMongo, type Mongo } from '@tautan/local-mongo';
import { aLink, apiClient, type ApiLink, type Client } from '../support/client.js';
import { CommandCounter, total, type CommandCounts } from '../support/command-counter.js';
import { accepted } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';

// Most of the cost of a request that changes data is its database commands, so this suite fails if such a request sends
// an additional one.

let folder: string;
let mongo: Mongo;
let stack: Stack;
let client: Client;
let counter: CommandCounter;

/**
 * Runs work and waits for its asynchronous effects. Returns the number of commands by service, command name and
 * collection.
 */
const commandsOf = (work: () => Promise<unknown>): Promise<CommandCounts> => counter.of(work);
const create = (fields: Record<string, unknown> = {}): Promise<ApiLink> => aLink(client, fields);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tautan-commands-'));
  counter = new CommandCounter();
  mongo = await startMongo({ dataDir: folder });
  stack = await startStack({ env: { MONGODB_URI: mongo.uri }, readyWithinMs: 60_000 });
  client = apiClient(stack);
  await create({ tags: ['shared'] });
}, 90_000);
afterAll(async () => {
  await stack.stop();
  await mongo.stop();
  counter.stop();
  await rm(folder, { recursive: true });
});

/**
 * The commands that an event causes: its write to the outbox in the transaction of the change, its deletion after it
 * was published, an entry of the audit log, and a query for webhook endpoints.
 */
const eventCommands = (service: string) => ({
  [`${service}: insert outbox`]: 1,
  [`${service}: delete outbox`]: 1,
  'workspaces: find audit_heads': 1,
  'workspaces: update audit_heads': 1,
  'workspaces: insert audit': 1,
  'workspaces: commitTransaction': 1,
  'webhooks: find endpoints': 1,
});
/**
 * The commands that an event causes if it changes a count of the workspace: `eventCommands`, and two commands that
 * change the count in the transaction of the audit entry.
 */
const countedEventCommands = (service: string) => ({
  ...eventCommands(service),
  'workspaces: insert applied_events': 1,
  'workspaces: update workspaces': 1,
});

test('creating a link sends only the expected commands', async () => {
  expect(await commandsOf(() => create())).toEqual({
    'links: update usage_counters': 1,
    'links: insert links': 1,
    'links: update redirects': 1,
    'links: commitTransaction': 1,
    ...countedEventCommands('links'),
  });
});

test('updating a link sends only the expected commands', async () => {
  const { id } = await create();
  expect(await commandsOf(async () => accepted(await client.patch(`/links/${id}`, { title: 'New' })))).toEqual({
    'links: find links': 1,
    'links: update links': 1,
    'links: commitTransaction': 1,
    ...eventCommands('links'),
  });
});

test('deleting a link sends only the expected commands', async () => {
  const { id } = await create();
  expect(await commandsOf(() => client.delete(`/links/${id}`))).toEqual({
    'links: find links': 1,
    'links: delete links': 1,
    'links: findAndModify redirects': 1,
    'links: update usage_counters': 1,
    'links: commitTransaction': 1,
    ...countedEventCommands('links'),
  });
});

test('creating a QR code sends only the expected commands', async () => {
  const createQrCode = async (): Promise<unknown> =>
    accepted(await client.post('/qr-codes', { title: 'Poster', url: 'https://www.example.com/poster' }));
  // The first QR code of a workspace also creates the workspace's counters.
  await createQrCode();
  expect(await commandsOf(createQrCode)).toEqual({
    'links: find qr_targets': 1,
    'links: insert qr_targets': 1,
    'links: update redirects': 1,
    'links: commitTransaction': 1,
    'qr: update usage_counters': 1,
    'qr: insert qr_codes': 1,
    'qr: update qr_codes': 1,
    'qr: commitTransaction': 2,
    ...countedEventCommands('qr'),
  });
});

test('consecutive creations of links share all commands except those of their transactions', async () => {
  const count = 40;
  const startedAt = performance.now();
  let seconds = 0;
  const commands = await commandsOf(async () => {
    for (let i = 0; i < count; i += 1) await create();
    seconds = (performance.now() - startedAt) / 1_000;
  });
  /** The maximum number of batches that a batcher with this interval sends in the measured time. */
  const batches = (intervalSeconds: number): number => Math.min(count, Math.ceil(seconds / intervalSeconds) + 1);
  const transactionCommands = count * 5;
  const auditCommands = 6 * batches(0.5);
  const outboxDeletions = batches(0.2);
  const endpointQueries = batches(0.05);
  // Fewer than 8 per link if a creation takes less than 0.1 s.
  expect(total(commands)).toBeLessThanOrEqual(transactionCommands + auditCommands + outboxDeletions + endpointQueries);
});

test.each([
  ['', {}],
  [' with a common tag', { tags: ['shared'] }],
])('concurrent creations of links%s share nearly all commands', async (_, body) => {
  const commands = await commandsOf(async () => {
    for (let i = 0; i < 5; i += 1) await Promise.all(Array.from({ length: 20 }, () => create(body)));
  });
  expect(total(commands) / 100).toBeLessThanOrEqual(2);
});

test('an idle installation sends only polls, at most two per second', async () => {
  // Outboxes are swept more often during the first ten seconds.
  await setTimeout(10_000);
  const { commands, pollsPerSecond } = await counter.idle(10_000);
  expect(commands).toEqual({});
  expect(pollsPerSecond).toBeLessThanOrEqual(2);
});
