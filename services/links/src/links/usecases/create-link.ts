import { idForOperation, type Principal } from '@tautan/kit';
import { draftLink, type LinkInput } from '../domain/new-link.js';
import type { LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'rules' | 'servedHosts' | 'linkBatcher' | 'signal' | 'now'>;

export interface CreateLinkInput extends LinkInput {
  /** ULID; repeating the call with the same one returns the link that the first call created. */
  operationId?: string | undefined;
}

/** Creates a link. Throws VALIDATION_ERROR naming the field, SLUG_TAKEN, or PLAN_LIMIT_EXCEEDED naming `links`. */
export async function createLink(deps: Deps, by: Principal, input: CreateLinkInput): Promise<LinkView> {
  const createdAt = deps.now();
  const draft = draftLink(input, deps.rules, createdAt);
  await deps.servedHosts.assertNotServed(draft.url);
  const { operationId } = input;
  const id = idForOperation('lnk', operationId);
  const request = { by, draft, id, repeatable: operationId !== undefined, createdAt };
  return deps.linkBatcher.run(request, deps.signal);
}
