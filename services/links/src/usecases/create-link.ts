import { fail, type Principal } from '@tautan/kit';
import { draftLink, newLink, type LinkDraft, type LinkInput } from '../domain/new-link.js';
import { routeKey } from '../domain/route.js';
import { generateSlug } from '../domain/slug.js';
import { linkView, type LinkView } from '../domain/view.js';
import { addLinks } from './add-links.js';
import type { ApiDeps } from './deps.js';
import { operationIdOf } from './operation-id.js';
import { retryCollisions } from './retry-collisions.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'turns' | 'rules' | 'baseUrl' | 'invalidate' | 'now'>;

export interface CreateLinkInput extends LinkInput {
  /** ULID; a repetition with the same one answers the link that the first one made. */
  operationId?: string | undefined;
}

/** Creates a link. Throws VALIDATION_ERROR naming the field, or SLUG_TAKEN. */
export async function createLink(
  deps: Deps & Pick<ApiDeps, 'servedHosts'>,
  by: Principal,
  input: CreateLinkInput,
): Promise<LinkView> {
  const now = deps.now();
  const draft = draftLink(input, deps.rules, now);
  await deps.servedHosts.refuse(draft.url);
  return writeLink(deps, by, draft, operationIdOf('lnk', input.operationId), now);
}

/** Writes a checked link; a link of the same id in the workspace is the answer as it stands. Throws SLUG_TAKEN. */
export async function writeLink(
  deps: Deps,
  by: Principal,
  draft: LinkDraft,
  id: string,
  createdAt: Date,
): Promise<LinkView> {
  const { workspaceId } = by;
  const birth = { id, workspaceId, createdBy: { type: by.kind, id: by.id }, createdAt, updatedAt: deps.now() };
  const view = await retryCollisions(
    () => {
      const link = newLink(draft, { ...birth, slug: draft.slug ?? generateSlug() });
      const write = () => deps.transact(by, async (tx) => (await addLinks(deps, tx, [{ link, tags: draft.tags }]))[0]!);
      // What counts the same tags, or links of one domain, would only collide.
      return draft.tags.length || draft.domain !== null ? deps.turns.take(workspaceId, write) : write();
    },
    async (claim) => {
      if (claim === 'tag') return undefined;
      const earlier = await deps.store.links.byId(workspaceId, id);
      if (earlier) return linkView(earlier, await deps.store.tags.namesOf(workspaceId, [earlier]), deps.baseUrl);
      if (draft.slug !== undefined) throw fail('SLUG_TAKEN', 'The slug is in use on this domain.', 'slug');
      return undefined;
    },
  );
  deps.invalidate([routeKey(view.domain, view.slug)]);
  return view;
}
