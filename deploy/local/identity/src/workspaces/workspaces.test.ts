import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { State } from '@tautan/append-log';
import type { Person } from '../people/person.js';
import {
  api as call,
  signUp,
  startProvider,
  stopProviders,
  tokensOf,
  type Answer,
  type Provider,
} from '../testing/running.js';
import { InvitationLinks } from './invitation-links.js';
import { creationChanges, Workspaces, type Workspace } from './workspaces.js';

let provider: Provider;
beforeAll(async () => void (provider = await startProvider()));
afterAll(stopProviders);

interface TestUser {
  id: string;
  email: string;
  api(call: string, body?: object): Promise<Answer>;
}

let userCount = 0;
async function aUser(name = 'Ada Lovelace'): Promise<TestUser> {
  const email = `person-${(userCount += 1)}@example.com`;
  const id = await signUp(provider.url, email, name);
  const { access_token: token } = await tokensOf(provider.url, email);
  return { id, email, api: (path, body) => call(provider.url, path, { token, ...(body && { body }) }) };
}

interface Data {
  id: string;
  userId: string | null;
  role: string;
  status: string;
}
const dataOf = ({ body }: Answer): Data => body['data'] as Data;
const listOf = ({ body }: Answer): Data[] => body['data'] as Data[];
const refusal = ({ status, body }: Answer) => [status, (body['error'] as { code: string }).code];

describe('signing up', () => {
  const post = (body: object) => call(provider.url, 'POST /api/v1/people', { body });
  const good = { email: 'Grace@Example.com', password: 'a long enough one', name: ' Grace Hopper ' };

  test('creates a user with a workspace', async () => {
    const { status, body } = await post(good);
    expect(status).toBe(201);
    expect(body).toEqual({ id: body['id'], email: 'grace@example.com', name: 'Grace Hopper' });
    const { access_token: token } = await tokensOf(provider.url, 'grace@example.com');
    const list = await call(provider.url, 'GET /api/v1/workspaces', { token });
    expect(list.body['data']).toMatchObject([{ name: "Grace's workspace", role: 'owner' }]);
  });

  test('creates one user for concurrent requests with the same email address', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post({ ...good, email: 'twin@example.com' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ error: 'email_taken' });
  });

  test.each([
    [{ password: 'too short' }, 400, 'weak_password'],
    [{ password: 1_234_567_890 }, 400, 'weak_password'],
    [{ email: 'ada@' }, 400, 'invalid_email'],
    [{ email: ['a@example.com'] }, 400, 'invalid_email'],
    [{ name: ' ' }, 400, 'invalid_name'],
    [{ name: 'a\u202eb' }, 400, 'invalid_name'],
    [{ name: 'x'.repeat(20_000) }, 413, 'too_large'],
  ])('refuses %p', async (change, status, error) => {
    const answer = await post({ ...good, email: 'new@example.com', ...change });
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
  });

  test('rejects bodies that are not JSON objects', async () => {
    const send = async (type: string, body: string) =>
      (await fetch(`${provider.url}/api/v1/people`, { method: 'POST', headers: { 'content-type': type }, body }))
        .status;
    expect(await send('application/json', '{')).toBe(400);
    expect(await send('application/json', '[]')).toBe(400);
    expect(await send('text/plain', '{}')).toBe(415);
  });
});

test('operations on users return 405 for a wrong method, and `error` is the text `method_not_allowed`', async () => {
  const { status, body } = await call(provider.url, 'PATCH /api/v1/people', { body: {} });
  expect([status, body]).toEqual([
    405,
    { error: 'method_not_allowed', message: 'Method not allowed. Allowed methods: POST.' },
  ]);
});

