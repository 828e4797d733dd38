import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isId, newUlid } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import type { Behavior } from './testing/provider.js';
import { aPrincipal, as } from './testing/service.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

/** Creates a workspace at the provider with this user in it. */
const aProviderWorkspace = ({ subject, email }: TestPerson, role = 'owner', name = 'Kopi') =>
  fixture.provider.aWorkspace(name, { userId: subject, email, role });
/** Polls until the first workspace of a user is mirrored, because a list request does not wait long for the provider. */
const firstListed = (person: TestPerson) => until(async () => (await person.list())[0]);

describe('the list of workspaces', () => {
  test('is read from the provider, mirrored, and returned with counts', async () => {
    const person = await fixture.aPerson();
    const kopi = aProviderWorkspace(person, 'admin');
    await firstListed(person);
    const [listed, ...others] = await person.list();
    expect(others).toEqual([]);
    const counts = { linkCount: 0, qrCodeCount: 0, memberCount: 1 };
    expect(listed).toMatchObject({ name: 'Kopi', role: 'admin', plan: 'FREE', ...counts, current: false });
    expect(isId(listed!.id, 'ws')).toBe(true);
    expect(await fixture.models.workspaces.findById(listed!.id).lean()).toMatchObject({ externalId: kopi.id });
    const { actor } = await fixture.eventAbout(listed!.id, 'workspace.created');
    expect(actor).toMatchObject({ type: 'user', id: person._id });
    await until(() => fixture.eventTypes(listed!.id).length === 2);
    expect(fixture.eventTypes(listed!.id)).toEqual(['workspace.created', 'member.joined']);
    expect(fixture.invalidated.userIds.has(person._id)).toBe(true);
  });

  test('is mirrored once if several requests read it concurrently', async () => {
    const person = await fixture.aPerson();
    aProviderWorkspace(person);
    const lists = await Promise.all(Array.from({ length: 10 }, () => person.list()));
    expect(new Set(lists.map(([only]) => only!.id)).size).toBe(1);
    const id = lists[0]![0]!.id;
    await person.list();
    await fixture.eventAbout((await person.members(id))[0]!.id, 'member.joined');
    expect(fixture.eventTypes(id)).toEqual(['workspace.created', 'member.joined']);
  });

  test('is mirrored once if two replicas read it concurrently', async () => {
    const other = await fixture.aReplica();
    await until(async () => (await fetch(`${other.adminUrl}/readyz`)).ok);
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await fixture.aPerson(), await fixture.aPerson()];
      const row = aProviderWorkspace(one);
      row.members.push({ ...row.members[0]!, id: `${row.id}-2`, userId: two.subject, email: two.email, role: 'admin' });
      const call = { credential: two.credential };
      const lists = [one.list(), other.workspaces.call('ListWorkspaces', call, two.by()), two.list()];
      await Promise.all(lists);
      const { id } = await firstListed(one);
      expect((await two.list()).map((workspace) => workspace.id)).toEqual([id]);
      expect((await one.members(id)).map(({ role }) => role).sort()).toEqual(['admin', 'owner']);
      expect(await fixture.models.workspaces.countDocuments({ externalId: row.id })).toBe(1);
      await until(() => fixture.eventTypes(id).length >= 3);
      expect(fixture.eventTypes(id).sort()).toEqual(['member.joined', 'member.joined', 'workspace.created']);
    }
    await other.stop();
  });

  test('is sorted newest first, and marks the current workspace', async () => {
    const person = await fixture.aPerson();
    const [first, second] = [await person.create('Satu'), await person.create('Dua')];
    const request = { credential: person.credential };
    const { workspaces } = await fixture.service.workspaces.call('ListWorkspaces', request, person.by(first.id));
    expect(workspaces.map(({ id, current }) => ({ id, current }))).toEqual([
      { id: second.id, current: false },
      { id: first.id, current: true },
    ]);
  });

  test('applies names and roles that changed at the provider, and emits events', async () => {
    const person = await fixture.aPerson();
    const row = aProviderWorkspace(person, 'admin');
    const { id } = await firstListed(person);
    row.name = 'Teh';
    row.members[0]!.role = 'viewer';
    fixture.invalidated.userIds.clear();
    expect(await person.list()).toMatchObject([{ id, name: 'Teh', role: 'viewer' }]);
    const renamed = await fixture.eventAbout(id, 'workspace.updated');
    expect(renamed.changes).toEqual({ name: { before: 'Kopi', after: 'Teh' } });
    const [member] = await person.members(id);
    const changed = await fixture.eventAbout(member!.id, 'member.role_changed');
    expect(changed.changes).toEqual({ role: { before: 'admin', after: 'viewer' } });
    await until(() => fixture.invalidated.userIds.has(person._id));
  });

  test('removes memberships that disappeared at the provider, with all effects of a removal', async () => {
    const person = await fixture.aPerson();
    const row = aProviderWorkspace(person);
    const { id } = await firstListed(person);
    const key = await fixture.service.apiKeys.call(
      'MintApiKey',
      { workspaceId: id, label: 'CI' },
      person.by(id, 'owner'),
    );
    row.members = [];
    expect(await person.list()).toEqual([]);
    await until(() => fixture.invalidated.apiKeyIds.has(key.id) && fixture.invalidated.userIds.has(person._id));
    const verified = fixture.service.apiKeys.call('VerifyApiKey', { key: key.key }, as());
    await expect(verified).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await fixture.eventAbout(key.id, 'api_key.revoked');
    expect(fixture.eventTypes(id)).toContain('member.removed');
  });

  test('keeps a name and a membership that were written after the provider was queried', async () => {
    const person = await fixture.aPerson();
    const row = aProviderWorkspace(person);
    const { id } = await firstListed(person);
    const written = { asOf: new Date(Date.now() + 60_000) };
    await fixture.models.workspaces.updateOne({ _id: id }, { $set: { ...written, name: 'Teh' } });
    await fixture.models.members.updateMany({ workspaceId: id }, { $set: written });
    expect(await person.list()).toMatchObject([{ id, name: 'Teh' }]);
    fixture.provider.workspaces.delete(row.id);
    expect(await person.list()).toMatchObject([{ id, name: 'Teh' }]);
  });

  test('adds a user without an email address, or with that of another member, under a placeholder', async () => {
    const owner = await fixture.aPerson();
    const row = aProviderWorkspace(owner);
    await firstListed(owner);
    for (const email of ['', owner.email]) {
      const person = await fixture.aPerson();
      await fixture.models.users.updateOne({ _id: person._id }, { $set: { email } });
      const { subject: userId, email: address } = person;
      row.members.push({ ...row.members[0]!, id: newUlid(), userId, email: address, role: 'member' });
      await firstListed(person);
      const placeholder = `${person._id}@unknown.invalid`;
      expect(await fixture.models.members.findOne({ userId: person._id }).lean()).toMatchObject({ email: placeholder });
    }
  });

  test('names a user who accepts an invitation', async () => {
    const { other, memberId } = await aTeam(fixture);
    const expected = { userId: other._id, name: other.name, status: 'active' };
    expect(await fixture.models.members.findById(memberId).lean()).toMatchObject(expected);
  });

  test('keeps workspaces that the provider never had', async () => {
    const person = await fixture.aPerson();
    const created = await fixture.service.operators.call('CreateWorkspace', { name: 'Old' }, as());
    const { id } = await person.create();
    await fixture.models.members.updateOne({ workspaceId: id }, { $set: { workspaceId: created.id } });
    expect((await person.list()).map((workspace) => workspace.id)).toContain(created.id);
  });

  test('applies hundreds of additions and removals', async () => {
    const person = await fixture.aPerson();
    for (let i = 0; i < 450; i += 1) aProviderWorkspace(person, 'admin', `W${i}`);
    const counted = async (expected: number) => (await person.list()).length === expected;
    await until(() => counted(450));
    const { id } = await firstListed(person);
    const row = [...fixture.provider.workspaces.values()].at(-1)!;
    fixture.provider.workspaces.clear();
    fixture.provider.workspaces.set(row.id, row);
    await until(() => counted(1));
    const guests = Array.from({ length: 250 }, (_, i) => ({ ...row.members[0]!, id: `m${i}`, userId: `s${i}` }));
    row.members.push(...guests.map((guest, i) => ({ ...guest, email: `g${i}@example.com` })));
    await until(async () => (await person.members(id)).length === 251);
    row.members.length = 1;
    await until(async () => (await person.members(id)).length === 1);
  });

  test.each<Behavior>(['down', 'slow', '500', 'garbage', 'flood'])(
    'is read from the mirror within a second (state of the provider: %s)',
    async (behavior) => {
      const person = await fixture.aPerson();
      const { id } = await person.create();
      fixture.provider.behavior = behavior;
      const began = performance.now();
      expect(await person.list()).toMatchObject([{ id, role: 'owner', memberCount: 1 }]);
      expect(performance.now() - began).toBeLessThan(allowedMs(1_000));
    },
  );

  test('is updated by a provider response that arrives after the list was returned', async () => {
    const person = await fixture.aPerson();
    aProviderWorkspace(person);
    fixture.provider.behavior = 'slow';
    // Longer than a list request waits for the provider, but shorter than IDENTITY_TIMEOUT_MS.
    fixture.provider.slowMs = 1_000;
    expect(await person.list()).toEqual([]);
    fixture.provider.slowMs = 1_500;
    await until(() => fixture.models.members.exists({ userId: person._id }));
  });

  test('is rejected if the provider rejects the token', async () => {
    const person = await fixture.aPerson();
    const list = fixture.service.workspaces.call('ListWorkspaces', { credential: 'another' }, person.by());
    await expect(list).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('contains only the workspace of the API key that requests it, without a call to the provider', async () => {
    const { owner, other, workspaceId } = await aTeam(fixture);
    await owner.create('Another');
    await other.create('A third');
    const requestCount = fixture.provider.requests.length;
    const { workspaces } = await fixture.service.workspaces.call(
      'ListWorkspaces',
      {},
      as(aPrincipal({ workspaceId, kind: 'api_key', role: 'admin' })),
    );
    expect(workspaces).toMatchObject([{ id: workspaceId, role: '', memberCount: 2, current: true }]);
    expect(fixture.provider.requests).toHaveLength(requestCount);
  });
});

