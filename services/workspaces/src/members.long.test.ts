import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isId } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider } from './testing/people.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

const rowsOf = (workspaceId: string) => fixture.models.members.find({ workspaceId }).sort({ _id: 1 }).lean();
const roleOf = async (id: string) => (await fixture.models.members.findById(id).lean())!.role;

describe('an invitation', () => {
  test('is created at the provider and locally, and becomes a membership when accepted', async () => {
    const owner = await fixture.aPerson();
    const guest = await fixture.aPerson();
    const { id: workspaceId } = await owner.create();
    const invited = await owner.invite(workspaceId, ` ${guest.email.toUpperCase()} `, 'viewer');
    expect(invited).toMatchObject({ email: guest.email, role: 'viewer', status: 'invited', name: '' });
    expect(invited.userId).toBeUndefined();
    expect(isId(invited.id, 'mem')).toBe(true);
    await fixture.eventAbout(invited.id, 'member.invited');
    expect(await guest.list()).toMatchObject([{ id: workspaceId, role: 'viewer', memberCount: 2 }]);
    const joined = await fixture.eventAbout(invited.id, 'member.joined');
    expect(joined.changes).toEqual({ status: { before: 'invited', after: 'active' } });
    expect(await owner.members(workspaceId)).toMatchObject([
      { id: invited.id, userId: guest._id, status: 'active', role: 'viewer' },
      { userId: owner._id, role: 'owner' },
    ]);
    const published = fixture.eventTypes(workspaceId).filter((type) => type.startsWith('member.'));
    expect(published).toEqual(['member.joined', 'member.invited', 'member.joined']);
  });

  test('of a user whom the provider adds immediately creates a membership and emits member.invited and member.joined', async () => {
    const [owner, guest] = [await fixture.aPerson(), await fixture.aPerson()];
    const { id: workspaceId } = await owner.create();
    const { members } = await fixture.providedOf(workspaceId);
    const joinedAt = '2030-01-01T00:00:00.000Z';
    fixture.provider.onChange = async () =>
      void Object.assign(members.at(-1)!, { status: 'active', userId: guest.subject, name: 'Mira', joinedAt });
    const added = await owner.invite(workspaceId, guest.email).finally(() => {
      fixture.provider.onChange = async () => {};
    });
    expect(added).toMatchObject({ userId: guest._id, name: 'Mira', role: 'member', status: 'active', joinedAt });
    await fixture.eventAbout(added.id, 'member.joined');
    const published = fixture.eventTypes(workspaceId).filter((type) => type.startsWith('member.'));
    expect(published).toEqual(['member.joined', 'member.invited', 'member.joined']);
  });

  test.each(['', 'budi', 'budi@', '@example.com', 'budi@example', `${'x'.repeat(250)}@a.co`, 'a b@example.com'])(
    'to %j is rejected without a call to the provider',
    async (email) => {
      const owner = await fixture.aPerson();
      const { id } = await owner.create();
      const writeCount = fixture.provider.writes.length;
      await expect(owner.invite(id, email)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'email' });
      expect(fixture.provider.writes).toHaveLength(writeCount);
    },
  );

  test.each(['owner', 'boss', '', 'ADMIN'])(
    'as %j, or a change to this role, is rejected without a call to the provider',
    async (role) => {
      const { owner, workspaceId, memberId } = await aTeam(fixture);
      const writeCount = fixture.provider.writes.length;
      const refusal = { code: 'VALIDATION_ERROR', field: 'role' };
      await expect(owner.invite(workspaceId, anEmail(), role)).rejects.toMatchObject(refusal);
      await expect(owner.changeRole(workspaceId, memberId, role)).rejects.toMatchObject(refusal);
      expect(fixture.provider.writes).toHaveLength(writeCount);
    },
  );

  test('of a member, or of an invited user, is a conflict', async () => {
    const { owner, other, workspaceId } = await aTeam(fixture);
    const email = anEmail();
    await owner.invite(workspaceId, email);
    const conflict = { code: 'ALREADY_MEMBER', field: 'email' };
    await expect(owner.invite(workspaceId, other.email)).rejects.toMatchObject(conflict);
    await expect(owner.invite(workspaceId, email.toUpperCase())).rejects.toMatchObject(conflict);
    await fixture.models.members.deleteOne({ workspaceId, email });
    await expect(owner.invite(workspaceId, email)).rejects.toMatchObject(conflict);
  });

  test('is created by exactly one of two concurrent requests', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const email = anEmail();
    const two = await Promise.allSettled([owner.invite(workspaceId, email), owner.invite(workspaceId, email)]);
    expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(two.find((one) => one.status === 'rejected')).toMatchObject({ reason: { code: 'ALREADY_MEMBER' } });
    expect((await rowsOf(workspaceId)).filter((row) => row.email === email)).toHaveLength(1);
  });
});

