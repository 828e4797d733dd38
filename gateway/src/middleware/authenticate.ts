import { fail, isFault, type Principal } from '@tautan/kit';
import type { Caller } from '../callers.js';
import { isUnverified, type Credentials } from '../credentials.js';
import { countAddress, refuseIfSpent, type Limits } from '../limits.js';
import { shownBy, type Found } from '../shown.js';
import type { Site } from '../site.js';
import type { Context, Middleware } from '../state.js';
import { assertOwnPage } from './own-page.js';

export interface AuthenticateDeps {
  credentials: Credentials;
  limits: Limits;
  site: Site;
}

/**
 * Finds out whose request it is. What cannot be a credential is refused without a look elsewhere; addresses that show
 * credentials of no use are limited, so that guessing stays slow, and cheap for us.
 */
export function authenticate(deps: AuthenticateDeps): Middleware {
  return async (ctx, next) => {
    try {
      const shown = shownBy(ctx);
      if (shown.by === 'cookie') assertOwnPage(ctx, deps.site);
      const caller = await identify(ctx, shown, deps);
      assertWorkspace(caller, shown);
      Object.assign(ctx.state, { caller, principal: principalOf(ctx, caller) });
      if (caller.kind === 'user') ctx.state.credential = shown.secret;
    } catch (error) {
      if (isUnverified(error)) await countAddress(ctx, deps.limits.failures);
      throw error;
    }
    return next();
  };
}

async function identify(ctx: Context, shown: Found, { credentials, limits }: AuthenticateDeps): Promise<Caller> {
  const known = credentials.remembered(shown);
  if (isFault(known)) throw known;
  if (known) return known;
  await refuseIfSpent(ctx, limits.failures);
  return credentials.verify(shown, ctx.state.requestId);
}

/** A key has one workspace; people were asked about by the one that they name. */
function assertWorkspace({ kind, workspaceId }: Caller, named: Found): void {
  if (kind !== 'api_key' || named.workspaceId === '' || named.workspaceId === workspaceId) return;
  throw fail('FORBIDDEN', 'The API key belongs to another workspace than X-Workspace-Id names.');
}

const principalOf = ({ state }: Context, { kind, id, name, workspaceId, role, plan }: Caller): Principal => ({
  workspaceId,
  kind,
  id,
  name,
  // Without a workspace there is no role to have; the least one then stands for it.
  role: role ?? 'viewer',
  plan,
  ip: state.client.ip,
  userAgent: state.client.userAgent,
  requestId: state.requestId,
});