test('if a member was removed at the provider and invited again, listing the members ends the membership and adds the invitation', async () => {
  const { owner, other, workspaceId, memberId } = await aTeam(fixture);
  await fixture.backdateMembers(workspaceId);
  const row = (await fixture.providedOf(workspaceId)).members.find(({ email }) => email === other.email)!;
  Object.assign(row, { id: `${row.id}-2`, userId: null, status: 'invited', joinedAt: null });
  const invited = (await owner.members(workspaceId)).find(({ email }) => email === other.email);
  expect(invited).toMatchObject({ status: 'invited', role: 'member' });
  expect(invited!.id).not.toBe(memberId);
  await fixture.eventAbout(memberId, 'member.removed');
  await fixture.eventAbout(invited!.id, 'member.invited');
});

test('if two members exchanged their addresses at the provider, listing the members applies both', async () => {
  const { owner, other, workspaceId } = await aTeam(fixture);
  await fixture.backdateMembers(workspaceId);
  const { members } = await fixture.providedOf(workspaceId);
  for (const member of members) member.email = member.email === owner.email ? other.email : owner.email;
  const userOf = new Map([
    [owner.email, other._id],
    [other.email, owner._id],
  ]);
  await until(async () =>
    (await owner.members(workspaceId)).every(({ email, userId }) => userOf.get(email) === userId),
  );
});

