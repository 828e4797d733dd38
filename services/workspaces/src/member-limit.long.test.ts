import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { LeaseWatch } from '@tautan/kit';
import { inTransaction, type Transact, type Transaction } from '@tautan/kit/mongo';
import { rpcClient } from '@tautan/kit/rpc';
import { eventually, until } from '@tautan/kit/testing';
import { withOverrides } from '@tautan/proto';
import { operatorServices } from '@tautan/proto/rpc';
import { newReservation } from './members/domain/invitation.js';
import { invitationReservationStore } from './members/store/invitation-reservations.js';
import { memberCounters, memberUsage } from './store/member-usage.js';
import { anEmail, aTeam, startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import { as, type TestService } from './testing/service.js';
import { releaseAbandonedInvitations } from './members/usecases/release-abandoned-invitations.js';

const LIMIT = 5;
/** The member limit of PRO, which the settings do not override. */
const PRO_LIMIT = 10;
const settings = { PLAN_FREE: `{"limits":{"members":${LIMIT}}}` };
const exceeded = { code: 'PLAN_LIMIT_EXCEEDED', field: 'members' };

let fixture: ServiceWithProvider;
let replica: TestService;
beforeAll(async () => {
  fixture = await startWithProvider(settings);
  replica = await fixture.aReplica();
  await until(async () => (await fetch(`${replica.adminUrl}/readyz`)).ok);
});
afterEach(() => fixture.recover());
afterAll(async () => {
  await replica.stop();
  await fixture.stop();
});

/** Creates a workspace with this many members: the owner and open invitations. */
async function aWorkspaceOf(members: number): Promise<{ owner: TestPerson; id: string }> {
  const owner = await fixture.aPerson();
  const { id } = await owner.create();
  for (let i = 1; i < members; i += 1) await owner.invite(id, anEmail());
  return { owner, id };
}
const setPlan = (workspaceId: string, plan: string) =>
  fixture.service.operators.call('SetPlan', { workspaceId, plan }, as());
/** Invites a new address through a replica. */
const inviteThrough = (service: TestService, owner: TestPerson, id: string) =>
  service.members.call(
    'InviteMember',
    { credential: owner.credential, email: anEmail(), role: 'member' },
    owner.by(id),
  );
const inviteMany = (count: number, owner: TestPerson, id: string) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, i) => inviteThrough([fixture.service, replica][i % 2]!, owner, id)),
  );
const succeeded = (outcomes: { status: string }[]) => outcomes.filter(({ status }) => status === 'fulfilled').length;
const expectExact = async (id: string, members: number): Promise<void> => {
  expect([await fixture.usageOf(id), await fixture.memberCountOf(id)]).toEqual([members, members]);
  expect(await fixture.models.invitationReservations.countDocuments({ workspaceId: id })).toBe(0);
};

