import type { Principal } from '@tautan/kit';
import { removeLink, type RemoveDeps } from '../steps/remove-link.js';
import { resolveLinkId } from '../steps/resolve-link.js';

export interface DeleteLinkInput {
  /** An id if it has the format of one, else a slug. */
  id: string;
  /** Domain of the slug. */
  domain?: string | undefined;
}

/**
 * Deletes a link and returns its id; its slug stays reserved for the workspace for 30 days. Throws NOT_FOUND,
 * FORBIDDEN, or VALIDATION_ERROR naming `domain`.
 */
export async function deleteLink(deps: RemoveDeps, by: Principal, input: DeleteLinkInput): Promise<{ id: string }> {
  const id = await resolveLinkId(deps, by.workspaceId, { idOrSlug: input.id, domain: input.domain });
  await removeLink(deps, by, id);
  return { id };
}