describe('workspaces', () => {
  test('are created, renamed and listed, oldest first', async () => {
    const ada = await aUser();
    const created = await ada.api('POST /api/v1/workspaces', { name: ' Team ' });
    expect(created.status).toBe(201);
    expect(created.body['data']).toMatchObject({ name: 'Team', role: 'owner' });
    const { id } = dataOf(created);
    expect((await ada.api(`PATCH /api/v1/workspaces/${id}`, { name: 'Crew' })).body['data']).toMatchObject({
      id,
      name: 'Crew',
    });
    const list = listOf(await ada.api('GET /api/v1/workspaces'));
    expect(list.map((one) => (one as unknown as { name: string }).name)).toEqual(["Ada's workspace", 'Crew']);
    const longest = '😀'.repeat(100);
    expect((await ada.api('POST /api/v1/workspaces', { name: longest })).body['data']).toMatchObject({ name: longest });
  });

  test.each([[''], ['x'.repeat(101)], ['a\nb'], [7]])('reject the name %p', async (name) => {
    const ada = await aUser();
    expect(refusal(await ada.api('POST /api/v1/workspaces', { name }))).toEqual([400, 'invalid_name']);
  });

  test('return 403 to users who are not members, and 404 if the workspace does not exist', async () => {
    const [ada, eve] = [await aUser(), await aUser('Eve')];
    const [{ id }] = listOf(await ada.api('GET /api/v1/workspaces')) as [Data];
    expect(refusal(await eve.api(`PATCH /api/v1/workspaces/${id}`, { name: 'Mine' }))).toEqual([403, 'forbidden']);
    expect(refusal(await eve.api(`GET /api/v1/workspaces/${id}/members`))).toEqual([403, 'forbidden']);
    expect(refusal(await eve.api('GET /api/v1/workspaces/workspace_x/members'))).toEqual([404, 'not_found']);
  });

  test.each([[undefined], ['x'], ['eyJhbGciOiJub25lIn0.e30.']])('return 401 for the access token %p', async (token) => {
    const answer = await call(provider.url, 'GET /api/v1/workspaces', token === undefined ? {} : { token });
    expect(refusal(answer)).toEqual([401, 'unauthenticated']);
  });

  test('return 405 with the allowed methods for a wrong method', async () => {
    const answer = await fetch(`${provider.url}/api/v1/workspaces`, { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});

describe('members', () => {
  let [owner, guest]: TestUser[] = [];
  let membersPath: string;
  beforeEach(async () => {
    [owner, guest] = [await aUser(), await aUser('Grace Hopper')];
    const { id } = dataOf(await owner.api('POST /api/v1/workspaces', { name: 'Team' }));
    membersPath = `/api/v1/workspaces/${id}/members`;
  });
  const invite = (role: string, email = guest!.email) =>
    owner!.api(`POST ${membersPath}`, { email: email.toUpperCase(), role });
  /** Invites the guest, who joins by listing their workspaces. */
  const join = async (role: string): Promise<string> => {
    const { id } = dataOf(await invite(role));
    await guest!.api('GET /api/v1/workspaces');
    return id;
  };

  test('are invited, and join as soon as they list their workspaces', async () => {
    const invited = await invite('member');
    expect(invited.status).toBe(201);
    expect(invited.body['data']).toMatchObject({
      userId: null,
      email: guest!.email,
      name: '',
      role: 'member',
      status: 'invited',
      joinedAt: null,
    });
    expect(refusal(await guest!.api(`GET ${membersPath}`))).toEqual([403, 'forbidden']);
    const theirs = listOf(await guest!.api('GET /api/v1/workspaces'));
    expect(theirs.map(({ role }) => role)).toEqual(['owner', 'member']);
    const list = listOf(await owner!.api(`GET ${membersPath}`));
    expect(list).toMatchObject([
      { userId: owner!.id, role: 'owner', status: 'active' },
      { id: dataOf(invited).id, userId: guest!.id, name: 'Grace Hopper', role: 'member', status: 'active' },
    ]);
  });

  test('can be invited before they have an account, and join when they list their workspaces', async () => {
    await invite('viewer', 'later@example.com');
    await signUp(provider.url, 'later@example.com');
    const { access_token: token } = await tokensOf(provider.url, 'later@example.com');
    const list = await call(provider.url, 'GET /api/v1/workspaces', { token });
    expect(listOf(list).map(({ role }) => role)).toEqual(['owner', 'viewer']);
  });

  test('cannot be invited twice', async () => {
    await invite('member');
    expect(refusal(await invite('admin'))).toEqual([409, 'already_member']);
    expect(refusal(await invite('admin', owner!.email))).toEqual([409, 'already_member']);
  });

  test.each([['owner'], ['boss'], [undefined]])('cannot be given the role %p', async (role) => {
    expect(refusal(await invite(role as string))).toEqual([400, 'invalid_role']);
    const id = await join('member');
    expect(refusal(await owner!.api(`PATCH ${membersPath}/${id}`, { role }))).toEqual([400, 'invalid_role']);
  });

  test.each(['member', 'viewer'])('can be listed but not managed by a %s', async (role) => {
    const id = await join(role);
    expect((await guest!.api(`GET ${membersPath}`)).status).toBe(200);
    const forbidden = [403, 'forbidden'];
    expect(refusal(await guest!.api(`POST ${membersPath}`, { email: 'x@example.com', role: 'viewer' }))).toEqual(
      forbidden,
    );
    expect(refusal(await guest!.api(`PATCH ${membersPath}/${id}`, { role: 'admin' }))).toEqual(forbidden);
    expect(refusal(await guest!.api(`PATCH ${membersPath.replace('/members', '')}`, { name: 'x' }))).toEqual(forbidden);
  });

  test('other than the owner can be managed by an admin', async () => {
    const id = await join('admin');
    const added = dataOf(await guest!.api(`POST ${membersPath}`, { email: 'x@example.com', role: 'viewer' }));
    expect((await guest!.api(`PATCH ${membersPath}/${added.id}`, { role: 'member' })).body['data']).toMatchObject({
      role: 'member',
    });
    expect((await guest!.api(`DELETE ${membersPath}/${added.id}`)).body['data']).toEqual({
      id: added.id,
      deleted: true,
    });
    const [first] = listOf(await guest!.api(`GET ${membersPath}`));
    for (const change of [`PATCH ${membersPath}/${first!.id}`, `DELETE ${membersPath}/${first!.id}`])
      expect(refusal(await guest!.api(change, { role: 'viewer' }))).toEqual([403, 'forbidden']);
    expect((await guest!.api(`DELETE ${membersPath}/${id}`)).status).toBe(200);
    expect(refusal(await guest!.api(`GET ${membersPath}`))).toEqual([403, 'forbidden']);
  });

  test('lose access when they are removed, and can be invited again', async () => {
    const id = await join('member');
    expect((await owner!.api(`DELETE ${membersPath}/${id}`)).body['data']).toEqual({ id, deleted: true });
    expect(listOf(await guest!.api('GET /api/v1/workspaces'))).toHaveLength(1);
    expect(refusal(await owner!.api(`DELETE ${membersPath}/${id}`))).toEqual([404, 'not_found']);
    expect((await invite('member')).status).toBe(201);
  });

  test('of one workspace cannot be removed through another', async () => {
    const id = await join('member');
    const { id: other } = dataOf(await owner!.api('POST /api/v1/workspaces', { name: 'Other' }));
    const elsewhere = `/api/v1/workspaces/${other}/members/${id}`;
    expect(refusal(await owner!.api(`DELETE ${elsewhere}`))).toEqual([404, 'not_found']);
  });
});

test('a user belongs to at most 1,000 workspaces, and further invitations stay open', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tautan-identity-workspaces-'));
  const state = await State.open(join(root, 'log'), { onLoss: () => undefined });
  const [ada, grace] = ['ada', 'grace'].map((id) => ({ id, email: `${id}@example.com` }) as Person) as [Person, Person];
  const workspaces = new Workspaces(state, () => undefined);
  const links = new InvitationLinks(state, workspaces);
  const at = new Date().toISOString();
  await state.write(...Array.from({ length: 999 }, () => creationChanges(grace, 'Own', at)).flat());
  const inviteTo = async (name: string) => {
    const changes = creationChanges(ada, name, at);
    await state.write(...changes);
    return workspaces.invite(ada, (changes[0]![2] as Workspace).id, { email: grace.email, role: 'member' });
  };
  await inviteTo('First');
  const { id } = await inviteTo('Second');
  const { token } = await links.create(ada, id);
  const joined = (await workspaces.list(grace)).filter(({ role }) => role === 'member');
  expect(joined.map(({ name }) => name)).toEqual(['First']);
  await expect(links.accept(grace, token)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  expect(links.find(token)?.workspace.name).toBe('Second');
  await state.close();
  rmSync(root, { recursive: true });
});
