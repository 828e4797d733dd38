import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type Answer, type Client } from '../support/client.js';
import { aKey, aPerson, aWorkspace, accepted, joins, type ApiWorkspace, type Person } from '../support/people.js';
import type { ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { everyString } from '../support/database.js';
import { startGatewayReplica, type Replica } from '../support/processes.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// Who may do what: the access rules of reference part 5 and the roles of contract part 6.
let stack: Stack;
let replica: Replica;
let receiver: Receiver;
let owner: Person;
let workspace: ApiWorkspace;

beforeAll(async () => {
  stack = await startStack();
  replica = await startGatewayReplica(stack);
  receiver = await startReceiver();
  owner = await aPerson(stack);
  workspace = await aWorkspace(owner, 'Toko Sari');
}, 40_000);
afterAll(async () => {
  await replica?.stop();
  await receiver?.stop();
  await stack?.stop();
}, 30_000);

interface Operation {
  method: string;
  path: string;
  operationId: string;
  /** Credential kinds and least role, as the documentation shows them. */
  access: { credentials: string[]; role: string };
}

interface Documented {
  operationId: string;
  security: unknown[];
  'x-required-role'?: string;
  'x-person-only'?: boolean;
}

async function operations(): Promise<Operation[]> {
  const document = (await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, ...documented }]) => {
      const kinds = documented['x-person-only'] ? ['person'] : ['api_key', 'person'];
      const credentials = security.length === 0 ? [] : kinds;
      return {
        method: method.toUpperCase(),
        path,
        operationId,
        access: { credentials, role: documented['x-required-role'] ?? 'anyone' },
      };
    }),
  );
}

const rank = ['viewer', 'member', 'admin', 'owner'];

/** What an operation says to a caller: `may` for every answer that is not about who they are. */
const verdictOf = ({ status, error }: Answer<unknown>): string =>
  status === 401 || status === 403 ? error!.code : 'may';

