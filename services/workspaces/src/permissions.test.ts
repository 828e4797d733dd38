import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { aPrincipal, as } from './testing/service.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

const roleOf = async (id: string) => (await fixture.models.members.findById(id).lean())!.role;

describe('permissions', () => {
  const operations = (person: TestPerson, workspaceId: string, memberId: string) => ({
    rename: () => person.rename(workspaceId, 'Teh'),
    invite: () => person.invite(workspaceId, anEmail()),
    changeRole: () => person.changeRole(workspaceId, memberId, 'viewer'),
    remove: () => person.remove(workspaceId, memberId),
  });

  test.each(['owner', 'admin', 'member', 'viewer'])(
    'only owners and admins can manage a workspace and its members: %s',
    async (role) => {
      const { owner, other, workspaceId } = await aTeam(fixture, role === 'owner' ? 'viewer' : role);
      const actor = role === 'owner' ? owner : other;
      const { id } = await owner.invite(workspaceId, anEmail());
      const isAllowed = role === 'owner' || role === 'admin';
      const writeCount = fixture.provider.writes.length;
      for (const operation of Object.values(operations(actor, workspaceId, id))) {
        if (isAllowed) await operation();
        else await expect(operation()).rejects.toMatchObject({ code: 'FORBIDDEN' });
      }
      expect(fixture.provider.writes.length - writeCount).toBe(isAllowed ? 4 : 0);
      expect(await actor.members(workspaceId)).toHaveLength(3);
    },
  );

  test('a role change invalidates the credentials cached by the gateways, and a principal with the old role is rejected', async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
    fixture.invalidated.userIds.delete(other._id);
    await owner.changeRole(workspaceId, memberId, 'viewer');
    await until(() => fixture.invalidated.userIds.has(other._id));
    const request = { credential: other.credential, email: anEmail(), role: 'member' };
    const stale = fixture.service.members.call('InviteMember', request, other.by(workspaceId, 'admin'));
    await expect(stale).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('a rejection by the provider is passed on to the caller and refreshes the mirror', async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
    await fixture.models.members.updateMany({ workspaceId }, { $set: { asOf: new Date(0) } });
    const { externalId } = (await fixture.models.workspaces.findById(workspaceId).lean())!;
    const provided = fixture.provider.workspaces.get(externalId!)!;
    provided.members.find(({ userId }) => userId === other.subject)!.role = 'viewer';
    await expect(other.rename(workspaceId, 'Teh')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await until(async () => (await roleOf(memberId)) === 'viewer');
    provided.members = provided.members.filter(({ userId }) => userId === owner.subject);
    await expect(owner.changeRole(workspaceId, memberId, 'admin')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await until(async () => !(await fixture.models.members.exists({ _id: memberId })));
  });

  test('members of another workspace cannot be read or managed', async () => {
    const mine = await aTeam(fixture);
    const theirs = await aTeam(fixture);
    const { owner, workspaceId } = mine;
    await expect(owner.members(theirs.workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const operation of Object.values(operations(owner, theirs.workspaceId, theirs.memberId))) {
      await expect(operation()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(owner.changeRole(workspaceId, theirs.memberId, 'admin')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(owner.remove(workspaceId, theirs.memberId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(owner.remove(workspaceId, 'mem_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(owner.members('ws_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('API keys cannot act for users, but can read the mirrored members', async () => {
    const { workspaceId, memberId } = await aTeam(fixture);
    const key = as(aPrincipal({ workspaceId, kind: 'api_key', role: 'admin' }));
    const { workspaces, members } = fixture.service;
    const calls = [
      workspaces.call('CreateOwnWorkspace', { name: 'x' }, key),
      workspaces.call('UpdateWorkspace', { name: 'x' }, key),
      workspaces.call('SwitchWorkspace', { workspaceId }, key),
      members.call('InviteMember', { email: anEmail(), role: 'member' }, key),
      members.call('ChangeMemberRole', { id: memberId, role: 'viewer' }, key),
      members.call('RemoveMember', { id: memberId }, key),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'PERSON_ONLY' });
    const requestCount = fixture.provider.requests.length;
    expect((await members.call('ListMembers', {}, key)).members).toHaveLength(2);
    expect(await workspaces.call('GetWorkspace', {}, key)).toMatchObject({ role: '', memberCount: 2, current: true });
    expect(fixture.provider.requests).toHaveLength(requestCount);
  });
});
