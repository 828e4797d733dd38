import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import fc from 'fast-check';
import { anEmail, startWithProvider, type ServiceWithProvider, type TestPerson } from './testing/people.js';
import type { TestService } from './testing/service.js';

let fixture: ServiceWithProvider;
let replica: TestService;
beforeAll(async () => {
  fixture = await startWithProvider({ PLAN_FREE: '{"limits":{"members":6}}' });
  replica = await fixture.aReplica();
  await until(async () => (await fetch(`${replica.adminUrl}/readyz`)).ok);
});
afterAll(async () => {
  await replica.stop();
  await fixture.stop();
});

/** The workspace that all steps act on, and the users who act. */
interface Team {
  id: string;
  owner: TestPerson;
  guests: TestPerson[];
}

const steps = {
  invite: ({ owner, guests, id }: Team, n: number) => owner.invite(id, guests[n % guests.length]!.email),
  inviteThroughReplica: ({ owner, guests, id }: Team, n: number) => {
    const { email } = guests[n % guests.length]!;
    return replica.members.call('InviteMember', { credential: owner.credential, email, role: 'viewer' }, owner.by(id));
  },
  // The provider accepts a user's open invitations when it lists the user's workspaces.
  accept: ({ guests }: Team, n: number) => guests[n % guests.length]!.list(),
  remove: async ({ owner, id }: Team, n: number) => {
    const rows = await fixture.models.members.find({ workspaceId: id, role: { $ne: 'owner' } }).lean();
    if (rows.length) await owner.remove(id, rows[n % rows.length]!._id);
  },
  leave: async ({ guests, id }: Team, n: number) => {
    const guest = guests[n % guests.length]!;
    const own = await fixture.models.members.findOne({ workspaceId: id, userId: guest._id }).lean();
    if (own) await guest.remove(id, own._id);
  },
  addAtProvider: async ({ id }: Team) => {
    const { members } = await fixture.providedOf(id);
    const email = anEmail().toLowerCase();
    members.push({ ...members[0]!, id: email, userId: null, email, role: 'member', status: 'invited', joinedAt: null });
  },
  removeAtProvider: async ({ id }: Team, n: number) => {
    const { members } = await fixture.providedOf(id);
    if (members.length > 1) members.splice(1 + (n % (members.length - 1)), 1);
  },
  mirror: async ({ owner, id }: Team) => {
    await fixture.backdateMembers(id);
    await owner.members(id);
  },
};
type Step = [keyof typeof steps, number];
const aStep = fc.tuple(fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[])), fc.nat(5));
// Expected if the limit is reached, the email is already invited, or the member has been removed.
const refusals = ['PLAN_LIMIT_EXCEEDED', 'ALREADY_MEMBER', 'NOT_FOUND', 'FORBIDDEN'];

async function run(team: Team, [name, n]: Step): Promise<void> {
  try {
    await steps[name](team, n);
  } catch (error) {
    expect(refusals).toContain((error as { code?: string }).code);
  }
}

test('member usage equals the stored members after any sequence of changes, some of them concurrent', async () => {
  const groups = fc.array(fc.array(aStep, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(groups, async (sequence) => {
      const owner = await fixture.aPerson();
      const guests = await Promise.all([1, 2, 3, 4].map(() => fixture.aPerson()));
      const team = { id: (await owner.create()).id, owner, guests };
      for (const group of sequence) {
        await Promise.all(group.map((step) => run(team, step)));
        await until(
          async () => (await fixture.models.invitationReservations.countDocuments({ workspaceId: team.id })) === 0,
        );
      }
      await steps.mirror(team);
      await until(async () => (await fixture.usageOf(team.id)) === (await fixture.memberCountOf(team.id)), 2_000);
    }),
    { numRuns: 25 },
  );
}, 120_000);
