import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { eventually, until } from '@tautan/kit/testing';
import { MongoClient } from 'mongodb';
import { tautanAdmin } from '../support/admin.js';
import { aLink, apiClient, listAll, type ApiLink } from '../support/client.js';
import type { ApiAuditEntry } from '../support/events.js';
import { accepted, aPerson, type ApiWorkspace } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// Runs tautan-admin beside the services of a complete stack.
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
}, 40_000);
afterAll(() => stack?.stop(), 20_000);

const admin = (service: string, ...args: string[]) => tautanAdmin(stack, service, ...args);

/** Returns the standard output of a command. Throws if it fails. */
async function output(service: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(service, ...args);
  if (code !== 0) throw new Error(`tautan-admin ${args.join(' ')}: ${code} ${stderr}`);
  return stdout.trim();
}

const aWorkspace = (...more: string[]) =>
  output('workspaces', 'workspaces', 'create', 'Kopi Kenangan', '--quiet', ...more);

test('creates a workspace, and an API key with which a link can be created and visited', async () => {
  const email = `${randomUUID()}@example.com`;
  const workspaceId = await aWorkspace('--owner', email, '--plan', 'BUSINESS');
  const key = await output('workspaces', 'keys', 'create', workspaceId, 'first key', '--quiet');

  const response = await fetch(`${stack.baseUrl}/api/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/first', slug: 'first-of-all' }),
  });
  expect(response.status).toBe(201);
  const { data: link } = (await response.json()) as { data: ApiLink };
  expect((await visit(stack.baseUrl, '/first-of-all')).headers['location']).toBe(link.url);

  const owner = await aPerson(stack, { email });
  const listedWorkspaces = accepted(await owner.in(workspaceId).get<ApiWorkspace[]>('/workspaces'));
  const expected = { id: workspaceId, name: 'Kopi Kenangan', role: 'owner', plan: 'BUSINESS' };
  expect(listedWorkspaces).toContainEqual(expect.objectContaining(expected));

  const listed = (await admin('workspaces', 'workspaces', 'list', '--json')).json<{ workspaces: object[] }>();
  const listing = { id: workspaceId, owner: { email, status: 'active' }, memberCount: 1 };
  expect(listed.workspaces).toContainEqual(expect.objectContaining(listing));
  const keys = (await admin('workspaces', 'keys', 'list', workspaceId, '--json')).json<
    { id: string; label: string }[]
  >();
  expect(keys).toMatchObject([{ label: 'first key', createdByType: 'system' }]);

  await output('workspaces', 'workspaces', 'set-plan', workspaceId, 'PRO');
  expect(accepted(await owner.in(workspaceId).get('/billing/plan'))).toMatchObject({ name: 'PRO' });
  await output('workspaces', 'keys', 'revoke', workspaceId, keys[0]!.id);
  await eventually(async () => {
    const { status } = await apiClient({ ...stack, apiKey: key }).get('/links');
    if (status !== 401) throw new Error(`the key still works: ${status}`);
  });

  const entries = await until(async () => {
    const all = await listAll<ApiAuditEntry>(owner.in(workspaceId), '/audit-log?limit=200');
    return all.some(({ action }) => action === 'api_key.revoked') && all;
  });
  const byOperator = entries.filter(({ actor }) => actor.name === 'operator');
  const actions = ['api_key.created', 'api_key.revoked', 'member.invited', 'workspace.created', 'workspace.updated'];
  expect(byOperator.map(({ action }) => action).sort()).toEqual(actions);
  expect(byOperator[0]).toMatchObject({ actor: { type: 'system', id: null }, ip: null });
}, 60_000);

test.each(['links', 'qr', 'workspaces', 'billing', 'webhooks'])(
  'shard reports that the database of %s is not a sharded cluster',
  async (service) => {
    const { code, stdout, stderr } = await admin(service, 'shard', '--apply');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^The database is not a sharded cluster\. Set MONGODB_URI to the address of a mongos/);
  },
);

test('status lists every service with its connections', async () => {
  const { code, stdout } = await admin('billing', 'status');
  for (const service of ['billing', 'gateway', 'links', 'qr', 'webhooks', 'workspaces'])
    expect(stdout).toMatch(new RegExp(`^${service} .* nats ok$`, 'm'));
  expect(code).toBe(0);
}, 30_000);

test('rebuilds the statistics of a day in the running service', async () => {
  const link = await aLink(apiClient(stack), { slug: 'rebuilt' });
  for (let i = 0; i < 3; i += 1) await visit(stack.baseUrl, '/rebuilt');
  const day = new Date().toISOString().slice(0, 10);
  const totals = async () =>
    accepted(await apiClient(stack).get<{ totals: { clicks: number } }>(`/links/${link.id}/stats`)).totals.clicks;
  await until(async () => (await totals()) === 3, 20_000);
  expect(await output('links', 'stats', 'rebuild', day)).toMatch(new RegExp(`^${day} +\\d+ +\\d+$`, 'm'));
  expect(await totals()).toBe(3);
  expect(await admin('links', 'stats', 'rebuild', '2030-02-30')).toMatchObject({
    code: 2,
    stderr: '2030-02-30 is not a date. Use YYYY-MM-DD (UTC).\n',
  });
  expect((await admin('links', 'stats', 'rebuild', '2030-02-02', '2030-02-01')).code).toBe(2);
}, 60_000);

test.each([
  ['links', 'links'],
  ['qr', 'qrCodes'],
  ['webhooks', 'webhookEndpoints'],
  ['workspaces', 'members'],
])(
  'finds and repairs wrong counters of %s',
  async (service, limit) => {
    const workspaceId = await aWorkspace('--owner', `${randomUUID()}@example.com`);
    const key = await output('workspaces', 'keys', 'create', workspaceId, 'CI', '--quiet');
    accepted(await apiClient({ ...stack, apiKey: key }).get('/billing/usage'));
    const { uri } = (await stack.quickstart()).mongodb;
    const client = await MongoClient.connect(uri);
    const counters = client
      .db(`${stack.databasePrefix}tautan_${service}`)
      .collection<{ _id: string }>('usage_counters');
    const { modifiedCount } = await counters.updateOne(
      { _id: new RegExp(`^${workspaceId}/${limit}`) },
      { $inc: { used: 7 } },
    );
    expect(modifiedCount).toBe(1);
    const wrong = await admin(service, 'usage', 'check', workspaceId);
    expect(wrong).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`${workspaceId} +${limit} .*7 too high`)),
    });
    await output(service, 'usage', 'check', workspaceId, '--repair');
    expect(await output(service, 'usage', 'check', workspaceId)).toMatch(/^\d+ counters? checked, all correct\.$/);
    await client.close();
  },
  60_000,
);

describe('dead letters', () => {
  const subjects = [
    ['links', 'clicks.3'],
    ['qr', 'events.tag.deleted'],
    ['webhooks', 'events.tag.deleted'],
    ['workspaces', 'events.link.created'],
  ] as const;
  /**
   * The payload of a broken message, by service. The messages are published before the tests, because a message is
   * dead-lettered only after several redeliveries.
   */
  const broken = new Map(subjects.map(([service]) => [service, `{"broken":"${randomUUID()}`]));

  let bus: Bus;
  beforeAll(async () => {
    bus = new Bus({ url: (await stack.quickstart()).nats.url, name: 'test', log: createLog('test', 'silent') });
    await until(() => bus.connected);
    for (const [service, subject] of subjects) await bus.publish(subject, broken.get(service)!, { id: newId('evt') });
  });
  afterAll(() => bus?.close());

  interface Letters {
    deadLetters: { id: string; subject: string; reason: string }[];
  }
  const lettersOf = async (service: string) =>
    (await admin(service, 'dead-letters', 'list', '--json')).json<Letters>().deadLetters;

  test.each(subjects.map(([service]) => service))(
    'of %s are listed and shown, and kept if their replay fails',
    async (service) => {
      const text = broken.get(service);
      const payloadOf = async (id: string) =>
        (await admin(service, 'dead-letters', 'show', id, '--json')).json<{ payload: string }>().payload;
      const letter = await until(async () => {
        for (const found of await lettersOf(service)) if ((await payloadOf(found.id)) === text) return found;
        return undefined;
      }, 90_000);
      expect(letter.reason).not.toBe('');
      const replayed = await admin(service, 'dead-letters', 'replay', letter.id);
      expect(replayed.code).toBe(1);
      expect(replayed.stdout).toContain(`${letter.id}  The message failed again: `);
      expect(await lettersOf(service)).toContainEqual(letter);
      expect(await admin(service, 'dead-letters', 'replay', newId('evt'))).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('No dead letter with the id'),
      });
      expect((await admin(service, 'dead-letters', 'replay')).code).toBe(2);
    },
    120_000,
  );

  test('that hold the same batch of clicks add its clicks only once when both are replayed', async () => {
    const { mongodb } = await stack.quickstart();
    const link = await aLink(apiClient(stack), { slug: 'replayed' });
    const client = await MongoClient.connect(mongodb.uri);
    const letters = client.db(`${stack.databasePrefix}tautan_links`).collection<{ _id: string }>('dead_letters');
    const batches: { subject: string; payload: Buffer }[] = [];
    bus.listen('clicks.*', (batch) => void batches.push({ subject: '', payload: Buffer.from(JSON.stringify(batch)) }));
    await visit(stack.baseUrl, '/replayed');
    const clicks = async () => accepted(await apiClient(stack).get<ApiLink>(`/links/${link.id}`)).clickCount;
    await until(async () => (await clicks()) === 1, 20_000);
    const batch = await until(() => batches.find(({ payload }) => payload.includes(link.id)));
    // A copy of the batch with a new id, so that it has not been applied yet.
    const parsed = JSON.parse(batch.payload.toString()) as { id: string };
    const payload = Buffer.from(JSON.stringify({ ...parsed, id: newId('evt').slice(4) }));
    const insertLetter = async (_id: string) =>
      letters.insertOne({ _id, subject: 'clicks.0', payload, reason: 'broken', at: new Date() } as { _id: string });
    for (const id of ['01', '02']) {
      await insertLetter(id);
      await output('links', 'dead-letters', 'replay', id);
      expect(await letters.countDocuments({ _id: id })).toBe(0);
    }
    await until(async () => (await clicks()) === 2);
    await client.close();
  }, 60_000);
});
