import { fail, newUlid, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { User } from '../domain/user.js';
import type { PeopleDeps } from './deps.js';

/** Longer than reading an access token, a call of the provider and a transaction take together. */
const RESERVED_MS = 30_000;

type Deps = Pick<PeopleDeps, 'users' | 'members' | 'transact' | 'maxWorkspacesPerUser' | 'now'>;

/**
 * Reserves one of the workspaces that a user can own, before it is created at the identity provider, and returns the id of the
 * reservation. The reservation stands in the user's document, so that concurrent ones conflict over all replicas; one that a
 * process leaves behind when it dies ends by its time. Throws VALIDATION_ERROR naming `name` when none is left.
 */
export async function reserveWorkspace(deps: Deps, by: Principal): Promise<string> {
  const { users, members, transact, maxWorkspacesPerUser: max, now } = deps;
  const id = newUlid();
  await transact(by, async (tx) => {
    const at = now();
    const user = await knownUser(deps, by, tx);
    const creating = user.creating?.filter(({ until }) => until > at) ?? [];
    const owned = (await members.countOwned(user._id, tx)) + creating.length;
    if (owned >= max) {
      const message = `A user can own at most ${max} workspaces, and you own ${owned}. Ask the operator to raise MAX_WORKSPACES_PER_USER.`;
      throw fail('VALIDATION_ERROR', message, 'name');
    }
    const reservation = { id, until: new Date(at.getTime() + RESERVED_MS) };
    await users.setCreating(user._id, [...creating, reservation], tx);
  });
  return id;
}

/** Removes a reservation, and returns the user. */
export async function releaseWorkspace(
  deps: Deps,
  { by, reservation }: { by: Principal; reservation: string },
  tx: Transaction,
): Promise<User> {
  const user = await knownUser(deps, by, tx);
  await deps.users.setCreating(user._id, user.creating?.filter(({ id }) => id !== reservation), tx); // prettier-ignore
  return user;
}

async function knownUser({ users }: Deps, by: Principal, tx: Transaction): Promise<User> {
  const user = await users.find(by.id, tx);
  if (!user) throw fail('UNAUTHENTICATED', 'Nobody of this id is known.');
  return user;
}
