import { fail, isId, type Principal } from '@tautan/kit';
import { faultOf } from '@tautan/kit/mongo';
import type { Patch } from '../domain/patch.js';
import { checkTagCount, checkTagName, tagKey } from '../../tags/domain/tag-names.js';
import { tagsByNameOrId } from '../../tags/steps/tags-by-name-or-id.js';
import type { LinkView } from '../domain/view.js';
import { changeLink, type ChangeDeps } from '../steps/change-link.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { removeLink } from '../steps/remove-link.js';

const MAX_IDS = 100;
/** Time before the deadline in which no further link is processed, reserved for the response, milliseconds. */
const RESPONSE_RESERVE_MS = 250;

const bulkActions = ['archive', 'activate', 'delete', 'addTag', 'removeTag'] as const;
type Action = (typeof bulkActions)[number];

export interface BulkInput {
  action: string;
  ids: string[];
  /** Name or id of a tag; only for addTag and removeTag. */
  tag?: string | undefined;
}

export interface BulkResult {
  action: string;
  /** Number of links changed. */
  updated: number;
  /** Number of links that already had the requested state. */
  unchanged: number;
  failed: { id: string; code: string; message: string }[];
}

/**
 * Applies one action to up to 100 links, each in its own transaction. Duplicate ids count once. Links not reached
 * before the call's deadline fail with TIMEOUT. Throws VALIDATION_ERROR naming the field if the request is invalid.
 */
export async function bulkLinks(
  deps: ChangeDeps & Pick<ApiDeps, 'deadline'>,
  by: Principal,
  input: BulkInput,
): Promise<BulkResult> {
  const action = checkAction(input.action);
  if (input.ids.length < 1 || input.ids.length > MAX_IDS) {
    throw fail('VALIDATION_ERROR', `ids must contain 1 to ${MAX_IDS} ids.`, 'ids');
  }
  const apply = await applier(deps, by, action, input.tag);
  const result: BulkResult = { action, updated: 0, unchanged: 0, failed: [] };
  for (const id of new Set(input.ids)) {
    try {
      if (Date.now() > deps.deadline - RESPONSE_RESERVE_MS)
        throw fail('TIMEOUT', 'The request timed out before this link was processed.');
      result[(await apply(id)) ? 'updated' : 'unchanged'] += 1;
    } catch (error) {
      const fault = faultOf(error);
      if (!fault) throw error;
      result.failed.push({ id, code: fault.code, message: fault.message });
    }
  }
  return result;
}

function checkAction(action: string): Action {
  if ((bulkActions as readonly string[]).includes(action)) return action as Action;
  throw fail('VALIDATION_ERROR', `action must be one of ${bulkActions.join(', ')}.`, 'action');
}

/** Returns a function that applies an action to one link and returns whether that changed the link. */
async function applier(
  deps: ChangeDeps,
  by: Principal,
  action: Action,
  tag: string | undefined,
): Promise<(id: string) => Promise<boolean>> {
  if (action === 'addTag' || action === 'removeTag') {
    if (tag === undefined) throw fail('VALIDATION_ERROR', `tag is required for ${action}.`, 'tag');
    const name = await nameOf(deps, by, action, checkTagName(tag, 'tag'));
    const patchOf = action === 'addTag' ? withTag(name) : withoutTag(name);
    return async (id) => (await changeLink(deps, by, id, { patchOf, changesTags: true })).changed;
  }
  if (tag !== undefined) throw fail('VALIDATION_ERROR', `tag is not allowed for ${action}.`, 'tag');
  if (action === 'delete') {
    return async (id) => {
      await removeLink(deps, by, id);
      return true;
    };
  }
  const status = action === 'archive' ? 'archived' : 'active';
  return async (id) => (await changeLink(deps, by, id, { patchOf: () => ({ status }) })).changed;
}

/**
 * Returns the name of a tag given by name or id. Throws VALIDATION_ERROR naming `tag` if `addTag` would create a tag
 * whose name has the form of an id.
 */
async function nameOf(deps: ChangeDeps, { workspaceId }: Principal, action: Action, tag: string): Promise<string> {
  if (!isId(tag, 'tag')) return tag;
  const found = (await tagsByNameOrId(deps, workspaceId, [tag])).get(tag);
  if (!found && action === 'addTag') throw fail('VALIDATION_ERROR', 'tag is not a tag of this workspace.', 'tag');
  return found?.name ?? tag;
}

const hasTag = (view: LinkView, name: string): boolean => view.tags.some((other) => tagKey(other) === tagKey(name));

const withTag =
  (name: string) =>
  (view: LinkView): Patch => {
    if (hasTag(view, name)) return {};
    checkTagCount(view.tags.length + 1);
    return { tags: [...view.tags, name] };
  };

const withoutTag =
  (name: string) =>
  (view: LinkView): Patch =>
    hasTag(view, name) ? { tags: view.tags.filter((other) => tagKey(other) !== tagKey(name)) } : {};
