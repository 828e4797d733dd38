import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Link } from '../domain/link.js';
import { domainNotVerified, routeOf } from '../domain/new-link.js';
import { tagKey } from '../../tags/domain/tag-names.js';
import { linkView, type LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { useTags } from '../../tags/steps/use-tags.js';

/** A link that is complete except for the ids of its tags. */
export interface LinkToAdd {
  /** Its creator. */
  by: Principal;
  link: Link;
  /** Distinct tag names. */
  tags: string[];
}

/**
 * Adds new links to the link counts of their domains. Called last in a transaction, to keep write locks short. Throws
 * VALIDATION_ERROR naming `domain` if a link's domain is not a verified domain of the workspace.
 */
async function updateDomainCounts(
  { store }: Pick<ApiDeps, 'store'>,
  tx: Transaction,
  workspaceId: string,
  links: Link[],
) {
  const counts = new Map<string, number>();
  for (const { domain } of links) if (domain !== null) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  for (const [domain, count] of [...counts].sort()) {
    if (!(await store.domains.addToLinkCount(workspaceId, domain, count, tx.session))) throw domainNotVerified();
  }
}

/**
 * Writes links of one workspace with their routes, tags and events. Rejects with a collision if an id or a slug is in
 * use, or if a tag with the name of a new tag was created concurrently; with VALIDATION_ERROR naming `tags` if the
 * workspace would exceed its maximum number of tags; and with VALIDATION_ERROR naming `domain` if a link's domain is
 * not a verified domain of the workspace. In each case, no part of the transaction is applied.
 */
export async function addLinks(
  deps: Pick<ApiDeps, 'store' | 'ceilings' | 'now' | 'baseUrl'>,
  tx: Transaction,
  items: LinkToAdd[],
): Promise<LinkView[]> {
  const { workspaceId } = items[0]!.link;
  const names = items.flatMap(({ tags }) => tags);
  const byOf = (name: string): Principal => items.find(({ tags }) => tags.includes(name))!.by;
  const used = await useTags(deps, tx, workspaceId, names, { byOf });
  const links = items.map(({ link, tags }) => ({
    ...link,
    tags: tags.map((name) => used.byKey.get(tagKey(name))!._id),
  }));
  await deps.store.links.insert(links, tx.session);
  await deps.store.routes.claim(
    links.map((link) => routeOf(link)),
    deps.now(),
    tx.session,
  );
  const namesById = new Map([...used.byKey.values()].map(({ _id, name }) => [_id, name]));
  const views = links.map((link) => linkView(link, namesById, deps.baseUrl));
  for (const [i, data] of views.entries()) {
    const target = { type: 'link', id: data.id, label: data.slug };
    tx.emit({ type: 'link.created', target, data, by: items[i]!.by });
  }
  await used.updateCounts();
  await updateDomainCounts(deps, tx, workspaceId, links);
  return views;
}