describe('the member limit', () => {
  test('allows exactly one of 200 concurrent invitations on two replicas if one more member is allowed', async () => {
    const { owner, id } = await aWorkspaceOf(LIMIT - 1);
    const warm = await aWorkspaceOf(LIMIT);
    await inviteMany(100, warm.owner, warm.id);
    const writeCount = fixture.provider.writes.length;
    const before = process.cpuUsage();
    const outcomes = await inviteMany(200, owner, id);
    const { user, system } = process.cpuUsage(before);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(refused).toEqual(Array.from({ length: 199 }, () => expect.objectContaining(exceeded)));
    // Milliseconds of CPU time, including that of the callers and servers, which share this process.
    expect((user + system) / 1_000).toBeLessThan(3_000);
    expect(fixture.provider.writes).toHaveLength(writeCount + 1);
    await expectExact(id, LIMIT);
  });

  test('counts the owner and open invitations, and an accepted invitation once', async () => {
    const { owner, id } = await aWorkspaceOf(1);
    expect(await fixture.usageOf(id)).toBe(1);
    const guest = await fixture.aPerson();
    await owner.invite(id, guest.email);
    expect(await fixture.usageOf(id)).toBe(2);
    expect(await guest.list()).toMatchObject([{ id, memberCount: 2 }]);
    await expectExact(id, 2);
  });

  test('is named in the error with the usage and the plan, without a call to the provider', async () => {
    const { owner, id } = await aWorkspaceOf(LIMIT);
    // Only requests about this workspace, because refreshes for earlier tests may still be running.
    const { externalId } = (await fixture.models.workspaces.findById(id).lean())!;
    const requests = () => fixture.provider.requests.filter((request) => request.includes(externalId!));
    const before = requests();
    expect(before).not.toEqual([]);
    await expect(owner.invite(id, anEmail())).rejects.toMatchObject({
      ...exceeded,
      message: 'The FREE plan limits members to 5 (in use: 5). Upgrade the plan to create more.',
    });
    expect(requests()).toEqual(before);
  });

  test('rejects invitations after a downgrade until usage is below the limit; existing members stay', async () => {
    const { owner, id } = await aWorkspaceOf(1);
    await setPlan(id, 'PRO');
    const invited = [];
    for (let i = 0; i < 6; i += 1) invited.push(await owner.invite(id, anEmail()));
    await setPlan(id, '');
    expect(await owner.members(id)).toHaveLength(7);
    for (const { id: memberId } of invited.slice(0, 3)) {
      await expect(owner.invite(id, anEmail())).rejects.toMatchObject(exceeded);
      await owner.remove(id, memberId);
    }
    await owner.invite(id, anEmail());
    await expectExact(id, LIMIT);
  });

  test('is exact when the plan changes during 50 invitations', async () => {
    const { owner, id } = await aWorkspaceOf(1);
    await setPlan(id, 'PRO');
    const running = inviteMany(50, owner, id);
    await until(async () => (await fixture.memberCountOf(id)) > 2);
    await setPlan(id, '');
    const atDowngrade = await fixture.usageOf(id);
    const granted = succeeded(await running);
    expect(granted + 1).toBeLessThanOrEqual(PRO_LIMIT);
    // Transactions that started before the change may still commit, one per replica.
    expect(granted + 1).toBeLessThanOrEqual(Math.max(LIMIT, atDowngrade + 2));
    expect(succeeded(await inviteMany(10, owner, id))).toBe(Math.max(0, LIMIT - granted - 1));
    const rest = inviteMany(50, owner, id);
    await setPlan(id, 'PRO');
    await rest;
    await inviteMany(50, owner, id);
    await expectExact(id, PRO_LIMIT);
  });

  test('does not apply to members that the provider reports, but counts them', async () => {
    const { owner, id } = await aWorkspaceOf(2);
    const provided = await fixture.providedOf(id);
    const more = Array.from({ length: 6 }, (_, i) => ({
      ...provided.members[0]!,
      id: `m${i}-${id}`,
      userId: `s${i}`,
      role: 'member',
      email: anEmail().toLowerCase(),
    }));
    provided.members.push(...more);
    await fixture.backdateMembers(id);
    expect(await owner.members(id)).toHaveLength(8);
    await expectExact(id, 8);
    await expect(owner.invite(id, anEmail())).rejects.toMatchObject(exceeded);
    provided.members.length = 2;
    await fixture.backdateMembers(id);
    expect(await owner.members(id)).toHaveLength(2);
    await expectExact(id, 2);
    await owner.invite(id, anEmail());
  });
});

