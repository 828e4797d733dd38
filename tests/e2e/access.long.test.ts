import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allowedMs, eventually } from '@tautan/kit/testing';
import { aLink, apiClient } from '../support/client.js';
import { aKey, aPerson, aWorkspace, accepted, joins, type ApiWorkspace, type Person } from '../support/people.js';
import type { ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { startGatewayReplica, type Replica } from '../support/processes.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Access rules and roles.
let stack: Stack;
let replica: Replica;
let receiver: Receiver;
let owner: Person;
let workspace: ApiWorkspace;

beforeAll(async () => {
  stack = await shareStack();
  replica = await startGatewayReplica(stack);
  receiver = await startReceiver();
  owner = await aPerson(stack);
  workspace = await aWorkspace(owner, 'Toko Sari');
});
afterAll(async () => {
  await replica?.stop();
  await receiver?.stop();
});

test('members and viewers can read webhook endpoints and deliveries (without bodies), but not change them or read the audit log and API keys', async () => {
  receiver.answer = (response) => void response.writeHead(200).end('received');
  const ownerApi = owner.in(workspace.id);
  const endpoint = accepted(
    await ownerApi.post<EndpointWithSecret>('/webhooks', { url: receiver.url, events: ['tag.created'] }),
  );
  accepted(await ownerApi.post('/tags', { name: 'dibaca' }));
  const [delivery] = await eventually(async () => {
    const listed = accepted(await ownerApi.get<ApiDelivery[]>('/webhooks/deliveries?status=succeeded'));
    expect(listed).toHaveLength(1);
    return listed;
  });
  const path = `/webhooks/deliveries/${delivery!.id}`;
  const whole = accepted(await ownerApi.get<ApiDelivery>(path));
  expect(whole).toMatchObject({
    body: expect.stringContaining('dibaca'),
    attemptLog: [{ responseSnippet: 'received' }],
  });
  for (const role of ['member', 'viewer']) {
    const person = await aPerson(stack);
    await joins(person, role, { id: workspace.id, by: owner });
    const client = person.in(workspace.id);
    const { secret: _secret, ...listed } = endpoint;
    expect(accepted(await client.get('/webhooks'))).toEqual([listed]);
    expect(accepted(await client.get('/webhooks/deliveries'))).toEqual([delivery]);
    const attemptLog = [{ ...whole.attemptLog[0]!, responseSnippet: null }];
    expect(accepted(await client.get(path))).toEqual({ ...whole, body: null, attemptLog });
    for (const refused of [
      await client.post(`${path}/retry`, undefined),
      await client.post('/webhooks', { url: receiver.url, events: ['*'] }),
      await client.get('/audit-log'),
      await client.get('/auth/api-keys'),
    ]) {
      expect([refused.status, refused.error?.code]).toEqual([403, 'FORBIDDEN']);
    }
  }
  accepted(await ownerApi.delete(`/webhooks/${endpoint.id}`));
});

test('returns FORBIDDEN if the resource belongs to a different workspace than the credential', async () => {
  const stranger = await aPerson(stack);
  const link = await aLink(owner.in(workspace.id));
  await aWorkspace(stranger);
  for (const client of [stranger.api, apiClient(stack)]) {
    for (const answer of [
      await client.get(`/links/${link.id}`),
      await client.patch(`/links/${link.id}`, { title: 'x' }),
      await client.delete(`/links/${link.id}`),
    ]) {
      expect([answer.status, answer.error?.code]).toEqual([403, 'FORBIDDEN']);
    }
  }
});

test('two gateways reject the cookie, token and keys of a removed member within 1 s, under load', async () => {
  const person = await aPerson(stack);
  const { id } = await joins(person, 'admin', { id: workspace.id, by: owner });
  const { key } = await aKey(person, workspace.id);
  const login = await fetch(`${stack.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(stack.baseUrl).origin },
    body: JSON.stringify({ email: person.email, password: person.password }),
  });
  const cookie = login.headers.getSetCookie()[0]!.split(';')[0]!;
  const credentials: Record<string, string>[] = [
    { authorization: `Bearer ${key}` },
    { authorization: `Bearer ${person.token}`, 'x-workspace-id': workspace.id },
    { cookie, 'x-workspace-id': workspace.id },
  ];
  const gateways = [stack.baseUrl, replica.http];
  const statuses = () =>
    Promise.all(
      gateways.flatMap((base) =>
        credentials.map(async (headers) => (await fetch(`${base}/api/v1/links`, { headers })).status),
      ),
    );
  let busy = true;
  const traffic = (async () => {
    while (busy) await statuses();
  })();
  try {
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    accepted(await owner.in(workspace.id).delete(`/workspaces/current/members/${id}`));
    const removed = performance.now();
    await eventually(async () => {
      for (const status of await statuses()) expect([401, 403]).toContain(status);
    }, 1_000);
    expect(performance.now() - removed).toBeLessThan(allowedMs(1_000));
  } finally {
    busy = false;
    await traffic;
  }
  for (const status of await statuses()) expect([401, 403]).toContain(status);
});

test('two gateways reject a revoked key within 1 s', async () => {
  const { key, id } = await aKey(owner, workspace.id);
  const statuses = () =>
    Promise.all(
      [stack.baseUrl, replica.http].map(
        async (base) => (await fetch(`${base}/api/v1/links`, { headers: { authorization: `Bearer ${key}` } })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200]);
  accepted(await owner.in(workspace.id).delete(`/auth/api-keys/${id}`));
  await eventually(async () => expect(await statuses()).toEqual([401, 401]), 1_000);
});
