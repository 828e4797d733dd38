import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, until } from '@tautan/kit/testing';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { as } from './testing/service.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

/** Mints keys concurrently until minting is rejected, and runs `change` once one exists. Returns the keys. */
async function mintDuring(change: () => Promise<unknown>, mint: () => Promise<{ key: string }>): Promise<string[]> {
  const keys: string[] = [];
  const minting = Array.from({ length: 4 }, async () => {
    for (;;) keys.push((await mint()).key);
  });
  const rejected = Promise.allSettled(minting);
  await until(() => keys.length > 0);
  await change();
  await rejected;
  return keys;
}

const verifyKey = (key: string) => fixture.service.apiKeys.call('VerifyApiKey', { key }, as());

describe('a demotion', () => {
  test.each(['member', 'viewer'])(
    'from admin to %s revokes the keys that the user minted in the workspace, but no others',
    async (role) => {
      const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
      const kept = await fixture.mintKey(owner, workspaceId);
      const revoked = await fixture.mintKey(other, workspaceId);
      const own = await fixture.mintKey(other, (await other.create()).id);
      await owner.changeRole(workspaceId, memberId, role);
      await until(() => fixture.invalidated.apiKeyIds.has(revoked.id));
      await expect(verifyKey(revoked.key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      for (const { id, key } of [kept, own]) expect((await verifyKey(key)).id).toBe(id);
      await fixture.eventAbout(revoked.id, 'api_key.revoked');
      await fixture.eventAbout(memberId, 'member.role_changed');
    },
  );

  test('reported by the provider revokes the keys that the user minted', async () => {
    const { other, workspaceId } = await aTeam(fixture, 'admin');
    const revoked = await fixture.mintKey(other, workspaceId);
    const provided = await fixture.providedOf(workspaceId);
    for (const member of provided.members) if (member.role === 'admin') member.role = 'viewer';
    await other.list();
    await other.members(workspaceId);
    await until(() => fixture.invalidated.apiKeyIds.has(revoked.id));
    await expect(verifyKey(revoked.key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('revokes keys that are minted concurrently', async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
    const demote = () => owner.changeRole(workspaceId, memberId, 'member');
    for (const key of await mintDuring(demote, () => fixture.mintKey(other, workspaceId)))
      await expect(verifyKey(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(fixture.mintKey(other, workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

test('setting the role that a member already has revokes no keys', async () => {
  const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'member');
  await owner.changeRole(workspaceId, memberId, 'admin');
  const kept = await fixture.mintKey(other, workspaceId);
  await owner.changeRole(workspaceId, memberId, 'admin');
  expect((await verifyKey(kept.key)).id).toBe(kept.id);
});

describe('a removal', () => {
  test('ends the membership at the provider and locally, and revokes the keys and sessions of the user', async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
    const kept = await fixture.mintKey(owner, workspaceId);
    const revoked = await fixture.mintKey(other, workspaceId);
    await other.switchTo(workspaceId);
    await aSession(other);
    await aSession(other, 'another');
    await aSession(owner);
    fixture.invalidated.userIds.clear();
    await owner.remove(workspaceId, memberId);
    await until(() => fixture.invalidated.userIds.has(other._id) && fixture.invalidated.apiKeyIds.has(revoked.id));
    await expect(verifyKey(revoked.key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await verifyKey(kept.key)).id).toBe(kept.id);
    expect(await fixture.models.sessions.find().distinct('userId')).toEqual([owner._id]);
    expect(await fixture.models.users.findById(other._id).lean()).toMatchObject({ lastWorkspaceId: null });
    expect(await other.list()).toEqual([]);
    await expect(other.members(workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await fixture.eventAbout(revoked.id, 'api_key.revoked');
    expect(await fixture.eventAbout(other._id, 'session.ended')).toMatchObject({
      workspaceId,
      actor: { id: owner._id },
      data: { userId: other._id, reason: 'member_removed' },
      changes: { reason: { before: null, after: 'member_removed' } },
    });
    await until(() => fixture.eventTypes(workspaceId).filter((type) => type === 'session.ended').length === 2);
    await eventually(async () => {
      const query = { limit: 10, action: 'session.ended' };
      const { entries } = await fixture.service.audit.call('ListAuditLog', query, owner.by(workspaceId, 'owner'));
      expect(entries.map(({ changes }) => changes)).toEqual(
        Array.from({ length: 2 }, () => '{"reason":{"before":null,"after":"member_removed"}}'),
      );
    });
    const { actor, data } = await fixture.eventAbout(memberId, 'member.removed');
    expect(actor.id).toBe(owner._id);
    expect(data).toMatchObject({ id: memberId, userId: other._id, role: 'admin' });
    expect(fixture.eventTypes(workspaceId).filter((type) => type === 'member.removed')).toHaveLength(1);
  });

  test("keeps the sessions of a user who has another workspace, and the user's keys there", async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
    const own = await other.create();
    const kept = await fixture.mintKey(other, own.id);
    await aSession(other);
    await owner.remove(workspaceId, memberId);
    expect(await fixture.models.sessions.countDocuments({ userId: other._id })).toBe(1);
    expect((await verifyKey(kept.key)).workspaceId).toBe(own.id);
  });

  test('revokes keys that are minted concurrently', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { owner, other, workspaceId, memberId } = await aTeam(fixture, 'admin');
      const remove = () => owner.remove(workspaceId, memberId);
      for (const key of await mintDuring(remove, () => fixture.mintKey(other, workspaceId)))
        await expect(verifyKey(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(fixture.mintKey(other, workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('is not undone by an older response of the provider', async () => {
    const { owner, other, workspaceId, memberId } = await aTeam(fixture);
    const { externalId } = (await fixture.models.workspaces.findById(workspaceId).lean())!;
    const before = structuredClone(fixture.provider.workspaces.get(externalId!)!);
    await owner.remove(workspaceId, memberId);
    fixture.provider.workspaces.set(externalId!, before);
    expect(await other.list()).toEqual([]);
    expect(await fixture.models.members.exists({ workspaceId, userId: other._id })).toBeNull();
  });

  test('of an invited user withdraws the invitation', async () => {
    const owner = await fixture.aPerson();
    const guest = await fixture.aPerson();
    const { id: workspaceId } = await owner.create();
    const { id } = await owner.invite(workspaceId, guest.email);
    await owner.remove(workspaceId, id);
    await fixture.eventAbout(id, 'member.removed');
    expect(await guest.list()).toEqual([]);
    expect((await owner.invite(workspaceId, guest.email)).status).toBe('invited');
    expect(await guest.list()).toMatchObject([{ id: workspaceId }]);
  });

  test('of a member who no longer exists at the provider succeeds locally', async () => {
    const { owner, workspaceId, memberId } = await aTeam(fixture);
    const { externalId } = (await fixture.models.workspaces.findById(workspaceId).lean())!;
    const provided = fixture.provider.workspaces.get(externalId!)!;
    provided.members = provided.members.filter(({ role }) => role === 'owner');
    await owner.remove(workspaceId, memberId);
    expect(await fixture.models.members.exists({ _id: memberId })).toBeNull();
  });

  test('of a member of a workspace that the provider does not know is rejected and changes nothing', async () => {
    const { owner, workspaceId, memberId } = await aTeam(fixture);
    const { externalId } = (await fixture.models.workspaces.findById(workspaceId).lean())!;
    fixture.provider.workspaces.delete(externalId!);
    await expect(owner.remove(workspaceId, memberId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.models.members.exists({ _id: memberId })).not.toBeNull();
  });

  test('by an admin who has left the workspace at the provider is rejected, even if the provider id of the member to remove is unknown', async () => {
    const { owner, other, workspaceId } = await aTeam(fixture, 'admin');
    const { id } = await owner.invite(workspaceId, anEmail());
    await fixture.models.members.updateOne({ _id: id }, { $set: { externalId: null } });
    const provided = await fixture.providedOf(workspaceId);
    provided.members = provided.members.filter(({ userId }) => userId !== other.subject);
    await expect(other.remove(workspaceId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.models.members.exists({ _id: id })).not.toBeNull();
  });

  test.each(['admin', 'member', 'viewer'])(
    'of oneself lets the %s leave, locally and at the provider',
    async (role) => {
      const { owner, other, workspaceId, memberId } = await aTeam(fixture, role);
      await other.remove(workspaceId, memberId);
      expect(await fixture.models.members.exists({ _id: memberId })).toBeNull();
      expect((await fixture.providedOf(workspaceId)).members).toHaveLength(1);
      const { actor } = await fixture.eventAbout(memberId, 'member.removed');
      expect(actor.id).toBe(other._id);
      await until(() => fixture.invalidated.userIds.has(other._id));
      expect(await owner.members(workspaceId)).toHaveLength(1);
    },
  );

  test('of others is forbidden to members and viewers, and of oneself to the owner', async () => {
    for (const role of ['member', 'viewer']) {
      const { owner, other, workspaceId, memberId } = await aTeam(fixture, role);
      const { id: ownerId } = (await owner.members(workspaceId)).find((one) => one.role === 'owner')!;
      const { id: invitedId } = await owner.invite(workspaceId, `${memberId}@example.com`);
      const writeCount = fixture.provider.writes.length;
      for (const id of [ownerId, invitedId]) {
        await expect(other.remove(workspaceId, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      }
      await expect(owner.remove(workspaceId, ownerId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(fixture.provider.writes).toHaveLength(writeCount);
      expect(await owner.members(workspaceId)).toHaveLength(3);
    }
  });

  test('of oneself lets an admin leave, unless no owner or admin would remain', async () => {
    const { other, workspaceId, memberId } = await aTeam(fixture, 'admin');
    const { externalId } = (await fixture.models.workspaces.findById(workspaceId).lean())!;
    const provided = fixture.provider.workspaces.get(externalId!)!;
    const owner = provided.members.find(({ role }) => role === 'owner')!;
    await fixture.models.members.updateMany({ workspaceId }, { $set: { asOf: new Date(0) } });
    provided.members = provided.members.filter((row) => row !== owner);
    expect(await other.members(workspaceId)).toHaveLength(1);
    await expect(other.remove(workspaceId, memberId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(other.changeRole(workspaceId, memberId, 'member')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    provided.members.push(owner);
    expect(await other.members(workspaceId)).toHaveLength(2);
    await other.remove(workspaceId, memberId);
    expect(await other.list()).toEqual([]);
  });

  const aSession = (person: TestPerson, name = '') =>
    fixture.models.sessions.insertMany([
      {
        _id: person._id + name,
        userId: person._id,
        accessToken: Buffer.from('x'),
        refreshToken: null,
        accessExpiresAt: new Date(),
        version: 1,
        refreshedAt: new Date(),
        refreshLock: null,
        createdAt: new Date(),
        lastSeenAt: new Date(),
        expiresAt: new Date(Date.now() + 60_000),
      },
    ]);
});