test('a change that the provider rejects because of a member that it already has, or no longer has, refreshes the members', async () => {
  const { owner, other, workspaceId, memberId } = await aTeam(fixture);
  await fixture.backdateMembers(workspaceId);
  const provided = await fixture.providedOf(workspaceId);
  const email = anEmail().toLowerCase();
  const invited = { userId: null, email, role: 'member', status: 'invited' as const, joinedAt: null };
  provided.members.push({ ...provided.members[0]!, id: newUlid(), ...invited });
  await expect(owner.invite(workspaceId, email)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
  await until(() => fixture.models.members.exists({ workspaceId, email }));
  provided.members = provided.members.filter((member) => member.email !== other.email);
  await expect(owner.changeRole(workspaceId, memberId, 'viewer')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await until(async () => !(await fixture.models.members.exists({ _id: memberId })));
});

test('what others did at the provider is attributed to the system, not to the user who lists the members', async () => {
  const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
  const viewer = await fixture.aPerson();
  await owner.invite(workspaceId, viewer.email, 'viewer');
  await viewer.list();
  const removed = await owner.invite(workspaceId, anEmail());
  const key = await fixture.mintKey(other, workspaceId);
  await fixture.backdateMembers(workspaceId);
  const provided = await fixture.providedOf(workspaceId);
  provided.members = provided.members.filter(({ email }) => email !== removed.email);
  provided.members.find(({ email }) => email === other.email)!.role = 'member';
  const eve = { ...provided.members[0]!, id: 'eve', userId: null, email: anEmail().toLowerCase(), role: 'member' };
  provided.members.push({ ...eve, status: 'invited', joinedAt: null });
  const listed = async () => (await viewer.members(workspaceId)).find(({ email }) => email === eve.email);
  const { id } = await until(listed);
  const system = { actor: { type: 'system', id: null, name: 'system' }, ip: null, userAgent: null };
  expect(await fixture.eventAbout(id, 'member.invited')).toMatchObject(system);
  expect(await fixture.eventAbout(removed.id, 'member.removed')).toMatchObject(system);
  expect(await fixture.eventAbout(memberId, 'member.role_changed')).toMatchObject(system);
  expect(await fixture.eventAbout(key.id, 'api_key.revoked')).toMatchObject(system);
});

/**
 * Renames a workspace with a request that fails after the provider has made the change, and expects the next list of
 * workspaces to contain the new name.
 */
async function expectRenamedLater(failing: (write: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const person = await fixture.aPerson();
  const { id } = await person.create();
  await fixture.models.workspaces.updateOne({ _id: id }, { $set: { asOf: new Date(0) } });
  await failing(() => person.rename(id, 'Baru'));
  expect(await fixture.models.workspaces.findById(id).lean()).toMatchObject({ name: 'Kopi' });
  expect(await person.list()).toMatchObject([{ id, name: 'Baru' }]);
}

describe('a write that the provider has made, but that the database cannot store', () => {
  const failPoint = (mode: 'alwaysOn' | 'off') =>
    fixture.connection.db!.admin().command({
      configureFailPoint: 'failCommand',
      mode,
      data: { failCommands: ['insert', 'update'], errorCode: 6, appName: 'workspaces' },
    });
  /** Makes a change with `write`. As soon as the provider has made the change, the database rejects every write. */
  const failToStore = async (write: () => Promise<unknown>): Promise<void> => {
    fixture.provider.onChange = async () => void (await failPoint('alwaysOn'));
    const message = expect.stringMatching(/has made the change. It will be applied here/);
    await expect(write()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message });
    fixture.provider.onChange = async () => {};
    await failPoint('off');
  };
  afterEach(async () => {
    fixture.provider.onChange = async () => {};
    await failPoint('off');
  });

  test('creates the workspace later, and the response says so', async () => {
    const person = await fixture.aPerson();
    await failToStore(() => person.create('Baru'));
    expect(await fixture.models.members.exists({ userId: person._id })).toBeNull();
    expect(await person.list()).toMatchObject([{ name: 'Baru', role: 'owner' }]);
  });

  test('renames the workspace later, and the response says so', () => expectRenamedLater(failToStore));

  test('applies an invitation, a role and a removal later, and the responses say so', async () => {
    const { owner, workspaceId, memberId } = await aTeam(fixture);
    await fixture.backdateMembers(workspaceId);
    await failToStore(() => owner.changeRole(workspaceId, memberId, 'viewer'));
    expect(await fixture.models.members.findById(memberId).lean()).toMatchObject({ role: 'member' });
    expect(await owner.members(workspaceId)).toMatchObject([{ id: memberId, role: 'viewer' }, { role: 'owner' }]);
    await failToStore(() => owner.invite(workspaceId, 'citra@example.com'));
    const [citra] = await owner.members(workspaceId);
    expect(citra).toMatchObject({ email: 'citra@example.com', status: 'invited', role: 'member' });
    expect(await fixture.usageOf(workspaceId)).toBe(3);
    await failToStore(() => owner.remove(workspaceId, memberId));
    expect(await fixture.models.members.exists({ _id: memberId })).not.toBeNull();
    expect((await owner.members(workspaceId)).map(({ email }) => email)).toEqual(['citra@example.com', owner.email]);
  });
});

describe('a write whose response from the provider was lost', () => {
  const loseResponse = async (write: () => Promise<unknown>): Promise<void> => {
    fixture.provider.behavior = 'loses responses';
    await expect(write()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await fixture.recover();
  };

  test('creates the workspace when the workspaces are next listed', async () => {
    const person = await fixture.aPerson();
    await loseResponse(() => person.create('Baru'));
    expect(await fixture.models.members.exists({ userId: person._id })).toBeNull();
    const [created] = await person.list();
    expect(created).toMatchObject({ name: 'Baru', role: 'owner' });
    await fixture.eventAbout(created!.id, 'workspace.created');
  });

  test('renames the workspace when the workspaces are next listed', () => expectRenamedLater(loseResponse));

  test('applies an invitation, a role and a removal when the members are next listed', async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture);
    await fixture.backdateMembers(workspaceId);
    await loseResponse(() => owner.changeRole(workspaceId, memberId, 'viewer'));
    expect(await fixture.models.members.findById(memberId).lean()).toMatchObject({ role: 'member' });
    expect(await owner.members(workspaceId)).toMatchObject([{ id: memberId, role: 'viewer' }, { role: 'owner' }]);
    await loseResponse(() => owner.invite(workspaceId, 'budi@example.com'));
    const [budi] = await owner.members(workspaceId);
    expect(budi).toMatchObject({ email: 'budi@example.com', status: 'invited', role: 'member' });
    await fixture.eventAbout(budi!.id, 'member.invited');
    await loseResponse(() => owner.remove(workspaceId, memberId));
    expect(await fixture.models.members.exists({ _id: memberId })).not.toBeNull();
    expect((await owner.members(workspaceId)).map(({ email }) => email)).toEqual(['budi@example.com', owner.email]);
    await fixture.eventAbout(memberId, 'member.removed');
    await until(() => fixture.invalidated.userIds.has(other._id));
  });
});
