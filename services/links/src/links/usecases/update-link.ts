import type { Principal } from '@tautan/kit';
import { parsePatch, type PatchInput } from '../domain/patch.js';
import type { LinkView } from '../domain/view.js';
import { resolveLinkId } from '../steps/resolve-link.js';
import { changeLink, type ChangeDeps } from '../steps/change-link.js';
import type { ApiDeps } from '../../usecase-deps.js';

export interface UpdateLinkInput extends PatchInput {
  /** Id of the link, or its slug if the text does not have the format of an id. */
  id: string;
  /** Domain of the slug. */
  domain?: string | undefined;
}

/** Updates the given fields of a link. Throws like `changeLink`. */
export async function updateLink(
  deps: ChangeDeps & Pick<ApiDeps, 'rules' | 'servedHosts'>,
  by: Principal,
  input: UpdateLinkInput,
): Promise<LinkView> {
  const patch = parsePatch(input, deps.rules, deps.now());
  if (patch.url !== undefined) await deps.servedHosts.assertNotServed(patch.url);
  const id = await resolveLinkId(deps, by.workspaceId, { idOrSlug: input.id, domain: input.domain });
  return (await changeLink(deps, by, id, { patchOf: () => patch, changesTags: patch.tags !== undefined })).view;
}
