import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiResponse } from '../support/client.js';
import {
  accepted,
  aKey,
  aPerson,
  aWorkspace,
  joins,
  type ApiKeyView,
  type ApiMember,
  type ApiWorkspace,
  type Person,
} from '../support/people.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Workspaces, members and API keys.
let stack: Stack;
let owner: Person;
let home: ApiWorkspace;

beforeAll(async () => {
  stack = await shareStack();
  owner = await aPerson(stack, { name: 'Ibu Sari' });
  home = await aWorkspace(owner, 'Toko Sari');
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
const membersOf = async (person: Person, id: string) =>
  accepted(await person.in(id).get<ApiMember[]>('/workspaces/current/members'));
const member = async (email: string) => (await membersOf(owner, home.id)).find((each) => each.email === email);
const inHome = () => owner.in(home.id);
/** Returns the user's workspaces at the identity provider. */
const workspacesAtProvider = async (person: Person) => {
  const { identity } = await stack.quickstart();
  const response = await fetch(`${identity.url}/api/v1/workspaces`, {
    headers: { authorization: `Bearer ${person.token}` },
  });
  return ((await response.json()) as { data: { name: string; role: string }[] }).data;
};

describe('workspaces', () => {
  test('a workspace has an id, name, role, plan, counts and creation time, and says whether it is the current one', async () => {
    expect(home).toEqual({
      id: expect.stringMatching(/^ws_/),
      name: 'Toko Sari',
      role: 'owner',
      plan: 'FREE',
      linkCount: 0,
      qrCodeCount: 0,
      memberCount: 1,
      current: expect.any(Boolean),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  test('the user who creates a workspace is its owner, also at the identity provider', async () => {
    const provided = await workspacesAtProvider(owner);
    expect(provided).toContainEqual(expect.objectContaining({ name: 'Toko Sari', role: 'owner' }));
    expect(await membersOf(owner, home.id)).toEqual([
      expect.objectContaining({ email: owner.email, name: 'Ibu Sari', role: 'owner', status: 'active' }),
    ]);
  });

  test('the list contains every workspace of the user, newest first', async () => {
    const second = await aWorkspace(owner, 'Toko Kedua');
    const list = accepted(await owner.api.get<ApiWorkspace[]>('/workspaces'));
    expect(list.map(({ id }) => id).slice(0, 2)).toEqual([second.id, home.id]);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
  });

  test('a workspace created at the identity provider appears in the list', async () => {
    const { identity } = await stack.quickstart();
    await fetch(`${identity.url}/api/v1/workspaces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Dibuat di sana' }),
    });
    const list = accepted(await owner.api.get<ApiWorkspace[]>('/workspaces'));
    expect(list).toContainEqual(expect.objectContaining({ name: 'Dibuat di sana', role: 'owner' }));
  });

  test('with an API key, the list contains only the workspace of the key', async () => {
    const { key } = await aKey(owner, home.id);
    const list = accepted(await apiClient({ ...stack, apiKey: key }).get<ApiWorkspace[]>('/workspaces'));
    expect(list.map(({ id, current }) => [id, current])).toEqual([[home.id, true]]);
  });

  test('the name is one line of 1 to 100 characters', async () => {
    for (const name of ['', '   ', 'x'.repeat(101), 'a\nb', 5, null]) {
      expect(errorOf(await owner.api.post('/workspaces', { name }))).toEqual([400, 'VALIDATION_ERROR', 'name']);
      expect(errorOf(await inHome().patch('/workspaces/current', { name }))).toEqual([400, 'VALIDATION_ERROR', 'name']);
    }
  });

  test('the owner can rename a workspace, which also renames it at the identity provider', async () => {
    const renamed = accepted(await inHome().patch<ApiWorkspace>('/workspaces/current', { name: 'Toko Sari Baru' }));
    expect(renamed).toMatchObject({ id: home.id, name: 'Toko Sari Baru' });
    const list = accepted(await owner.api.get<ApiWorkspace[]>('/workspaces'));
    expect(list.find(({ id }) => id === home.id)!.name).toBe('Toko Sari Baru');
    expect((await workspacesAtProvider(owner)).map(({ name }) => name)).toContain('Toko Sari Baru');
  });

  test('after a switch to a workspace, requests without X-Workspace-Id use that workspace', async () => {
    const person = await aPerson(stack);
    const first = await aWorkspace(person, 'Satu');
    const second = await aWorkspace(person, 'Dua');
    for (const { id } of [first, second, first]) {
      const answer = await person.api.post<ApiWorkspace>('/workspaces/switch', { workspaceId: id });
      expect([answer.status, answer.data]).toEqual([200, expect.objectContaining({ id, current: true })]);
      await eventually(async () =>
        expect((await person.api.get<ApiWorkspace>('/workspaces/current')).data.id).toBe(id),
      );
    }
    const foreign = await person.api.post('/workspaces/switch', { workspaceId: home.id });
    expect(errorOf(foreign).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
  });

  test('X-Workspace-Id selects the workspace of one request, which is rejected with FORBIDDEN if the caller has no access', async () => {
    const person = await aPerson(stack);
    const [first, second] = [await aWorkspace(person, 'Satu'), await aWorkspace(person, 'Dua')];
    for (const { id } of [first, second]) {
      expect((await person.in(id).get<ApiWorkspace>('/workspaces/current')).data.id).toBe(id);
    }
    for (const id of [home.id, 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e', 'nonsense']) {
      expect(errorOf(await person.in(id).get('/workspaces/current')).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    }
    const { key } = await aKey(person, first.id);
    const headers = { 'x-workspace-id': second.id };
    expect(errorOf(await apiClient({ ...stack, apiKey: key }).get('/links', headers)).slice(0, 2)).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });

  test('links are counted per workspace, on creation and deletion', async () => {
    const person = await aPerson(stack);
    const workspace = await aWorkspace(person);
    const api = person.in(workspace.id);
    const links = [await aLink(api), await aLink(api), await aLink(api)];
    const count = async () => (await api.get<ApiWorkspace>('/workspaces/current')).data.linkCount;
    await eventually(async () => expect(await count()).toBe(3));
    await api.delete(`/links/${links[0]!.id}`);
    await eventually(async () => expect(await count()).toBe(2));
  });
});

describe('members', () => {
  test('an invited user is listed as invited and joins with their first request', async () => {
    const guest = await aPerson(stack, { name: 'Budi' });
    const answer = await inHome().post<ApiMember>('/workspaces/current/members', {
      email: guest.email,
      role: 'viewer',
    });
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({ email: guest.email, role: 'viewer', status: 'invited', joinedAt: null });
    expect(await member(guest.email)).toMatchObject({ status: 'invited' });
    expect(accepted(await guest.api.get<ApiWorkspace[]>('/workspaces'))).toContainEqual(
      expect.objectContaining({ id: home.id, role: 'viewer' }),
    );
    expect(await member(guest.email)).toMatchObject({
      id: answer.data.id,
      userId: expect.stringMatching(/^usr_/),
      name: 'Budi',
      status: 'active',
      joinedAt: expect.any(String),
    });
  });

  test('an invitation of a member, or of an email that is already invited, returns ALREADY_MEMBER', async () => {
    const invite = (email: string) => inHome().post('/workspaces/current/members', { email, role: 'member' });
    expect((await invite('nanti@example.com')).status).toBe(201);
    for (const email of [owner.email, 'Nanti@Example.com']) {
      expect(errorOf(await invite(email))).toEqual([409, 'ALREADY_MEMBER', 'email']);
    }
  });

  test('an invalid email or role is rejected with an error that names the field, and the role owner cannot be assigned', async () => {
    const invite = (body: object) => inHome().post('/workspaces/current/members', body);
    for (const email of ['', 'x', 'a b@example.com', `${'x'.repeat(250)}@example.com`]) {
      expect(errorOf(await invite({ email, role: 'member' }))).toEqual([400, 'VALIDATION_ERROR', 'email']);
    }
    for (const role of ['owner', 'boss', '', null]) {
      expect(errorOf(await invite({ email: 'x@example.com', role }))).toEqual([400, 'VALIDATION_ERROR', 'role']);
    }
  });

  test('a viewer cannot change roles, and an admin can assign any role except owner', async () => {
    const [admin, person] = [await aPerson(stack), await aPerson(stack)];
    await joins(admin, 'admin', { id: home.id, by: owner });
    const { id } = await joins(person, 'viewer', { id: home.id, by: owner });
    const path = `/workspaces/current/members/${id}`;
    expect(errorOf(await person.in(home.id).patch(path, { role: 'admin' })).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    expect(accepted(await admin.in(home.id).patch<ApiMember>(path, { role: 'member' }))).toMatchObject({
      id,
      role: 'member',
    });
    expect(errorOf(await admin.in(home.id).patch(path, { role: 'owner' }))).toEqual([400, 'VALIDATION_ERROR', 'role']);
    expect((await membersOf(admin, home.id)).find((each) => each.id === id)!.role).toBe('member');
    await eventually(async () => expect((await person.in(home.id).post('/tags', { name: 'boleh' })).status).toBe(201));
  });

  test('the owner cannot be changed or removed', async () => {
    const admin = await aPerson(stack);
    await joins(admin, 'admin', { id: home.id, by: owner });
    const { id } = (await member(owner.email))!;
    for (const person of [admin, owner]) {
      const path = `/workspaces/current/members/${id}`;
      const change = await person.in(home.id).patch(path, { role: 'member' });
      expect(errorOf(change).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
      expect(errorOf(await person.in(home.id).delete(path)).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    }
    expect(await member(owner.email)).toMatchObject({ role: 'owner' });
  });

  test.each(['admin', 'member', 'viewer'])('a user with the role %s can leave the workspace', async (role) => {
    const person = await aPerson(stack);
    const { id } = await joins(person, role, { id: home.id, by: owner });
    expect(accepted(await person.in(home.id).delete(`/workspaces/current/members/${id}`))).toEqual({
      id,
      deleted: true,
    });
    await eventually(async () => expect((await person.in(home.id).get('/links')).status).toBe(403), 1_000);
  });

  test('an open invitation can be withdrawn', async () => {
    const guest = await aPerson(stack);
    const { id } = accepted(
      await inHome().post<ApiMember>('/workspaces/current/members', { email: guest.email, role: 'member' }),
    );
    accepted(await inHome().delete(`/workspaces/current/members/${id}`));
    expect((await guest.api.get<ApiWorkspace[]>('/workspaces')).data.map((each) => each.id)).not.toContain(home.id);
  });

  test('the id of a member of another workspace returns FORBIDDEN, and an unknown id returns NOT_FOUND', async () => {
    const other = await aPerson(stack);
    const theirs = await aWorkspace(other);
    const [{ id }] = (await membersOf(other, theirs.id)) as [ApiMember];
    const path = (memberId: string) => `/workspaces/current/members/${memberId}`;
    expect(errorOf(await inHome().delete(path(id))).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
    const unknown = 'mem_01jd3x8q4v5w6y7z8a9b0c1d2e';
    expect(errorOf(await inHome().patch(path(unknown), { role: 'viewer' })).slice(0, 2)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('API keys', () => {
  test('a key is returned once, works immediately, and is listed without its value', async () => {
    const { key, ...created } = await aKey(owner, home.id, 'Panel');
    expect(key).toMatch(/^tau_live_[0-9A-Za-z]{32}$/);
    expect((await apiClient({ ...stack, apiKey: key }).get('/links')).status).toBe(200);
    const answer = await inHome().get<ApiKeyView[]>('/auth/api-keys');
    expect(answer.text).not.toContain(key);
    expect(answer.data).toContainEqual({
      id: created.id,
      label: 'Panel',
      prefix: key.slice(0, 15),
      lastUsedAt: expect.anything(),
      createdBy: { type: 'user', id: expect.stringMatching(/^usr_/) },
      createdAt: created.createdAt,
    });
  });

  test('a label of 1 to 100 characters is required', async () => {
    for (const body of [{}, { label: '' }, { label: 'x'.repeat(101) }]) {
      expect(errorOf(await inHome().post('/auth/api-keys', body))).toEqual([400, 'VALIDATION_ERROR', 'label']);
    }
  });

  test('only users can create and revoke keys', async () => {
    const { key, id } = await aKey(owner, home.id);
    const machine = apiClient({ ...stack, apiKey: key });
    expect(errorOf(await machine.post('/auth/api-keys', { label: 'x' })).slice(0, 2)).toEqual([403, 'PERSON_ONLY']);
    expect(errorOf(await machine.delete(`/auth/api-keys/${id}`)).slice(0, 2)).toEqual([403, 'PERSON_ONLY']);
  });

  test('a revoked key is rejected within 1 s', async () => {
    const { key, id } = await aKey(owner, home.id);
    const machine = apiClient({ ...stack, apiKey: key });
    expect((await machine.get('/links')).status).toBe(200);
    expect(accepted(await inHome().delete(`/auth/api-keys/${id}`))).toEqual({ id, deleted: true });
    await eventually(async () => expect((await machine.get('/links')).status).toBe(401), 1_000);
  });

  test('a repeated request with the same Idempotency-Key returns the same API key and creates no second one', async () => {
    const headers = { 'idempotency-key': 'kunci-1' };
    const first = await inHome().post<ApiKeyView>('/auth/api-keys', { label: 'Ulang' }, headers);
    const second = await inHome().post<ApiKeyView>('/auth/api-keys', { label: 'Ulang' }, headers);
    expect([second.data, second.headers.get('idempotency-replayed')]).toEqual([first.data, 'true']);
    const listed = (await inHome().get<ApiKeyView[]>('/auth/api-keys')).data.filter(({ label }) => label === 'Ulang');
    expect(listed).toHaveLength(1);
  });
});
