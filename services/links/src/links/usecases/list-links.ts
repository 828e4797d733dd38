import { searchTerm, type Principal } from '@tautan/kit';
import { readCursor, writeCursor } from '../domain/cursor.js';
import { parseListQuery, type ListInput } from '../domain/list-query.js';
import { linkView, type LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { tagsByNameOrId } from '../../tags/steps/tags-by-name-or-id.js';
import { readPage } from '../steps/list/page.js';

type Deps = Pick<ApiDeps, 'store' | 'baseUrl' | 'deadline'>;

export interface LinkPage {
  links: LinkView[];
  /** Absent on the last page. */
  nextCursor?: string;
}

/**
 * Returns a page of the workspace's links. A search examines a bounded number of links, so a page can be short or empty
 * and still have a next page. The call's deadline bounds the reads. Throws VALIDATION_ERROR naming the parameter.
 */
export async function listLinks(
  { store, baseUrl, deadline }: Deps,
  { workspaceId }: Principal,
  input: ListInput,
): Promise<LinkPage> {
  const query = parseListQuery(input);
  const position = input.cursor === undefined ? undefined : readCursor(workspaceId, query, input.cursor);
  const tagIds = await tagIdsOf({ store }, workspaceId, query.tags);
  if (!tagIds) return { links: [] };
  const { status, order, domain, createdBy, createdFrom, createdTo } = query;
  const attributes = { status, domain, createdBy, createdFrom, createdTo };
  const terms = query.terms.map((text) => searchTerm(text, baseUrl));
  const request = { filter: { workspaceId, tagIds, terms, ...attributes }, order, limit: input.limit, until: deadline };
  const { links, next } = await readPage(store, request, position);
  const names = await store.tags.namesOf(workspaceId, links);
  return {
    links: links.map((link) => linkView(link, names, baseUrl)),
    ...(next && { nextCursor: writeCursor(workspaceId, query, next) }),
  };
}

/** Returns the ids of tags given by id or name; undefined if one does not exist, because then no link can match. */
async function tagIdsOf(
  deps: Pick<Deps, 'store'>,
  workspaceId: string,
  wanted: string[],
): Promise<string[] | undefined> {
  const found = await tagsByNameOrId(deps, workspaceId, wanted);
  if (wanted.some((text) => !found.has(text))) return undefined;
  return [...new Set(Array.from(found.values(), ({ _id }) => _id))];
}