describe('a role', () => {
  test("is changed at the provider and locally; the event has the old and the new role, and the gateways' caches are invalidated", async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture);
    fixture.invalidated.userIds.clear();
    expect(await owner.changeRole(workspaceId, memberId, 'admin')).toMatchObject({ id: memberId, role: 'admin' });
    const { changes, actor } = await fixture.eventAbout(memberId, 'member.role_changed');
    expect(changes).toEqual({ role: { before: 'member', after: 'admin' } });
    expect(actor.id).toBe(owner._id);
    await until(() => fixture.invalidated.userIds.has(other._id));
    expect(await other.list()).toMatchObject([{ role: 'admin' }]);
    await owner.changeRole(workspaceId, memberId, 'admin');
    await owner.members(workspaceId);
    const marker = await owner.invite(workspaceId, anEmail());
    await fixture.eventAbout(marker.id, 'member.invited');
    expect(fixture.eventTypes(workspaceId).filter((type) => type === 'member.role_changed')).toHaveLength(1);
  });

  test('of the owner cannot be changed, and the owner cannot be removed', async () => {
    const { owner, other, workspaceId } = await aTeam(fixture, 'admin');
    const { id } = (await owner.members(workspaceId)).find(({ role }) => role === 'owner')!;
    const writeCount = fixture.provider.writes.length;
    for (const person of [owner, other]) {
      await expect(person.changeRole(workspaceId, id, 'viewer')).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(person.remove(workspaceId, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(fixture.provider.writes).toHaveLength(writeCount);
    expect(await roleOf(id)).toBe('owner');
  });
});

test.each(['down', '500', 'garbage', 'slow'] as const)(
  'if the provider fails, writes change nothing, and members are read from the mirror without waiting for a slow response (state of the provider: %s)',
  async (behavior) => {
    const { owner, workspaceId, memberId } = await aTeam(fixture);
    const rows = await rowsOf(workspaceId);
    fixture.provider.behavior = behavior;
    const began = performance.now();
    expect(await owner.members(workspaceId)).toHaveLength(2);
    expect(performance.now() - began).toBeLessThan(allowedMs(1_000));
    if (behavior === 'slow') expect(fixture.provider.openRequests).toBeGreaterThan(0);
    const refused = { code: 'UPSTREAM_UNAVAILABLE' };
    const results = await Promise.allSettled([
      owner.create('Baru'),
      owner.invite(workspaceId, anEmail()),
      // Unlike the writes above, the writes below do not parse the body of a successful response, so `garbage` does
      // not make them fail. The last two writes are tested only with `down`.
      ...(behavior === 'garbage' ? [] : [owner.remove(workspaceId, memberId)]),
      ...(behavior === 'down'
        ? [owner.rename(workspaceId, 'Baru'), owner.changeRole(workspaceId, memberId, 'viewer')]
        : []),
    ]);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: refused });
    expect(await rowsOf(workspaceId)).toEqual(rows);
    expect(await fixture.models.workspaces.findById(workspaceId).lean()).toMatchObject({ name: 'Kopi' });
    expect(await fixture.models.members.countDocuments({ userId: owner._id })).toBe(1);
  },
);
