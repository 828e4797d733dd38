import { fail, isId } from '@tautan/kit';
import { parseDomainName } from '../../domains/domain/domain-name.js';
import { routeKey } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import type { Link } from '../domain/link.js';
import { isSlug } from '../domain/slug.js';
import { findLink, foreignLink } from './find-link.js';

type Deps = Pick<ApiDeps, 'store'>;

/** Identifies a link by id, or by slug and domain. */
export interface LinkReference {
  idOrSlug: string;
  domain?: string | undefined;
}

/**
 * Returns the link with this id or slug. Throws NOT_FOUND, FORBIDDEN if it belongs to another workspace, or
 * VALIDATION_ERROR naming `domain`.
 */
export async function resolveLink(deps: Deps, workspaceId: string, { idOrSlug, domain }: LinkReference): Promise<Link> {
  const host = hostname(domain);
  return isId(idOrSlug) ? findLink(deps, workspaceId, idOrSlug) : findBySlug(deps, workspaceId, host, idOrSlug);
}

/** Returns the id of a link. Returns a given id unchecked; for a slug, throws like `resolveLink`. */
export async function resolveLinkId(deps: Deps, workspaceId: string, input: LinkReference): Promise<string> {
  return isId(input.idOrSlug) ? input.idOrSlug : (await resolveLink(deps, workspaceId, input))._id;
}

async function findBySlug({ store }: Deps, workspaceId: string, domain: string | null, slug: string): Promise<Link> {
  if (!isSlug(slug)) throw unknownLink();
  const link = await store.links.bySlug(workspaceId, domain, slug);
  if (link) return link;
  const route = await store.routes.byKey(routeKey(domain, slug));
  // A route of this workspace belongs to a QR code, or to a link that was created after the first query.
  if (route && route.status !== 'deleted' && route.workspaceId !== workspaceId) throw foreignLink();
  throw unknownLink();
}

const unknownLink = (): Error => fail('NOT_FOUND', 'No link with this id or slug.');

function hostname(given: string | undefined): string | null {
  if (given === undefined) return null;
  const host = parseDomainName(given);
  if (host === undefined) throw fail('VALIDATION_ERROR', 'domain must be a host name.', 'domain');
  return host;
}
