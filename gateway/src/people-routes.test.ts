import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { NOW, OTHER_WORKSPACE_ID, userId, WORKSPACE_ID } from './testing/people.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => void gateway.services.calls.splice(0));
afterAll(() => gateway.stop());

const token = () => gateway.services.people.admin.token;
const asAdmin = (method: string, path: string, body?: unknown, headers = {}) =>
  gateway.request(method, path, body, { authorization: `Bearer ${token()}`, ...headers });
const requestsOf = (name: string) =>
  gateway.services.calls.filter(({ method }) => method === name).map(({ request }) => request);
const singlePage = (limit: number) => ({ limit, hasMore: false });

const workspace = {
  id: WORKSPACE_ID,
  name: 'Acme',
  role: 'admin',
  plan: 'BUSINESS',
  linkCount: 1,
  qrCodeCount: 2,
  memberCount: 3,
  current: true,
  createdAt: NOW,
};
const invited = {
  id: 'mem_01jd3x8q4v5w6y7z8a9b0c1d2e',
  userId: null,
  email: 'mira@example.com',
  name: '',
  role: 'member',
  status: 'invited',
  joinedAt: null,
};

describe('workspaces', () => {
  test('are listed without pagination, on behalf of the user', async () => {
    const { data, meta } = await asAdmin('GET', '/workspaces');
    expect([data, meta.page]).toEqual([[workspace], singlePage(1)]);
    expect(requestsOf('ListWorkspaces')).toEqual([{ credential: token() }]);
  });

  test('have no role for an API key', async () => {
    expect((await gateway.request('GET', '/workspaces')).data).toEqual([{ ...workspace, role: null }]);
    expect((await gateway.request('GET', '/workspaces/current')).data).toEqual({ ...workspace, role: null });
    expect(requestsOf('ListWorkspaces')).toEqual([{ credential: '' }]);
  });

  test('are created and renamed with the credential of the user; a switch passes only the id of the workspace', async () => {
    const created = await asAdmin('POST', '/workspaces', { name: 'New' });
    expect([created.status, created.data]).toEqual([201, { ...workspace, name: 'New', role: 'owner' }]);
    const renamed = await asAdmin('PATCH', '/workspaces/current', { name: 'Newer' });
    expect([renamed.status, renamed.data]).toEqual([200, { ...workspace, name: 'Newer' }]);
    const switched = await asAdmin('POST', '/workspaces/switch', { workspaceId: OTHER_WORKSPACE_ID });
    expect([switched.status, switched.data]).toEqual([200, { ...workspace, id: OTHER_WORKSPACE_ID }]);
    expect(requestsOf('CreateOwnWorkspace')).toEqual([{ credential: token(), name: 'New' }]);
    expect(requestsOf('UpdateWorkspace')).toEqual([{ credential: token(), name: 'Newer' }]);
    expect(requestsOf('SwitchWorkspace')).toEqual([{ workspaceId: OTHER_WORKSPACE_ID }]);
  });

  test('have names of up to 100 characters after trimming', async () => {
    const rename = async (name: string) => (await asAdmin('PATCH', '/workspaces/current', { name })).status;
    for (const name of ['😀'.repeat(100), ` ${'x'.repeat(100)}   `]) expect(await rename(name)).toBe(200);
    expect(await rename('😀'.repeat(101))).toBe(400);
  });

  test.each([
    ['POST', '/workspaces', { name: 'New' }],
    ['POST', '/workspaces/switch', { workspaceId: OTHER_WORKSPACE_ID }],
    ['PATCH', '/workspaces/current', { name: 'Newer' }],
  ])('%s %s invalidates the cached user', async (method, path, body) => {
    await asAdmin('GET', '/tags');
    gateway.services.calls.splice(0);
    await asAdmin(method, path, body);
    expect(requestsOf('AuthenticateUser')).toHaveLength(0);
    await asAdmin('GET', '/tags');
    expect(requestsOf('AuthenticateUser')).toHaveLength(1);
  });

  test('the Idempotency-Key of a creation is scoped to the user, not to the current workspace', async () => {
    const create = (authorization: string) =>
      gateway.request('POST', '/workspaces', { name: 'Once' }, { authorization, 'idempotency-key': 'once' });
    await create(`Bearer ${token()}`);
    await create(`Bearer ${gateway.services.people.withoutWorkspace.token}`);
    const requests = gateway.services.calls.filter(({ method }) => method === 'BeginRequest');
    expect(requests.map(({ principal }) => principal!.workspaceId)).toEqual([
      userId('admin'),
      userId('withoutWorkspace'),
    ]);
  });

  test('the Idempotency-Key of an operation in a workspace is scoped to the workspace', async () => {
    await asAdmin('POST', '/tags', { name: 'a' }, { 'idempotency-key': 'tag' });
    const [request] = gateway.services.calls.filter(({ method }) => method === 'BeginRequest');
    expect(request!.principal!.workspaceId).toBe(WORKSPACE_ID);
  });
});

