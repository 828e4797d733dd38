import { fail, newUlid, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { RETENTION_MS } from '../../requests/domain/idempotency.js';
import type { User, WorkspaceCreation } from '../../sessions/domain/user.js';
import type { ProviderDeps } from '../../usecase-deps.js';

/** Longer than creating a workspace takes: reading an access token, calling the provider, and a transaction. */
const RESERVATION_MS = 30_000;
/** Maximum number of creations stored per user, for retries. */
const MAX_STORED = 50;

type Deps = Pick<ProviderDeps, 'users' | 'members' | 'transact' | 'maxWorkspacesPerUser' | 'now'>;

interface Input {
  by: Principal;
  operationId: string | undefined;
}

/**
 * The id of a reservation, and the creation that an earlier attempt of the operation stored, if any. If that creation
 * is complete, nothing is reserved.
 */
export interface WorkspaceReservation {
  id: string;
  earlier: WorkspaceCreation | undefined;
}

/**
 * Counts a new workspace toward the user's limit, before it is created at the identity provider. The reservation is
 * part of the user's document, so that concurrent reservations conflict across all replicas. After a crash, the
 * reservation expires, but a retry still finds it. Throws VALIDATION_ERROR naming `name` at the limit.
 */
export async function reserveWorkspace(deps: Deps, { by, operationId }: Input): Promise<WorkspaceReservation> {
  const { users, members, transact, maxWorkspacesPerUser: max, now } = deps;
  const id = operationId ?? newUlid();
  return transact(by, async (tx) => {
    const at = now();
    const user = await requireUser(deps, by, tx);
    const stored = user.creating?.filter(({ until }) => until.getTime() > at.getTime() - RETENTION_MS) ?? [];
    const earlier = stored.find((creation) => creation.id === id);
    if (earlier?.workspaceId !== undefined) return { id, earlier };
    const others = stored.filter((creation) => creation !== earlier);
    const pending = others.filter((creation) => isPending(creation, at));
    const owned = (await members.countOwned(user._id, tx)) + pending.length;
    if (owned >= max) {
      const message = `A user can own at most ${max} workspaces, and you own ${owned}. Ask the operator to raise MAX_WORKSPACES_PER_USER.`;
      throw fail('VALIDATION_ERROR', message, 'name');
    }
    const reservation = { id, until: new Date(at.getTime() + RESERVATION_MS) };
    await users.setCreating(user._id, [...others.slice(-(MAX_STORED - 1)), reservation], tx);
    return { id, earlier };
  });
}

/**
 * Returns whether a creation has no workspace yet and its reservation has not expired. Ignores a reservation that ends
 * later than a reservation made now: the clock that set its end was ahead.
 */
const isPending = ({ until, workspaceId }: WorkspaceCreation, at: Date): boolean =>
  workspaceId === undefined && until > at && until.getTime() <= at.getTime() + RESERVATION_MS;

/** Ends a reservation: removes it, or records the created workspace for retries of the operation. Returns the user. */
export async function releaseWorkspace(
  deps: Pick<Deps, 'users'>,
  { by, reservation, workspaceId }: { by: Principal; reservation: string; workspaceId?: string },
  tx: Transaction,
): Promise<User> {
  const user = await requireUser(deps, by, tx);
  const creating = user.creating?.flatMap((creation) => {
    if (creation.id !== reservation) return [creation];
    return workspaceId === undefined ? [] : [{ ...creation, workspaceId }];
  });
  await deps.users.setCreating(user._id, creating, tx);
  return user;
}

async function requireUser({ users }: Pick<Deps, 'users'>, by: Principal, tx: Transaction): Promise<User> {
  const user = await users.find(by.id, tx);
  if (!user) throw fail('UNAUTHENTICATED', 'No user with this id.');
  return user;
}
