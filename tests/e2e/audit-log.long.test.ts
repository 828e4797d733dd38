import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { MongoClient, type Binary, type Db } from 'mongodb';
import { tautanAdmin } from '../support/admin.js';
import { aLink, apiClient, listAll, type ApiResponse, type ApiTag, type Client } from '../support/client.js';
import type { ApiAuditEntry, ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { accepted, aKey, aPerson, aWorkspace, joins, type ApiWorkspace, type Person } from '../support/people.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

let stack: Stack;
let receiver: Receiver;
let owner: Person;
let workspace: ApiWorkspace;
/** The owner's client for the workspace. */
let ownerApi: Client;
/** A client with an API key of the workspace. */
let script: Client;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([shareStack(), startReceiver()]);
  owner = await aPerson(stack);
  workspace = await aWorkspace(owner, 'Toko Catatan');
  ownerApi = owner.in(workspace.id);
  script = apiClient({ ...stack, apiKey: (await aKey(owner, workspace.id)).key });
});
afterAll(async () => {
  await receiver?.stop();
});

const entries = () => listAll<ApiAuditEntry>(ownerApi, '/audit-log?limit=200');
const entriesOf = async (action: string, targetId: string) =>
  (await entries()).filter((entry) => entry.action === action && entry.target.id === targetId);

/** Runs `work` with the database of the workspaces service. */
async function usingDatabase(work: (database: Db) => Promise<void>): Promise<void> {
  const client = await MongoClient.connect((await stack.quickstart()).mongodb.uri);
  try {
    await work(client.db(`${stack.databasePrefix}tautan_workspaces`));
  } finally {
    await client.close();
  }
}

/** Waits for the entry of a change, and checks that it is the only one. */
const entryOf = (action: string, targetId: string, withinMs?: number): Promise<ApiAuditEntry> =>
  eventually(async () => {
    const found = await entriesOf(action, targetId);
    expect([action, targetId, found.length]).toEqual([action, targetId, 1]);
    return found[0]!;
  }, withinMs);

/** Waits until all earlier changes are in the audit log, by waiting for the entry of a new tag. Returns all entries. */
async function settled(): Promise<ApiAuditEntry[]> {
  const { id } = accepted(await script.post<ApiTag>('/tags', { name: `penanda ${Math.random()}` }));
  await entryOf('tag.created', id);
  return entries();
}

