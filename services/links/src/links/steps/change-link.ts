import { changesBetween, fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { reachedLimit } from '../domain/expiry.js';
import { routeOf } from '../domain/new-link.js';
import { applyPatch, type Patch, type LinkState } from '../domain/patch.js';
import type { Route } from '../../redirects/domain/route.js';
import { linkView, type LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { syncQrRoutes } from '../../qr-routes/steps/sync-qr-routes.js';
import { nextUpdatedAt } from '../../domain/times.js';
import { expireLinks } from './expire-links.js';
import { findLink } from './find-link.js';
import { findRoute, isOnOwnDomain } from './find-route.js';
import { runInSequence } from './run-in-sequence.js';
import { replaceTags } from '../../tags/steps/replace-tags.js';
import { retryCollisions } from './retry-collisions.js';

export type ChangeDeps = Pick<
  ApiDeps,
  'store' | 'transact' | 'inOrder' | 'usage' | 'ceilings' | 'invalidate' | 'baseUrl' | 'now' | 'log'
>;

/** A link after an update, and whether anything changed. */
export interface ChangedLink {
  view: LinkView;
  changed: boolean;
}

export interface Change {
  /** Returns the patch for the current link. */
  patchOf: (current: LinkView) => Patch;
  /** Whether the patch may change tags. Links share the counts of tags, so such updates of a workspace run in order. */
  changesTags?: boolean;
}

/**
 * The result of one attempt. `due`: the routing key of a link that must be expired first. `keys`: the routing keys
 * whose redirects changed. `reached`: the limit that the updated link has already reached.
 */
type Outcome = { due: string } | UpdatedLink;
type UpdatedLink = ChangedLink & { keys: string[]; reached: string | undefined };

/**
 * Updates a link, its route and its tags, and emits the event, in one transaction. Updates of the same link run in
 * order. A link that has already reached a limit is expired before the update. If the updated link has reached a limit,
 * the link is expired right after the update. If nothing changes, nothing is emitted, and nothing is written except a
 * route that must be restored (see `findRoute`). Throws NOT_FOUND, FORBIDDEN, SLUG_TAKEN, or VALIDATION_ERROR naming
 * the field.
 */
export async function changeLink(
  deps: ChangeDeps,
  by: Principal,
  id: string,
  { patchOf, changesTags = false }: Change,
): Promise<ChangedLink> {
  const { workspaceId } = by;
  const keys = changesTags ? [id, workspaceId] : [id];
  const outcome = await retryCollisions(
    () => runInSequence(deps, keys, () => deps.transact(by, (tx) => attempt(deps, tx, workspaceId, id, patchOf))),
    async (kind) => {
      if (kind === 'tag') return undefined;
      throw fail('SLUG_TAKEN', 'The slug is in use on this domain.', 'slug');
    },
  );
  if ('due' in outcome) {
    await expireLinks(deps, [outcome.due]);
    return changeLink(deps, by, id, { patchOf, changesTags });
  }
  if (outcome.keys.length) deps.invalidate(outcome.keys);
  return outcome.reached ? expireUpdated(deps, workspaceId, outcome) : outcome;
}

/** Expires an updated link that has reached a limit. Never throws, because the update is committed. */
async function expireUpdated(deps: ChangeDeps, workspaceId: string, updated: UpdatedLink): Promise<ChangedLink> {
  const { view, keys } = updated;
  try {
    await expireLinks(deps, keys);
    const link = await findLink(deps, workspaceId, view.id);
    const names = await deps.store.tags.namesOf(workspaceId, [link]);
    return { view: linkView(link, names, deps.baseUrl), changed: true };
  } catch (err) {
    // Redirects already treat the link as expired.
    deps.log.warn({ err, id: view.id }, 'a link that has reached a limit could not be expired; the sweep will retry');
    return { view: { ...view, status: 'expired' }, changed: true };
  }
}

async function attempt(
  deps: ChangeDeps,
  tx: Transaction,
  workspaceId: string,
  id: string,
  patchOf: (current: LinkView) => Patch,
): Promise<Outcome> {
  const now = deps.now();
  const link = await findLink(deps, workspaceId, id, tx.session);
  const { route, restored } = await findRoute(deps, tx, link);
  const restoredKeys = restored ? [route._id] : [];
  if (route.status === 'active' && reachedLimit(route, now)) return { due: route._id };
  const names = await deps.store.tags.namesOf(workspaceId, [link], tx.session);
  const before = linkView(link, names, deps.baseUrl);
  const patch = patchOf(before);
  const next = applyPatch({ link, remaining: route.remaining }, patch, now);
  const tags =
    patch.tags && (await replaceTags(deps, tx, { workspaceId, old: names, wanted: patch.tags, counted: 'linkCount' }));
  if (tags) next.link.tags = tags.ids;
  const after = linkView(next.link, tags?.names ?? names, deps.baseUrl);
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return { view: after, changed: false, keys: restoredKeys, reached: undefined };
  next.link.updatedAt = nextUpdatedAt(link, now);
  const view = { ...after, updatedAt: next.link.updatedAt.toISOString() };
  await deps.store.links.update(workspaceId, id, differing(link, next.link), tx.session);
  const keys = [...restoredKeys, ...(await updateRoute(deps, tx, route, next))];
  if (keys.length) keys.push(...(await syncQrRoutes(deps, tx, next.link)));
  tx.emit({ type: 'link.updated', target: { type: 'link', id, label: view.slug }, data: view, changes });
  await tags?.updateCounts();
  const active = next.link.status === 'active';
  return {
    view,
    changed: true,
    keys,
    reached: active ? reachedLimit({ ...next.link, remaining: next.remaining }, now) : undefined,
  };
}

/** Updates the route of a link. Returns the keys whose redirects change. */
async function updateRoute(deps: ChangeDeps, tx: Transaction, old: Route, next: LinkState): Promise<string[]> {
  const route = routeOf(next.link, next.remaining);
  if (route._id === old._id) {
    const set = differing(old, route);
    if (Object.keys(set).length === 0) return [];
    await deps.store.routes.update(old.workspaceId, old._id, set, tx.session);
    return [old._id];
  }
  // Claiming a slug on a custom domain replaces routes of other workspaces, so only the domain's owner may do so.
  if (!(await isOnOwnDomain(deps, tx, next.link)))
    throw fail('VALIDATION_ERROR', 'slug cannot change while the domain is not verified.', 'slug');
  await deps.store.routes.claim([route], deps.now(), tx.session);
  await deps.store.routes.tombstone(old.workspaceId, old._id, deps.now(), tx.session);
  return [old._id, route._id];
}

/** Returns the fields of `after` that differ from `before`. */
function differing<T extends object>(before: T, after: T): Partial<T> {
  const fields = (Object.keys(after) as (keyof T)[]).filter((field) => !sameValue(before[field], after[field]));
  return Object.fromEntries(fields.map((field) => [field, after[field]])) as Partial<T>;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => item === b[i]);
  return a === b;
}