describe('members', () => {
  const path = '/workspaces/current/members';

  test('are listed without pagination; the user and joining time of an invitation are null', async () => {
    const { data, meta } = await asAdmin('GET', path);
    const joined = { ...invited, userId: userId('admin'), status: 'active', joinedAt: NOW };
    expect([data, meta.page]).toEqual([[invited, joined], singlePage(2)]);
  });

  test('are invited, updated and removed with the credential of the user', async () => {
    const invitation = await asAdmin('POST', path, { email: 'x@example.com', role: 'viewer' });
    expect([invitation.status, invitation.data]).toEqual([201, { ...invited, email: 'x@example.com', role: 'viewer' }]);
    const changed = await asAdmin('PATCH', `${path}/${invited.id}`, { role: 'admin' });
    expect([changed.status, changed.data]).toEqual([200, { ...invited, userId: userId('member'), role: 'admin' }]);
    const removed = await asAdmin('DELETE', `${path}/${invited.id}`);
    expect([removed.status, removed.data]).toEqual([200, { id: invited.id, deleted: true }]);
    expect(requestsOf('InviteMember')).toEqual([{ credential: token(), email: 'x@example.com', role: 'viewer' }]);
    expect(requestsOf('ChangeMemberRole')).toEqual([{ credential: token(), id: invited.id, role: 'admin' }]);
    expect(requestsOf('RemoveMember')).toEqual([{ credential: token(), id: invited.id }]);
  });

  test.each([
    ['PATCH', { role: 'viewer' }],
    ['DELETE', undefined],
  ])('%s invalidates the cached users and API keys of the workspace', async (method, body) => {
    const { token: memberToken } = gateway.services.people.member;
    const callAll = async () => {
      await gateway.request('GET', '/tags', undefined, { authorization: `Bearer ${memberToken}` });
      await gateway.request('GET', '/tags');
    };
    await callAll();
    await asAdmin(method, `${path}/${invited.id}`, body);
    gateway.services.calls.splice(0);
    await callAll();
    expect([requestsOf('AuthenticateUser'), requestsOf('VerifyApiKey')]).toMatchObject([[{}], [{}]]);
  });

  test.each(['owner', 'OWNER', 'guest', ''])('the role %j is rejected', async (role) => {
    const { error } = await asAdmin('POST', path, { email: 'x@example.com', role });
    expect([error!.code, error!.field]).toEqual(['VALIDATION_ERROR', 'role']);
    expect((await asAdmin('PATCH', `${path}/${invited.id}`, { role })).error!.field).toBe('role');
  });

  test('errors of the service are returned', async () => {
    gateway.services.members.InviteMember = () => Promise.reject(fail('ALREADY_MEMBER', 'Already here.', 'email'));
    const { status, error } = await asAdmin('POST', path, { email: 'x@example.com', role: 'viewer' });
    expect([status, error]).toEqual([409, { code: 'ALREADY_MEMBER', message: 'Already here.', field: 'email' }]);
  });
});

describe('API keys', () => {
  const path = '/auth/api-keys';

  test('are listed without pagination and without secrets', async () => {
    const { data, meta } = await asAdmin('GET', path);
    const createdBy = { type: 'system', id: null };
    const key = { id: 'key_01jd3x8q4v5w6y7z8a9b0c1d2e', label: 'CI', prefix: 'tau_live_abcdef', lastUsedAt: null };
    expect([data, meta.page]).toEqual([[{ ...key, createdBy, createdAt: NOW }], singlePage(1)]);
  });

  test('are created in the current workspace, and a retry returns the same secret', async () => {
    const mint = () => asAdmin('POST', path, { label: 'CI' }, { 'idempotency-key': 'mint' });
    const [first, second] = [await mint(), await mint()];
    const { key } = first.data as { key: string };
    expect(first.status).toBe(201);
    expect(first.data).toEqual({
      id: expect.stringMatching(/^key_/),
      label: 'CI',
      prefix: key.slice(0, 15),
      key: expect.stringMatching(/^tau_live_/),
      createdAt: NOW,
    });
    expect(second.data).toEqual(first.data);
    expect(requestsOf('MintApiKey')).toMatchObject([{ workspaceId: WORKSPACE_ID, label: 'CI' }]);
  });

  test('have labels of up to 100 characters after trimming', async () => {
    const mint = async (label: string) => (await asAdmin('POST', path, { label })).status;
    for (const label of ['😀'.repeat(100), ` ${'x'.repeat(100)}   `]) expect(await mint(label)).toBe(201);
    expect(await mint('😀'.repeat(101))).toBe(400);
  });

  test('are removed from the cache when they are revoked', async () => {
    await gateway.request('GET', '/tags');
    const { status, data } = await asAdmin('DELETE', `${path}/key_BUSINESS`);
    expect([status, data]).toEqual([200, { id: 'key_BUSINESS', deleted: true }]);
    expect(requestsOf('RevokeApiKey')).toEqual([{ workspaceId: WORKSPACE_ID, id: 'key_BUSINESS' }]);
    gateway.services.calls.splice(0);
    await gateway.request('GET', '/tags');
    expect(requestsOf('VerifyApiKey')).toHaveLength(1);
  });
});