test('an entry has id, action, actor, target, summary, changes, ip, userAgent, requestId and createdAt', async () => {
  const tag = accepted(await ownerApi.post<ApiTag>('/tags', { name: 'lama' }, { 'user-agent': 'peramban/1' }));
  const renamed = await ownerApi.request(
    'PATCH',
    `/tags/${tag.id}`,
    { name: 'baru' },
    { 'user-agent': 'peramban/1', 'x-request-id': 'ubah-tanda' },
  );
  expect(renamed.status).toBe(200);
  expect(await entryOf('tag.updated', tag.id)).toEqual({
    id: expect.stringMatching(/^aud_[0-9a-hjkmnp-tv-z]{26}$/),
    action: 'tag.updated',
    actor: { type: 'user', id: expect.stringMatching(/^usr_/), name: owner.name },
    target: { type: 'tag', id: tag.id, label: 'baru' },
    summary: `${owner.name} renamed the tag baru`,
    changes: { name: { before: 'lama', after: 'baru' } },
    ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    userAgent: 'peramban/1',
    requestId: 'ubah-tanda',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
});

describe('the audit log', () => {
  test('has one entry per change by a user, an API key or the system', async () => {
    const byPerson = accepted(await ownerApi.post<ApiTag>('/tags', { name: 'oleh orang' }));
    expect((await entryOf('tag.created', byPerson.id)).actor).toMatchObject({ type: 'user', name: owner.name });
    const byKey = accepted(await script.post<ApiTag>('/tags', { name: 'oleh kunci' }));
    expect((await entryOf('tag.created', byKey.id)).actor).toMatchObject({ type: 'api_key', name: 'Skrip' });
    const link = await aLink(script, { maxClicks: 1 });
    await visit(stack.baseUrl, `/${link.slug}`);
    const expired = await entryOf('link.expired', link.id, 20_000);
    expect(expired).toMatchObject({ actor: { type: 'system', id: null }, ip: null, userAgent: null, requestId: null });
  });

  test('has one entry per change to a link or tag, and one per link in bulk changes and imports', async () => {
    const link = await aLink(script, { title: 'Satu', tags: ['catat'] });
    await entryOf('link.created', link.id);
    const [tag] = accepted(await script.get<ApiTag[]>('/tags')).filter(({ name }) => name === 'catat');
    await entryOf('tag.created', tag!.id);
    accepted(await script.patch(`/links/${link.id}`, { title: 'Dua' }));
    expect((await entryOf('link.updated', link.id)).changes).toEqual({ title: { before: 'Satu', after: 'Dua' } });
    const others = await Promise.all([aLink(script), aLink(script)]);
    accepted(await script.post('/links/bulk', { action: 'archive', ids: others.map(({ id }) => id) }));
    for (const { id } of others)
      expect((await entryOf('link.updated', id)).changes).toMatchObject({
        status: { before: 'active', after: 'archived' },
      });
    const rows = accepted(
      await script.post<{ results: { id: string }[] }>('/links/import', {
        links: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
      }),
    );
    for (const { id } of rows.results) await entryOf('link.created', id);
    accepted(await script.delete(`/links/${link.id}`));
    await entryOf('link.deleted', link.id);
  });

  test('has one entry per change to a member, key, workspace or endpoint, and per export', async () => {
    const guest = await aPerson(stack);
    const { id } = await joins(guest, 'viewer', { id: workspace.id, by: owner });
    accepted(await ownerApi.patch(`/workspaces/current/members/${id}`, { role: 'member' }));
    accepted(await guest.api.post('/workspaces/switch', { workspaceId: workspace.id }));
    accepted(await ownerApi.delete(`/workspaces/current/members/${id}`));
    for (const action of ['member.invited', 'member.joined', 'member.role_changed', 'member.removed'])
      await entryOf(action, id);
    await entryOf('workspace.created', workspace.id);
    await entryOf('workspace.switched', workspace.id);
    accepted(await ownerApi.patch('/workspaces/current', { name: 'Toko Baru' }));
    expect((await entryOf('workspace.updated', workspace.id)).changes).toEqual({
      name: { before: 'Toko Catatan', after: 'Toko Baru' },
    });
    const key = await aKey(owner, workspace.id, 'Sementara');
    accepted(await ownerApi.delete(`/auth/api-keys/${key.id}`));
    for (const action of ['api_key.created', 'api_key.revoked']) await entryOf(action, key.id);
    const endpoint = accepted(await script.post<EndpointWithSecret>('/webhooks', { url: receiver.url, events: ['*'] }));
    for (const active of [false, true]) accepted(await script.patch(`/webhooks/${endpoint.id}`, { active }));
    accepted(await script.delete(`/webhooks/${endpoint.id}`));
    for (const change of ['created', 'updated', 'resumed', 'deleted'])
      await entryOf(`webhook_endpoint.${change}`, endpoint.id);
    expect((await script.get('/links/export?format=json')).status).toBe(200);
    await entryOf('export.performed', workspace.id);
  });

  test('has one entry per statistics export, checkout, logo, download token and manual retry', async () => {
    const link = await aLink(script);
    expect((await script.get(`/links/${link.id}/stats/export`)).status).toBe(200);
    expect((await entryOf('export.performed', link.id)).actor.type).toBe('api_key');
    const code = accepted(await script.post<{ id: string }>('/qr-codes', { url: 'https://example.com/' }));
    const { token } = accepted(await script.post<{ token: string }>(`/qr-codes/${code.id}/download-token`, undefined));
    expect(JSON.stringify(await entryOf('download_token.created', code.id))).not.toContain(token);
    const upload = async () => {
      const form = new FormData();
      form.set(
        'logo',
        new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>']),
      );
      const address = `${stack.baseUrl}/api/v1/qr-codes/upload-logo`;
      const authorization = `Bearer ${(await aKey(owner, workspace.id)).key}`;
      const answer = await fetch(address, { method: 'POST', headers: { authorization }, body: form });
      expect(answer.status).toBe(201);
      return ((await answer.json()) as { data: { logoRunRef: string } }).data.logoRunRef;
    };
    // Uploading the same file again returns the same logo, and creates no second entry.
    expect(await upload()).toBe(await upload());
    await entryOf('qr_logo.uploaded', await upload());
    const buy = () =>
      ownerApi.post<{ sessionId: string }>('/billing/checkout', { plan: 'PRO' }, { 'idempotency-key': 'beli' });
    const { sessionId } = accepted(await buy());
    expect(accepted(await buy()).sessionId).toBe(sessionId);
    await entryOf('checkout.created', sessionId);
    const endpoint = accepted(
      await script.post<EndpointWithSecret>('/webhooks', { url: `${receiver.url}/ulang`, events: ['tag.created'] }),
    );
    accepted(await script.post('/tags', { name: 'dikirim ulang' }));
    const [delivery] = await eventually(async () => {
      const sent = accepted(
        await script.get<ApiDelivery[]>(`/webhooks/deliveries?subscriptionId=${endpoint.id}&status=succeeded`),
      );
      expect(sent).toHaveLength(1);
      return sent;
    });
    expect((await script.post(`/webhooks/deliveries/${delivery!.id}/retry`, undefined)).status).toBe(202);
    expect((await entryOf('delivery.retried', delivery!.id)).target.label).toBe('tag.created');
    accepted(await script.delete(`/webhooks/${endpoint.id}`));
  });

  test('has one entry per sign-in, failed sign-in and sign-out, in the workspace that opens when the user signs in', async () => {
    const person = await aPerson(stack);
    const answer = await fetch(`${stack.baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(stack.baseUrl).origin },
      body: JSON.stringify({ email: person.email, password: person.password }),
    });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const session = await fetch(`${stack.baseUrl}/api/v1/auth/session`, { headers: { cookie } });
    const { data } = (await session.json()) as { data: { workspace: { id: string } } };
    await eventually(async () => {
      const listed = accepted(
        await person.in(data.workspace.id).get<ApiAuditEntry[]>('/audit-log?action=session.created'),
      );
      expect(listed).toMatchObject([{ actor: { type: 'user', name: person.name }, target: { label: person.email } }]);
    });
    const origin = new URL(stack.baseUrl).origin;
    const refused = await fetch(`${stack.baseUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'user-agent': 'penyusup/1' },
      body: JSON.stringify({ email: person.email, password: 'a wrong password' }),
    });
    expect(refused.status).toBe(401);
    const out = await fetch(`${stack.baseUrl}/api/v1/auth/logout`, { method: 'POST', headers: { cookie, origin } });
    expect(out.status).toBe(200);
    await eventually(async () => {
      const listed = accepted(await person.in(data.workspace.id).get<ApiAuditEntry[]>('/audit-log?action=session'));
      expect(listed.map(({ action }) => action).sort()).toEqual(['session.created', 'session.ended', 'session.failed']);
      expect(listed.find(({ action }) => action === 'session.failed')).toMatchObject({
        userAgent: 'penyusup/1',
        target: { label: person.email },
      });
      expect(listed.find(({ action }) => action === 'session.ended')!.ip).not.toBeNull();
    });
  });

  test('has a session.ended entry with the reason after the identity provider rejects a refresh', async () => {
    const person = await aPerson(stack);
    const origin = new URL(stack.baseUrl).origin;
    const send = (path: string, cookie: string, body?: object) =>
      fetch(`${stack.baseUrl}/api/v1/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, cookie },
        body: JSON.stringify(body ?? {}),
      });
    const login = await send('login', '', { email: person.email, password: person.password });
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    const { data } = (await login.json()) as { data: { workspace: { id: string } } };
    await usingDatabase(async (workspaces) => {
      const sessions = workspaces.collection<{ _id: string; refreshToken: Binary }>('sessions');
      const _id = createHash('sha256').update(cookie.split('=')[1]!).digest('hex');
      // Simulate a refresh whose new token was lost: the provider rejects a refresh token that was already used.
      const notJustRefreshed = { refreshedAt: new Date(0) };
      await sessions.updateOne({ _id }, { $set: notJustRefreshed });
      const { refreshToken } = (await sessions.findOne({ _id }))!;
      expect((await send('refresh', cookie)).status).toBe(200);
      await sessions.updateOne({ _id }, { $set: { refreshToken, ...notJustRefreshed } });
    });
    expect((await send('refresh', cookie)).status).toBe(401);
    await eventually(async () => {
      const ended = accepted(
        await person.in(data.workspace.id).get<ApiAuditEntry[]>('/audit-log?action=session.ended'),
      );
      expect(ended).toMatchObject([
        {
          actor: { type: 'system' },
          target: { type: 'user', label: person.email },
          changes: { reason: { before: null, after: 'refresh_refused' } },
        },
      ]);
    });
  });

  test('has no entry for requests that change nothing or are rejected', async () => {
    const link = await aLink(script, { title: 'Tetap' });
    const before = (await settled()).length;
    accepted(await script.get(`/links/${link.id}`));
    accepted(await script.patch(`/links/${link.id}`, { title: 'Tetap' }));
    expect((await script.patch(`/links/${link.id}`, { url: 'javascript:alert(1)' })).status).toBe(400);
    expect((await script.post('/tags', { name: '' })).status).toBe(400);
    expect((await script.delete('/tags/tag_01k8z6r7d2v4m9q0s3t5w7x9yd')).status).toBe(404);
    // The only new entry is for the tag that `settled` creates.
    expect(await settled()).toHaveLength(before + 1);
  });

  test('has one entry for requests that are repeated with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'catat-sekali' };
    const body = { url: 'https://example.com/sekali', slug: 'catat-sekali' };
    const ids = (await Promise.all(Array.from({ length: 5 }, () => script.post('/links', body, headers)))).flatMap(
      ({ status, data }) => (status === 201 ? [data.id] : []),
    );
    expect(new Set(ids).size).toBe(1);
    await entryOf('link.created', ids[0]!);
  });
});

test('?action= accepts a complete action such as tag.created, or only the part before the dot, such as link', async () => {
  const actions = async (filter: string) =>
    new Set(
      (await listAll<ApiAuditEntry>(ownerApi, `/audit-log?limit=200&action=${filter}`)).map(({ action }) => action),
    );
  await settled();
  expect(await actions('tag.created')).toEqual(new Set(['tag.created']));
  const all = (await entries()).map(({ action }) => action);
  expect(await actions('link.')).toEqual(new Set(all.filter((action) => action.startsWith('link.'))));
  expect(await actions('link')).toEqual(await actions('link.'));
  expect(await actions('lin')).toEqual(new Set());
  expect(await actions('link.creat')).toEqual(new Set());
});

test('?actor=, ?target=, ?from= and ?to= filter the list, individually and combined', async () => {
  const tag = accepted(await script.post<ApiTag>('/tags', { name: 'disaring' }));
  const { actor, createdAt } = await entryOf('tag.created', tag.id);
  const found = async (query: Record<string, string>) =>
    await listAll<ApiAuditEntry>(ownerApi, `/audit-log?limit=200&${new URLSearchParams(query).toString()}`);
  const all = await entries();
  expect(await found({ actor: actor.id! })).toEqual(all.filter((entry) => entry.actor.id === actor.id));
  expect(await found({ target: tag.id })).toEqual(all.filter(({ target }) => target.id === tag.id));
  expect(await found({ from: createdAt, to: createdAt, target: tag.id, actor: actor.id!, action: 'tag' })).toHaveLength(
    1,
  );
  expect((await found({ to: createdAt })).every((entry) => entry.createdAt <= createdAt)).toBe(true);
  expect(await found({ from: '2999-01-01' })).toEqual([]);
  const refused = await ownerApi.get('/audit-log?from=kemarin');
  expect([refused.status, refused.error?.code, refused.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'from']);
});

test('the list is sorted newest first, can be paged to its end by cursor, and contains only the workspace’s own entries', async () => {
  const whole = await settled();
  const paged = await listAll<ApiAuditEntry>(ownerApi, '/audit-log?limit=7');
  expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  expect(whole.map(({ createdAt }) => createdAt)).toEqual(
    whole
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  );
  const stranger = await aPerson(stack);
  const otherWorkspace = await aWorkspace(stranger);
  const otherEntries = await listAll<ApiAuditEntry>(stranger.in(otherWorkspace.id), '/audit-log');
  expect(otherEntries.filter(({ id }) => whole.some((entry) => entry.id === id))).toEqual([]);
});

test('secrets, tokens and passwords never appear in the audit log', async () => {
  const key = await aKey(owner, workspace.id, 'Rahasia');
  const endpoint = accepted(
    await script.post<EndpointWithSecret>('/webhooks', { url: `${receiver.url}/r`, events: ['link.deleted'] }),
  );
  const renewed = accepted(await script.post<EndpointWithSecret>(`/webhooks/${endpoint.id}/rotate-secret`, undefined));
  const rotation = await entryOf('webhook_endpoint.updated', endpoint.id);
  expect(rotation.changes).toHaveProperty('secret');
  const text = JSON.stringify(await settled());
  for (const secret of [key.key, endpoint.secret, renewed.secret, owner.password, owner.token, owner.refreshToken])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/whsec_|tau_live_[0-9A-Za-z]{20}/);
});

test('entries are append-only: no method changes or deletes one', async () => {
  const [entry] = await settled();
  for (const path of ['/audit-log', `/audit-log/${entry!.id}`]) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status }: ApiResponse<unknown> = await ownerApi.request(method, path, { action: 'link.created' });
      expect([method, path, [404, 405].includes(status)]).toEqual([method, path, true]);
    }
  }
  expect((await entries()).find(({ id }) => id === entry!.id)).toEqual(entry);
});

test('entries are hash-chained per workspace, and verification reports the first broken one', async () => {
  await settled();
  const verify = () => tautanAdmin(stack, 'workspaces', 'audit', 'verify', workspace.id);
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${workspace.id}  intact, \\d+ entries\n$`)),
  });
  await usingDatabase(async (workspaces) => {
    const audit = workspaces.collection<{ _id: string; seq: number }>('audit');
    const newest = await audit.find({ workspaceId: workspace.id }).sort({ seq: -1 }).limit(2).toArray();
    const changes = { $set: { 'actor.name': 'Bukan saya' } };
    expect(await audit.updateMany({ _id: { $in: newest.map(({ _id }) => _id) } }, changes)).toMatchObject({
      modifiedCount: 2,
    });
    const { _id, seq } = newest[1]!;
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${workspace.id}  BROKEN at entry ${seq} (${_id}): `),
    });
  });
});
