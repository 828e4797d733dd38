import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider } from './testing/people.js';
import { aPrincipal, as } from './testing/service.js';

let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

describe('a workspace', () => {
  test('that a user creates is owned by them, at the provider and locally', async () => {
    const person = await fixture.aPerson();
    const created = await person.create('  Kopi ');
    expect(created).toMatchObject({ name: 'Kopi', plan: 'FREE', role: 'owner', memberCount: 1 });
    const { externalId } = (await fixture.models.workspaces.findById(created.id).lean())!;
    const provided = fixture.provider.workspaces.get(externalId!)!;
    expect(provided).toMatchObject({ name: 'Kopi', members: [{ userId: person.subject, role: 'owner' }] });
    await until(() => fixture.eventTypes(created.id).length === 2);
    expect(fixture.eventTypes(created.id)).toEqual(['workspace.created', 'member.joined']);
    expect((await person.list()).map(({ id }) => id)).toEqual([created.id]);
    expect((await person.members(created.id)).map(({ role }) => role)).toEqual(['owner']);
    expect(fixture.eventTypes(created.id)).toHaveLength(2);
  });

  test.each(['', '   ', 'x'.repeat(101), 'a\nb'])('cannot be created or renamed with the name %j', async (name) => {
    const person = await fixture.aPerson();
    const { id } = await person.create();
    const writeCount = fixture.provider.writes.length;
    await expect(person.create(name)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'name' });
    await expect(person.rename(id, name)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'name' });
    expect(fixture.provider.writes).toHaveLength(writeCount);
  });

  test('is renamed at the provider and locally, and the event has the old and the new name', async () => {
    const person = await fixture.aPerson();
    const { id } = await person.create();
    expect(await person.rename(id, 'Teh')).toMatchObject({ id, name: 'Teh', current: true });
    const { externalId } = (await fixture.models.workspaces.findById(id).lean())!;
    expect(fixture.provider.workspaces.get(externalId!)!.name).toBe('Teh');
    expect((await fixture.eventAbout(id, 'workspace.updated')).changes).toEqual({
      name: { before: 'Kopi', after: 'Teh' },
    });
    await person.rename(id, 'Teh');
    const marker = await person.invite(id, anEmail());
    await fixture.eventAbout(marker.id, 'member.invited');
    expect(fixture.eventTypes(id).filter((type) => type === 'workspace.updated')).toHaveLength(1);
  });

  test('that is renamed is returned with the current role, not the role in the principal', async () => {
    const { other, workspaceId } = await aTeam(fixture, 'admin');
    const request = { credential: other.credential, name: 'Teh' };
    const renamed = await fixture.service.workspaces.call('UpdateWorkspace', request, other.by(workspaceId, 'viewer'));
    expect(renamed.role).toBe('admin');
  });

  test('that a user without an email address creates has its owner under a placeholder', async () => {
    const person = await fixture.aPerson();
    await fixture.models.users.updateOne({ _id: person._id }, { $set: { email: '' } });
    const { id } = await person.create();
    const owner = { userId: person._id, email: `${person._id}@unknown.invalid`, role: 'owner' };
    expect(await fixture.models.members.findOne({ workspaceId: id }).lean()).toMatchObject(owner);
  });

  test("that a user creates or renames makes the gateways drop the user's cached credentials", async () => {
    const person = await fixture.aPerson();
    const { id } = await person.create();
    await until(() => fixture.invalidated.userIds.has(person._id));
    fixture.invalidated.userIds.delete(person._id);
    await person.rename(id, 'Teh');
    await until(() => fixture.invalidated.userIds.has(person._id));
  });

  test('that a user switches to becomes their last active one', async () => {
    const { other, workspaceId } = await aTeam(fixture);
    expect(await other.switchTo(workspaceId)).toMatchObject({ id: workspaceId, role: 'member', current: true });
    expect(await fixture.models.users.findById(other._id).lean()).toMatchObject({ lastWorkspaceId: workspaceId });
    const { changes, actor } = await fixture.eventAbout(workspaceId, 'workspace.switched');
    expect(changes).toEqual({ workspaceId: { before: null, after: workspaceId } });
    expect(actor.id).toBe(other._id);
    await until(() => fixture.invalidated.userIds.has(other._id));
    const { id: own } = await other.create();
    await other.switchTo(own);
    const { changes: next } = await fixture.eventAbout(own, 'workspace.switched');
    expect(next).toEqual({ workspaceId: { before: workspaceId, after: own } });
  });

  test('can be switched to only by its members', async () => {
    const { workspaceId, owner } = await aTeam(fixture);
    const stranger = await fixture.aPerson();
    await expect(stranger.switchTo(workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await owner.invite(workspaceId, stranger.email);
    await expect(stranger.switchTo(workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(stranger.switchTo('ws_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(stranger.switchTo('')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'workspaceId' });
  });
});

describe('the list of API keys', () => {
  test('contains the unrevoked API keys, newest first, without the full key text', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const [first, second, third] = [
      await fixture.mintKey(owner, workspaceId),
      await fixture.mintKey(owner, workspaceId),
      await fixture.mintKey(owner, workspaceId),
    ];
    await fixture.service.operators.call('RevokeApiKey', { workspaceId, id: second.id }, as());
    const { apiKeys } = await fixture.service.apiKeys.call('ListApiKeys', {}, owner.by(workspaceId, 'owner'));
    expect(apiKeys).toEqual([
      expect.objectContaining({ id: third.id, label: 'CI', prefix: third.prefix, createdByType: 'user' }),
      expect.objectContaining({ id: first.id, createdById: owner._id }),
    ]);
    expect(JSON.stringify(apiKeys)).not.toContain(first.key);
    const key = as(aPrincipal({ workspaceId, kind: 'api_key', role: 'admin' }));
    expect((await fixture.service.apiKeys.call('ListApiKeys', {}, key)).apiKeys).toHaveLength(2);
  });

  test.each(['member', 'viewer'] as const)('is forbidden to a %s', async (role) => {
    const { other, workspaceId } = await aTeam(fixture);
    const listed = fixture.service.apiKeys.call('ListApiKeys', {}, other.by(workspaceId, role));
    await expect(listed).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
