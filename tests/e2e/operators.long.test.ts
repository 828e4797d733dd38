import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
});
afterAll(() => stack?.stop());

const admin = (service: string, ...args: string[]) => tautanAdmin(stack, service, ...args);

/** Returns the standard output of a command. Throws if it fails. */
async function output(service: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(service, ...args);
  if (code !== 0) throw new Error(`tautan-admin ${args.join(' ')}: ${code} ${stderr}`);
  return stdout.trim();
}

const aWorkspace = (...more: string[]) =>
  output('workspaces', 'workspaces', 'create', 'Kopi Kenangan', '--quiet', ...more);

test('creates a workspace and a working API key, sets the plan and revokes the key; the audit log has all changes', async () => {
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
});

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
});

test('rebuilds the statistics of a day in the running service', async () => {
  const link = await aLink(apiClient(stack), { slug: 'rebuilt' });
  for (let i = 0; i < 3; i += 1) await visit(stack.baseUrl, '/rebuilt');
  const day = new Date().toISOString().slice(0, 10);
  const totals = async () =>
    accepted(await apiClient(stack).get<{ totals: { clicks: number } }>(`/links/${link.id}/stats`)).totals.clicks;
  await until(async () => (await totals()) === 3);
  const client = await MongoClient.connect((await stack.quickstart()).mongodb.uri);
  const days = client.db(`${stack.databasePrefix}tautan_links`).collection<{ _id: string }>('stats_days');
  await days.deleteMany({ _id: new RegExp(`^${link.id}/`) });
  await client.close();
  expect(await totals()).toBe(0);
  expect(await output('links', 'stats', 'rebuild', day)).toMatch(new RegExp(`^${day} +\\d+ +\\d+$`, 'm'));
  expect(await totals()).toBe(3);
  expect(await admin('links', 'stats', 'rebuild', '2030-02-30')).toMatchObject({
    code: 2,
    stderr: '2030-02-30 is not a date. Use YYYY-MM-DD (UTC).\n',
  });
  expect((await admin('links', 'stats', 'rebuild', '2030-02-02', '2030-02-01')).code).toBe(2);
});

test.each([
  ['links', 'links'],
  ['qr', 'qrCodes'],
  ['webhooks', 'webhookEndpoints'],
  ['workspaces', 'members'],
])('finds and repairs wrong counters of %s', async (service, limit) => {
  const workspaceId = await aWorkspace('--owner', `${randomUUID()}@example.com`);
  const key = await output('workspaces', 'keys', 'create', workspaceId, 'CI', '--quiet');
  accepted(await apiClient({ ...stack, apiKey: key }).get('/billing/usage'));
  const { uri } = (await stack.quickstart()).mongodb;
  const client = await MongoClient.connect(uri);
  const counters = client.db(`${stack.databasePrefix}tautan_${service}`).collection<{ _id: string }>('usage_counters');
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
});