test('every route answers every kind of caller as the matrix says', async () => {
  const people: Record<string, Person> = { owner };
  for (const role of ['admin', 'member', 'viewer', 'removed']) {
    people[role] = await aPerson(stack);
    const { id } = await joins(people[role], role === 'removed' ? 'admin' : role, { id: workspace.id, by: owner });
    if (role === 'removed') accepted(await owner.in(workspace.id).delete(`/workspaces/current/members/${id}`));
  }
  const key = await aKey(owner, workspace.id);
  const stranger = await aPerson(stack);
  const foreign = await aKey(stranger, (await aWorkspace(stranger)).id);
  const callers: Record<string, Client> = Object.fromEntries(
    Object.entries(people).map(([role, person]) => [role, person.in(workspace.id)]),
  );
  const bound = (apiKey: string): Client['request'] => (method, path, body) => apiClient({ ...stack, apiKey }).request(method, path, body, { 'x-workspace-id': workspace.id }); // prettier-ignore

  const ask: Record<string, Client['request']> = {
    ...Object.fromEntries(Object.entries(callers).map(([name, client]) => [name, client.request])),
    key: bound(key.key),
    foreign: bound(foreign.key),
    nobody: (method, path, body) =>
      apiClient({ ...stack, apiKey: '' }).request(method, path, body, { authorization: '' }),
  };
  const expected = (caller: string, { credentials, role }: Operation['access']): string => {
    if (credentials.length === 0) return 'may';
    if (caller === 'nobody') return 'UNAUTHENTICATED';
    if (caller === 'foreign' || caller === 'removed') return 'FORBIDDEN';
    if (caller === 'key') return credentials.includes('api_key') ? 'may' : 'PERSON_ONLY';
    return role === 'anyone' || rank.indexOf(caller) >= rank.indexOf(role) ? 'may' : 'FORBIDDEN';
  };
  const table = await operations();
  expect(table.length).toBeGreaterThan(30);
  const wrong: string[] = [];
  for (const { method, path, operationId, access } of table) {
    // What an operation does is not tried here: nothing has these ids, and the bodies hold nothing.
    const target = path.replace('/api/v1', '').replace('{id}', 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e');
    if (operationId === 'logOut') continue;
    for (const [caller, request] of Object.entries(ask)) {
      const verdict = verdictOf(
        await request(method, target, method === 'GET' || method === 'DELETE' ? undefined : {}),
      );
      // These are public, and say UNAUTHENTICATED by themselves to whoever has no session or sign-in under way.
      if (operationId === 'refreshSession' || operationId === 'finishSignIn') continue;
      if (verdict !== expected(caller, access)) wrong.push(`${caller}: ${operationId} says ${verdict}, the matrix ${expected(caller, access)}`); // prettier-ignore
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('members and viewers read webhook endpoints and deliveries without bodies, and change nothing', async () => {
  receiver.answer = (response) => void response.writeHead(200).end('received');
  const there = owner.in(workspace.id);
  const endpoint = accepted(
    await there.post<EndpointWithSecret>('/webhooks', { url: receiver.url, events: ['tag.created'] }),
  );
  accepted(await there.post('/tags', { name: 'dibaca' }));
  const [delivery] = await eventually(async () => {
    const listed = accepted(await there.get<ApiDelivery[]>('/webhooks/deliveries?status=succeeded'));
    expect(listed).toHaveLength(1);
    return listed;
  });
  const path = `/webhooks/deliveries/${delivery!.id}`;
  const whole = accepted(await there.get<ApiDelivery>(path));
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
  accepted(await there.delete(`/webhooks/${endpoint.id}`));
}, 60_000);

test('a token valid for another workspace than the resource gives FORBIDDEN', async () => {
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

test('a removed member is refused on two gateways within 1 s, under traffic: cookie, token and keys', async () => {
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
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  accepted(await owner.in(workspace.id).delete(`/workspaces/current/members/${id}`));
  const removed = performance.now();
  await eventually(async () => {
    for (const status of await statuses()) expect([401, 403]).toContain(status);
  }, 1_000);
  expect(performance.now() - removed).toBeLessThan(1_000);
  busy = false;
  await traffic;
  for (const status of await statuses()) expect([401, 403]).toContain(status);
}, 30_000);

test('a dump of the database holds no usable secret', async () => {
  const person = await aPerson(stack);
  const mine = await aWorkspace(person);
  await aKey(person, mine.id);
  await fetch(`${stack.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(stack.baseUrl).origin },
    body: JSON.stringify({ email: person.email, password: person.password }),
  });
  const stored = await everyString((await stack.quickstart()).mongodb.uri);
  expect(stored.size).toBeGreaterThan(100);
  const secrets = [person.password, person.token, person.refreshToken];
  for (const secret of secrets) expect([...stored].filter((text) => text.includes(secret))).toEqual([]);
  const usable: string[] = [];
  // Header values are visible ASCII; what is longer than any credential is none.
  const candidates = [...stored].filter((text) => /^[\x21-\x7e]{8,8000}$/.test(text));
  const tries = candidates.flatMap((text): Record<string, string>[] => [
    { authorization: `Bearer ${text}` },
    { cookie: `tautan_session=${text}` },
  ]);
  for (let i = 0; i < tries.length; i += 50) {
    const statuses = await Promise.all(tries.slice(i, i + 50).map(async (headers) => (await fetch(`${replica.http}/api/v1/auth/session`, { headers })).status)); // prettier-ignore
    statuses.forEach((status, j) => status === 401 || usable.push(JSON.stringify([status, tries[i + j]])));
  }
  expect(usable).toEqual([]);
}, 120_000);

test('a key is revoked on two gateways within 1 s', async () => {
  const { key, id } = await aKey(owner, workspace.id);
  const statuses = () => Promise.all([stack.baseUrl, replica.http].map(async (base) => (await fetch(`${base}/api/v1/links`, { headers: { authorization: `Bearer ${key}` } })).status)); // prettier-ignore
  expect(await statuses()).toEqual([200, 200]);
  accepted(await owner.in(workspace.id).delete(`/auth/api-keys/${id}`));
  await eventually(async () => expect(await statuses()).toEqual([401, 401]), 1_000);
});
