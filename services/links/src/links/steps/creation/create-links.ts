import { fail, type Principal } from '@tautan/kit';
import { planLimitExceeded } from '@tautan/plans';
import { monthOf } from '@tautan/plans/usage';
import { newLink, type LinkDraft } from '../../domain/new-link.js';
import { routeKey } from '../../../redirects/domain/route.js';
import { generateSlug } from '../../domain/slug.js';
import { linkView, type LinkView } from '../../domain/view.js';
import { addLinks, type LinkToAdd } from '../add-links.js';
import type { ApiDeps } from '../../../usecase-deps.js';
import { retryCollisions } from '../retry-collisions.js';

export type CreationDeps = Pick<
  ApiDeps,
  'store' | 'transact' | 'usage' | 'plans' | 'ceilings' | 'baseUrl' | 'invalidate' | 'now'
>;

/** A validated link to create. */
export interface LinkRequest {
  by: Principal;
  draft: LinkDraft;
  id: string;
  /**
   * Whether every attempt of the operation uses this id. If a link with this id exists, an earlier attempt created it.
   */
  repeatable: boolean;
  createdAt: Date;
}

/**
 * Creates links of one workspace and plan in one transaction, which also reserves their quota. Returns the link or a
 * PLAN_LIMIT_EXCEEDED error for each request, in order. If a request collides with a link, a slug or a tag, rejects and
 * creates nothing.
 */
export async function createTogether(deps: CreationDeps, requests: LinkRequest[]): Promise<(LinkView | Error)[]> {
  const { workspaceId, plan } = requests[0]!.by;
  const max = deps.plans[plan].limits.links;
  const { views, used } = await deps.transact(null, async (tx) => {
    const at = deps.now();
    const reservation = { workspaceId, limit: 'links', wanted: requests.length, max, at } as const;
    const { granted, used } = await deps.usage.reserve(tx.session, reservation);
    const items = requests.slice(0, granted).map((request) => linkToAdd(request, monthOf(at)));
    return { views: items.length > 0 ? await addLinks(deps, tx, items) : [], used };
  });
  deps.invalidate(views.map(({ domain, slug }) => routeKey(domain, slug)));
  const limitExceeded = () => planLimitExceeded('links', { plan, max: max!, used: used! });
  const rest = requests
    .slice(views.length)
    .map(async (request) => (await earlierLink(deps, request)) ?? limitExceeded());
  return [...views, ...(await Promise.all(rest))];
}

function linkToAdd({ by, draft, id, createdAt }: LinkRequest, countedIn: string): LinkToAdd {
  const { workspaceId, kind: type } = by;
  const slug = draft.slug ?? generateSlug();
  const link = newLink(draft, { id, workspaceId, slug, createdBy: { type, id: by.id }, createdAt, countedIn });
  return { by, tags: draft.tags, link };
}

/**
 * Creates one link. Retries with another slug if a generated one is in use. Returns the link or an error, such as
 * SLUG_TAKEN for a requested slug.
 */
export async function createAlone(deps: CreationDeps, request: LinkRequest): Promise<LinkView | Error> {
  try {
    const [outcome] = await retryCollisions(
      () => createTogether(deps, [request]),
      async (kind) => {
        if (kind === 'tag') return undefined;
        const earlier = await earlierLink(deps, request);
        if (earlier) return [earlier];
        if (request.draft.slug !== undefined) throw fail('SLUG_TAKEN', 'The slug is in use on this domain.', 'slug');
        return undefined;
      },
    );
    return outcome!;
  } catch (error) {
    return error as Error;
  }
}

async function earlierLink({ store, baseUrl }: CreationDeps, request: LinkRequest): Promise<LinkView | undefined> {
  const { id, repeatable, by } = request;
  const link = repeatable ? await store.links.byId(by.workspaceId, id) : null;
  return link ? linkView(link, await store.tags.namesOf(by.workspaceId, [link]), baseUrl) : undefined;
}
