import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { hashApiKey } from '@tautan/proto';
import { newReservation } from './members/domain/invitation.js';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { as } from './testing/service.js';

// Requests with the same operation id create one resource, no matter at which step an earlier attempt failed.
let fixture: ServiceWithProvider;
beforeAll(async () => {
  fixture = await startWithProvider();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

/** Runs an attempt that the provider applies, but whose response is lost. */
async function withLostResponse(attempt: () => Promise<unknown>): Promise<void> {
  fixture.provider.behavior = 'loses responses';
  await expect(attempt()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  await fixture.recover();
}

describe('creating a workspace', () => {
  const create = ({ credential, by }: TestPerson, operationId: string, name = 'Kopi') =>
    fixture.service.workspaces.call('CreateOwnWorkspace', { credential, name, operationId }, by());
  const provided = ({ subject }: TestPerson) =>
    [...fixture.provider.workspaces.values()].filter(({ members }) => members.some(({ userId }) => userId === subject));

  test('again with the same operation id returns the same workspace, without a call to the provider', async () => {
    const [person, operationId] = [await fixture.aPerson(), newUlid()];
    const first = await create(person, operationId);
    const requestCount = fixture.provider.requests.length;
    expect(await create(person, operationId)).toEqual(first);
    expect(fixture.provider.requests).toHaveLength(requestCount);
  });

  test('again after a lost response returns what the provider created', async () => {
    const [person, operationId] = [await fixture.aPerson(), newUlid()];
    await withLostResponse(() => create(person, operationId));
    const { id } = await create(person, operationId);
    expect((await fixture.providedOf(id)).id).toBe(provided(person)[0]!.id);
    expect(provided(person)).toHaveLength(1);
    expect(await person.list()).toMatchObject([{ id, role: 'owner' }]);
    expect((await create(person, operationId)).id).toBe(id);
  });

  test('again after a lost response returns the mirrored workspace, if there is one', async () => {
    const [person, operationId] = [await fixture.aPerson(), newUlid()];
    await withLostResponse(() => create(person, operationId));
    const [mirrored] = await person.list();
    expect((await create(person, operationId)).id).toBe(mirrored!.id);
    expect((await create(person, operationId)).id).toBe(mirrored!.id);
    expect(provided(person)).toHaveLength(1);
  });

  test('does not return what another operation created', async () => {
    const [person, lost, other] = [await fixture.aPerson(), newUlid(), newUlid()];
    const before = await person.create('Kopi');
    await withLostResponse(() => create(person, lost));
    const second = await create(person, other);
    expect(provided(person)).toHaveLength(3);
    const found = await create(person, lost);
    expect(new Set([before.id, second.id, found.id]).size).toBe(3);
    expect(provided(person)).toHaveLength(3);
  });

  test('after a failure does not return a workspace with another name, or one that the user does not own', async () => {
    const [person, operationId] = [await fixture.aPerson(), newUlid()];
    fixture.provider.behavior = 'down';
    await expect(create(person, operationId)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await fixture.recover();
    const own = { userId: person.subject, email: person.email, role: 'owner' };
    const others = [
      fixture.provider.aWorkspace('Teh', own),
      fixture.provider.aWorkspace('Kopi', { ...own, role: 'admin' }),
    ];
    const { id } = await create(person, operationId);
    expect(others.map((other) => other.id)).not.toContain((await fixture.providedOf(id)).id);
    expect(provided(person)).toHaveLength(3);
  });

  test('stores the latest 50 creations of a user within a day', async () => {
    const [person, operationId] = [await fixture.aPerson(), newUlid()];
    const earlier = { until: new Date(), workspaceId: 'ws_1' };
    const creating = Array.from({ length: 50 }, (_, i) => ({ id: `earlier ${i}`, ...earlier }));
    const expired = { id: 'expired', until: new Date(Date.now() - 24 * 3_600_000), workspaceId: 'ws_1' };
    await fixture.models.users.updateOne({ _id: person._id }, { $set: { creating: [...creating, expired] } });
    const { id } = await create(person, operationId);
    const stored = (await fixture.models.users.findById(person._id).lean())!.creating!;
    expect(stored).toEqual([...creating.slice(1), { id: operationId, until: expect.any(Date), workspaceId: id }]);
  });

  test('leaves no record of the operation if the request is rejected', async () => {
    const [person, operationId] = [await fixture.aPerson(), newUlid()];
    await expect(create(person, operationId, '')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const stranger = { ...person, credential: 'nonsense' };
    await expect(create(stranger, operationId)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await fixture.models.users.findById(person._id).lean())!.creating).toEqual([]);
  });
});

describe('an invitation', () => {
  const invite = (
    { credential, by }: TestPerson,
    workspaceId: string,
    { email, operationId, role = 'member' }: { email: string; operationId: string; role?: string },
  ) => fixture.service.members.call('InviteMember', { credential, email, role, operationId }, by(workspaceId));

  test('repeated with the same operation id returns the same member', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const invitation = { email: anEmail(), operationId: newUlid() };
    const first = await invite(owner, workspaceId, invitation);
    expect(await invite(owner, workspaceId, invitation)).toEqual(first);
    expect((await fixture.providedOf(workspaceId)).members.filter(({ email }) => email === first.email)).toHaveLength(
      1,
    );
  });

  test('repeated with another role is rejected with ALREADY_MEMBER', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const invitation = { email: anEmail(), operationId: newUlid() };
    await invite(owner, workspaceId, invitation);
    const again = invite(owner, workspaceId, { ...invitation, role: 'admin' });
    await expect(again).rejects.toMatchObject({ code: 'ALREADY_MEMBER', field: 'email' });
  });

  test('repeated after a lost response returns the member that the provider has', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const invitation = { email: anEmail(), operationId: newUlid() };
    await withLostResponse(() => invite(owner, workspaceId, invitation));
    const invited = await invite(owner, workspaceId, invitation);
    expect(invited).toMatchObject({ email: invitation.email.toLowerCase(), status: 'invited' });
    expect((await fixture.eventAbout(invited.id, 'member.invited')).actor).toMatchObject({
      type: 'user',
      id: owner._id,
    });
    expect(await fixture.usageOf(workspaceId)).toBe(await fixture.memberCountOf(workspaceId));
  });

  test('repeated after a crash is sent again', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const invitation = { email: anEmail().toLowerCase(), operationId: newUlid() };
    await fixture.models.invitationReservations.insertMany([newReservation({ workspaceId, ...invitation })]);
    const other = invite(owner, workspaceId, { ...invitation, operationId: newUlid() });
    await expect(other).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
    expect(await invite(owner, workspaceId, invitation)).toMatchObject({ email: invitation.email });
  });

  test('repeated while the first attempt runs keeps the reservation when that attempt fails', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const invitation = { email: anEmail(), operationId: newUlid() };
    const reservation = () => fixture.models.invitationReservations.findOne({ workspaceId }).lean();
    fixture.provider.behavior = 'slow';
    const attempt = () => invite(owner, workspaceId, invitation).catch((error: unknown) => error);
    const first = attempt();
    await until(reservation);
    // The second attempt starts later, so that it also fails later than the first.
    await new Promise((resolve) => setTimeout(resolve, 600));
    const second = attempt();
    expect(await first).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await reservation()).not.toBeNull();
    expect(await second).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await reservation()).toBeNull();
  });

  test('of an existing member is rejected with ALREADY_MEMBER', async () => {
    const { owner, other, workspaceId } = await aTeam(fixture);
    // Without the pause, the member could have the same time as the operation id (a ULID), and would count as its result.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const again = invite(owner, workspaceId, { email: other.email, operationId: newUlid() });
    await expect(again).rejects.toMatchObject({ code: 'ALREADY_MEMBER', field: 'email' });
  });
});

describe('minting an API key', () => {
  const verify = (key: string) => fixture.service.apiKeys.call('VerifyApiKey', { key }, as());

  test('again with the same operation id returns the same key with a new secret, and the first secret is no longer valid', async () => {
    const { owner, workspaceId } = await aTeam(fixture);
    const request = { workspaceId, label: 'CI', operationId: newUlid() };
    const mint = () => fixture.service.apiKeys.call('MintApiKey', request, owner.by(workspaceId, 'admin'));
    const [first, again] = [await mint(), await mint()];
    expect(again).toMatchObject({ id: first.id, label: 'CI', createdAt: first.createdAt });
    await expect(verify(first.key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await verify(again.key)).id).toBe(first.id);
    const stored = await fixture.models.apiKeys.find({ workspaceId }).lean();
    expect(stored.map(({ prefix }) => prefix)).toEqual([again.prefix]);
    expect(Buffer.from((stored[0]!.hash as unknown as { buffer: Buffer }).buffer)).toEqual(hashApiKey(again.key));
    await fixture.service.operators.call('RevokeApiKey', { workspaceId, id: first.id }, as());
    await expect(mint()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(fixture.eventTypes(workspaceId).filter((type) => type === 'api_key.created')).toHaveLength(1);
  });
});
