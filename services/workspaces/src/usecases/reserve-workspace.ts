import { fail, newUlid, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { KEPT_MS } from '../domain/idempotency.js';
import type { User, WorkspaceCreation } from '../domain/user.js';
import type { PeopleDeps } from './deps.js';

/** Longer than reading an access token, a call of the provider and a transaction take together. */
const RESERVED_MS = 30_000;
/** Maximum number of creations that a user's document keeps for repetitions. */
const MAX_KEPT = 50;

type Deps = Pick<PeopleDeps, 'users' | 'members' | 'transact' | 'maxWorkspacesPerUser' | 'now'>;

interface Asked {
  by: Principal;
  operationId: string | undefined;
}

/** A place among the workspaces that a user can own, and what an earlier attempt of the operation left behind. */
export interface ReservedWorkspace {
  id: string;
  earlier: WorkspaceCreation | undefined;
}

/**
 * Reserves one of the workspaces that a user can own, before it is created at the identity provider. The reservation stands in
 * the user's document, so that concurrent ones conflict over all replicas; one that a process leaves behind when it dies ends
 * by its time, and is still found by a repetition. Throws VALIDATION_ERROR naming `name` when none is left.
 */
export async function reserveWorkspace(deps: Deps, { by, operationId }: Asked): Promise<ReservedWorkspace> {
  const { users, members, transact, maxWorkspacesPerUser: max, now } = deps;
  const id = operationId ?? newUlid();
  return transact(by, async (tx) => {
    const at = now();
    const user = await knownUser(deps, by, tx);
    const kept = user.creating?.filter(({ until }) => until.getTime() > at.getTime() - KEPT_MS).slice(-MAX_KEPT) ?? [];
    const earlier = kept.find((creation) => creation.id === id);
    if (earlier?.workspaceId !== undefined) return { id, earlier };
    const others = kept.filter((creation) => creation !== earlier);
    const underWay = others.filter((creation) => isUnderWay(creation, at));
    const owned = (await members.countOwned(user._id, tx)) + underWay.length;
    if (owned >= max) {
      const message = `A user can own at most ${max} workspaces, and you own ${owned}. Ask the operator to raise MAX_WORKSPACES_PER_USER.`;
      throw fail('VALIDATION_ERROR', message, 'name');
    }
    const reservation = { id, until: new Date(at.getTime() + RESERVED_MS) };
    await users.setCreating(user._id, [...others, reservation], tx);
    return { id, earlier };
  });
}

/** A time beyond that of a new reservation was written by a clock that was ahead, and reserves nothing. */
const isUnderWay = ({ until, workspaceId }: WorkspaceCreation, at: Date): boolean =>
  workspaceId === undefined && until > at && until.getTime() <= at.getTime() + RESERVED_MS;

/** Ends a reservation: removes it, or notes what was created for repetitions of the operation. Returns the user. */
export async function releaseWorkspace(
  deps: Pick<Deps, 'users'>,
  { by, reservation, workspaceId }: { by: Principal; reservation: string; workspaceId?: string },
  tx: Transaction,
): Promise<User> {
  const user = await knownUser(deps, by, tx);
  const creating = user.creating?.flatMap((creation) => {
    if (creation.id !== reservation) return [creation];
    return workspaceId === undefined ? [] : [{ ...creation, workspaceId }];
  });
  await deps.users.setCreating(user._id, creating, tx);
  return user;
}

async function knownUser({ users }: Pick<Deps, 'users'>, by: Principal, tx: Transaction): Promise<User> {
  const user = await users.find(by.id, tx);
  if (!user) throw fail('UNAUTHENTICATED', 'Nobody of this id is known.');
  return user;
}