describe('the reservation of an invitation', () => {
  test('is released if the provider fails or refuses the invitation', async () => {
    const { owner, id } = await aWorkspaceOf(2);
    fixture.provider.behavior = '500';
    await expect(owner.invite(id, anEmail())).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await fixture.recover();
    const email = anEmail().toLowerCase();
    (await fixture.providedOf(id)).members.push({
      id: email,
      userId: null,
      email,
      name: '',
      role: 'member',
      status: 'invited',
      joinedAt: null,
    });
    await expect(owner.invite(id, email)).rejects.toMatchObject({ code: 'ALREADY_MEMBER' });
    // The refusal makes the service read the members from the provider, including the invitation.
    await until(async () => (await fixture.memberCountOf(id)) === 3);
    await eventually(() => expectExact(id, 3));
  });

  test('is released if the response was lost; the invitation is counted when the provider reports it', async () => {
    const { owner, id } = await aWorkspaceOf(LIMIT - 1);
    fixture.provider.behavior = 'loses responses';
    await expect(owner.invite(id, anEmail())).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await fixture.recover();
    expect(await fixture.usageOf(id)).toBe(LIMIT - 1);
    expect(await owner.members(id)).toHaveLength(LIMIT);
    await expectExact(id, LIMIT);
    await expect(owner.invite(id, anEmail())).rejects.toMatchObject(exceeded);
  });

  /** Simulates a process that crashed while it sent an invitation. */
  async function simulateCrash(workspaceId: string, email: string): Promise<void> {
    const counters = memberCounters(fixture.models, fixture.connection);
    await inTransaction(fixture.connection, 2_500, async (session) => {
      await counters.reserveOne(session, withOverrides(), {
        workspaceId,
        limit: 'members',
        plan: 'PRO',
        at: new Date(),
      });
      const tx = { session } as Transaction;
      await invitationReservationStore(fixture.models).insert(
        newReservation({ workspaceId, email, operationId: undefined }),
        tx,
      );
    });
  }
  /** Simulates a replica, with its own clock, that releases abandoned reservations. */
  function aReleaser(now = () => new Date()) {
    let monotonicMs = 0;
    const deps = {
      usage: memberUsage(fixture.models, memberCounters(fixture.models, fixture.connection)),
      invitations: invitationReservationStore(fixture.models),
      transact: ((_by, work) =>
        inTransaction(fixture.connection, 2_500, (session) => work({ session } as Transaction))) as Transact,
      now,
      watch: new LeaseWatch<string>(30_000, () => monotonicMs),
    };
    /** Lets `forMs` pass on its monotonic clock, and checks the reservations every ten seconds. */
    return async (forMs: number): Promise<void> => {
      await releaseAbandonedInvitations(deps);
      for (let passedMs = 0; passedMs < forMs; passedMs += 10_000) {
        monotonicMs += 10_000;
        await releaseAbandonedInvitations(deps);
      }
    };
  }

  test('is kept for 30 seconds and then released if the process crashes before it calls the provider', async () => {
    const { owner, id } = await aWorkspaceOf(LIMIT - 1);
    await simulateCrash(id, anEmail());
    // The clock of the second replica is an hour ahead, which must not make it release the reservation earlier.
    const releasers = [aReleaser(), aReleaser(() => new Date(Date.now() + 3_600_000))];
    await Promise.all(releasers.map((release) => release(20_000)));
    expect(await fixture.usageOf(id)).toBe(LIMIT);
    await expect(owner.invite(id, anEmail())).rejects.toMatchObject(exceeded);
    await Promise.all(releasers.map((release) => release(10_000)));
    expect(await fixture.usageOf(id)).toBe(LIMIT - 1);
    await owner.invite(id, anEmail());
    await expectExact(id, LIMIT);
  });

  test('is replaced by the reported invitation if the process crashes after the provider was called', async () => {
    const { owner, id } = await aWorkspaceOf(LIMIT - 1);
    const email = anEmail().toLowerCase();
    await simulateCrash(id, email);
    await expect(owner.invite(id, email)).rejects.toMatchObject(exceeded);
    (await fixture.providedOf(id)).members.push({
      id: email,
      userId: null,
      email,
      name: '',
      role: 'member',
      status: 'invited',
      joinedAt: null,
    });
    expect(await owner.members(id)).toHaveLength(LIMIT);
    await aReleaser()(30_000);
    await expectExact(id, LIMIT);
  });

  test('prevents concurrent invitations to the same email', async () => {
    const { owner, id } = await aWorkspaceOf(1);
    const email = anEmail().toLowerCase();
    await simulateCrash(id, email);
    await expect(owner.invite(id, email)).rejects.toMatchObject({ code: 'ALREADY_MEMBER', field: 'email' });
    await aReleaser()(30_000);
    await owner.invite(id, email);
    await expectExact(id, 2);
  });
});

test('a removal is not lost while the members of a workspace are counted for the first time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { owner, workspaceId, memberId } = await aTeam(fixture);
    await fixture.models.usageCounters.deleteMany({ _id: `${workspaceId}/members` });
    await Promise.all([
      owner.remove(workspaceId, memberId),
      fixture.usageOf(workspaceId),
      owner.invite(workspaceId, anEmail()),
    ]);
    await expectExact(workspaceId, 2);
  }
});

test('operators can find and repair wrong counters', async () => {
  const { id } = await aWorkspaceOf(2);
  await fixture.models.usageCounters.updateOne({ _id: `${id}/members` }, { $inc: { used: 3 } });
  const operator = rpcClient(operatorServices.usage, { address: fixture.service.operatorAddress });
  const check = (repair: boolean) => operator.call('CheckUsage', { workspaceId: id, repair }, as());
  const drifts = [{ workspaceId: id, limit: 'members', drift: 3 }];
  expect(await check(false)).toEqual({ drifts, checked: 1, next: '' });
  expect(await check(true)).toEqual({ drifts, checked: 1, next: '' });
  expect(await check(false)).toEqual({ drifts: [], checked: 1, next: '' });
  expect(await fixture.usageOf(id)).toBe(2);
  operator.close();
});
