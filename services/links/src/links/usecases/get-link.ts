import { fail, isId, type Principal } from '@tautan/kit';
import type { Link } from '../domain/link.js';
import { parseDomainName } from '../../domains/domain/domain-name.js';
import { routeKey } from '../../redirects/domain/route.js';
import { isSlug } from '../domain/slug.js';
import { linkView, type LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { currentStatuses } from '../steps/current-statuses.js';
import { findLink, foreignLink, unknownLink } from '../steps/find-link.js';

type Deps = Pick<ApiDeps, 'store' | 'baseUrl' | 'now'>;

export interface GetLinkInput {
  idOrSlug: string;
  domain?: string | undefined;
}

/**
 * A link by id when the text has an id's form, else by slug. It is expired as soon as it has reached a limit. Throws
 * NOT_FOUND, or FORBIDDEN for another workspace's.
 */
export async function getLink(deps: Deps, { workspaceId }: Principal, input: GetLinkInput): Promise<LinkView> {
  const link = await resolveLink(deps, workspaceId, input);
  const [names, [status]] = await Promise.all([
    deps.store.tags.namesOf(workspaceId, [link]),
    currentStatuses(deps, [link]),
  ]);
  return linkView({ ...link, status: status! }, names, deps.baseUrl);
}

/** The link that an input of GetLink's form means. Throws as GetLink does. */
export async function resolveLink(
  deps: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  { idOrSlug, domain }: GetLinkInput,
): Promise<Link> {
  const host = hostname(domain);
  return isId(idOrSlug) ? findLink(deps, workspaceId, idOrSlug) : findBySlug(deps, workspaceId, host, idOrSlug);
}

/** The id of the link that an id or a slug names. An id is returned as it is, without a read. Throws as `getLink` does. */
export async function resolveLinkId(
  deps: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  input: GetLinkInput,
): Promise<string> {
  return isId(input.idOrSlug) ? input.idOrSlug : (await resolveLink(deps, workspaceId, input))._id;
}

async function findBySlug(
  { store }: Pick<Deps, 'store'>,
  workspaceId: string,
  domain: string | null,
  slug: string,
): Promise<Link> {
  if (!isSlug(slug)) throw unknownLink();
  const link = await store.links.bySlug(workspaceId, domain, slug);
  if (link) return link;
  const route = await store.routes.byKey(routeKey(domain, slug));
  // A slug of the own workspace without a link was given up, or is being given up right now.
  if (route && route.status !== 'deleted' && route.workspaceId !== workspaceId) throw foreignLink();
  throw unknownLink();
}

function hostname(given: string | undefined): string | null {
  if (given === undefined) return null;
  const host = parseDomainName(given);
  if (host === undefined) throw fail('VALIDATION_ERROR', 'domain must be a host name.', 'domain');
  return host;
}
