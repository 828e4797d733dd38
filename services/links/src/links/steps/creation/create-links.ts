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
   * Whether the id is the same in every attempt of the operation. A link with this id then results from an earlier
   * attempt.
   */
  repeatable: boolean;
  createdAt: Date;
}

/**
 * Creates links of one workspace and plan in one transaction with their reservation. Returns for each request, in
 * order, its link or PLAN_LIMIT_EXCEEDED. Rejects if a request collides with a link, a slug or a tag; nothing is
 * created then.
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
  const refuse = () => planLimitExceeded('links', { plan, max: max!, used: used! });
  const refused = requests.slice(views.length).map(async (request) => (await earlierLink(deps, request)) ?? refuse());
  return [...views, ...(await Promise.all(refused))];
}

function linkToAdd({ by, draft, id, createdAt }: LinkRequest, countedIn: string): LinkToAdd {
  const { workspaceId, kind: type } = by;
  const slug = draft.slug ?? generateSlug();
  const link = newLink(draft, { id, workspaceId, slug, createdBy: { type, id: by.id }, createdAt, countedIn });
  return { by, tags: draft.tags, link };
}

/**
 * Creates one link, and retries with another generated slug if the first is in use. Returns the link or the error,
 * SLUG_TAKEN for a given slug.
 */
export async function createAlone(deps: CreationDeps, request: LinkRequest): Promise<LinkView | Error> {
  try {
    const [outcome] = await retryCollisions(
      () => createTogether(deps, [request]),
      async (claim) => {
        if (claim === 'tag') return undefined;
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
