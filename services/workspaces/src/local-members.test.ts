import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { aPrincipal, as, startService, type TestService } from './testing/service.js';

describe('with locally managed memberships', () => {
  let fixture: ServiceWithProvider;
  beforeAll(async () => {
    fixture = await startWithProvider({ IDENTITY_WORKSPACES: 'local' });
  });
  afterAll(async () => {
    expect(fixture.provider.requests.filter((line) => line.includes('/api/v1/workspaces'))).toEqual([]);
    await fixture.stop();
  });

  test('a workspace, its name and its members are managed without the provider', async () => {
    const owner = await fixture.aPerson();
    const { id } = await owner.create();
    expect(await fixture.models.workspaces.findById(id).lean()).not.toHaveProperty('externalId');
    expect(await owner.rename(id, 'Teh')).toMatchObject({ name: 'Teh' });
    const invited = await owner.invite(id, 'budi@example.com');
    expect(await owner.changeRole(id, invited.id, 'admin')).toMatchObject({ role: 'admin', status: 'invited' });
    expect(await owner.list()).toMatchObject([{ id, name: 'Teh', memberCount: 1 }]);
    await owner.remove(id, invited.id);
    expect(await owner.members(id)).toMatchObject([{ role: 'owner', userId: owner._id }]);
    await fixture.eventAbout(invited.id, 'member.removed');
    expect(fixture.eventTypes(id)).toEqual([
      'workspace.created',
      'member.joined',
      'workspace.updated',
      'member.invited',
      'member.role_changed',
      'member.removed',
    ]);
  });

  test('exactly one of two concurrent invitations to the same email address succeeds', async () => {
    const owner = await fixture.aPerson();
    const { id } = await owner.create();
    const two = await Promise.allSettled([
      owner.invite(id, 'citra@example.com'),
      owner.invite(id, 'citra@example.com'),
    ]);
    expect(two.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(two.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { code: 'ALREADY_MEMBER', field: 'email' },
    });
  });

  test.each(['leave', 'give up their role'])(
    'if the last two admins %s concurrently, one of them is rejected',
    async (how) => {
      const { id, admins, owner } = await withTwoAdmins();
      await fixture.models.members.deleteOne({ _id: owner.memberId });
      const ended = await Promise.allSettled(
        admins.map(({ person, memberId }) =>
          how === 'leave' ? person.remove(id, memberId) : person.changeRole(id, memberId, 'viewer'),
        ),
      );
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'FORBIDDEN' } });
      expect(await fixture.models.members.countDocuments({ workspaceId: id, role: 'admin' })).toBe(1);
    },
  );

  test('an admin can neither demote nor remove the owner', async () => {
    const { id, admins, owner } = await withTwoAdmins();
    const { person } = admins[0]!;
    await expect(person.changeRole(id, owner.memberId, 'viewer')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(person.remove(id, owner.memberId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await fixture.models.members.findById(owner.memberId).lean()).toMatchObject({ role: 'owner' });
  });

  /** Creates a workspace with an owner and two admins. */
  async function withTwoAdmins() {
    const [owner, one, two] = [await fixture.aPerson(), await fixture.aPerson(), await fixture.aPerson()];
    const { id } = await owner.create();
    const admins: { person: TestPerson; memberId: string }[] = [];
    for (const person of [one, two]) {
      const { id: memberId } = await owner.invite(id, person.email, 'admin');
      await join(memberId, person);
      admins.push({ person, memberId });
    }
    const { _id: memberId } = await fixture.models.members.findOne({ workspaceId: id, role: 'owner' }).orFail().lean();
    return { id, admins, owner: { memberId } };
  }

  const join = (memberId: string, { _id: userId }: TestPerson) =>
    fixture.models.members.updateOne({ _id: memberId }, { $set: { userId, status: 'active', joinedAt: new Date() } });
});

describe('without an identity provider', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await until(async () => (await fetch(`${service.adminUrl}/readyz`)).ok);
  });
  afterAll(() => service.stop());

  test('API keys work', async () => {
    const { id: workspaceId } = await service.operators.call('CreateWorkspace', { name: 'Kopi' }, as());
    const key = await service.operators.call('MintApiKey', { workspaceId, label: 'CI' }, as());
    expect((await service.apiKeys.call('VerifyApiKey', { key: key.key }, as())).workspaceId).toBe(workspaceId);
    const by = as(aPrincipal({ workspaceId, kind: 'api_key', id: key.id, role: 'admin' }));
    expect((await service.workspaces.call('ListWorkspaces', {}, by)).workspaces).toMatchObject([{ id: workspaceId }]);
    expect((await service.members.call('ListMembers', {}, by)).members).toEqual([]);
    expect((await service.apiKeys.call('ListApiKeys', {}, by)).apiKeys).toHaveLength(1);
  });

  test('users cannot create workspaces', async () => {
    const creation = service.workspaces.call('CreateOwnWorkspace', { credential: 'x', name: 'Kopi' }, as(aPrincipal()));
    await expect(creation).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
