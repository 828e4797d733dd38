import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allowedMs, eventually } from '@tautan/kit/testing';
import { aLink, type ApiResponse } from '../support/client.js';
import { startExternalIdentity, type ExternalIdentity } from '../support/identity.js';
import {
  accepted,
  aPerson,
  aWorkspace,
  joins,
  type ApiMember,
  type ApiWorkspace,
  type Person,
} from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';

// These tests use an external identity provider, and make it unavailable.
let identity: ExternalIdentity;
let stack: Stack;
let owner: Person;
let guest: Person;
let workspace: ApiWorkspace;
let membership: ApiMember;

beforeAll(async () => {
  identity = await startExternalIdentity();
  stack = await startStack({ env: identity.env });
  owner = await aPerson(stack);
  guest = await aPerson(stack);
  workspace = await aWorkspace(owner, 'Toko Sari');
  membership = await joins(guest, 'viewer', { id: workspace.id, by: owner });
});
afterAll(async () => {
  await stack?.stop();
  await identity?.remove();
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code];
const names = async (person: Person) =>
  accepted(await person.api.get<ApiWorkspace[]>('/workspaces')).map(({ name }) => name);
const roles = async () =>
  accepted(await owner.in(workspace.id).get<ApiMember[]>('/workspaces/current/members')).map(({ email, role }) => [
    email,
    role,
  ]);

/** Starts one request of each kind that writes to the provider. */
const writes = (): [string, Promise<ApiResponse<unknown>>][] => {
  const api = owner.in(workspace.id);
  const member = `/workspaces/current/members/${membership.id}`;
  return [
    ['create', owner.api.post('/workspaces', { name: 'Tidak jadi' })],
    ['rename', api.patch('/workspaces/current', { name: 'Tidak jadi' })],
    ['invite', api.post('/workspaces/current/members', { email: 'tidak@example.com', role: 'viewer' })],
    ['change role', api.patch(member, { role: 'admin' })],
    ['remove', api.delete(member)],
  ];
};

async function expectNothingWritten(before: { names: string[]; roles: unknown[] }): Promise<void> {
  for (const [kind, answer] of writes()) {
    expect([kind, ...errorOf(await answer)]).toEqual([kind, 502, 'UPSTREAM_UNAVAILABLE']);
  }
  expect({ names: await names(owner), roles: await roles() }).toEqual(before);
}

test('uses the configured provider and starts no local one', async () => {
  expect((await stack.quickstart()).identity.url).toBe(identity.url);
  expect(await names(owner)).toContain('Toko Sari');
});

test('while the provider is down, known tokens work, lists are served from the local mirror within 1 s, and writes return UPSTREAM_UNAVAILABLE and change nothing', async () => {
  const before = { names: await names(owner), roles: await roles() };
  await identity.kill();
  expect((await aLink(owner.in(workspace.id))).id).toMatch(/^lnk_/);
  const began = performance.now();
  expect(await names(owner)).toEqual(before.names);
  expect(performance.now() - began).toBeLessThan(allowedMs(1_000));
  expect(await roles()).toEqual(before.roles);
  await expectNothingWritten(before);
  await identity.start();
  await eventually(async () => expect((await owner.api.post('/workspaces', { name: 'Jadi' })).status).toBe(201));
});

test('while the provider hangs, reads take at most 1.2 s, and writes return UPSTREAM_UNAVAILABLE within 20 s and change nothing', async () => {
  const before = { names: await names(owner), roles: await roles() };
  identity.suspend();
  try {
    const began = performance.now();
    expect(await names(owner)).toEqual(before.names);
    expect(performance.now() - began).toBeLessThan(allowedMs(1_200));
    const writesBegan = performance.now();
    await expectNothingWritten(before);
    expect(performance.now() - writesBegan).toBeLessThan(20_000);
  } finally {
    identity.resume();
  }
  await eventually(async () => expect((await owner.api.post('/workspaces', { name: 'Lagi' })).status).toBe(201));
});
