import { fail, isFault, type Principal } from '@tautan/kit';
import type { Caller } from '../callers.js';
import { isUnverified, type Credentials } from '../credentials.js';
import { countAddress, refuseIfSpent, type Limits } from '../limits.js';
import { presentedCredential, type Found } from '../presented-credential.js';
import type { Site } from '../site.js';
import type { Context, Middleware } from '../state.js';
import { assertNotCrossSite } from './csrf.js';

export interface AuthenticateDeps {
  credentials: Credentials;
  limits: Limits;
  site: Site;
}

/**
 * Authenticates a request. Malformed credentials are refused without a lookup; addresses that send invalid credentials are rate
 * limited, so that guessing stays slow, and cheap for us.
 */
export function authenticate(deps: AuthenticateDeps): Middleware {
  return async (ctx, next) => {
    try {
      const shown = presentedCredential(ctx);
      if (shown.by === 'cookie') assertNotCrossSite(ctx, deps.site);
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

/** An API key has one workspace; users name theirs. */
function assertWorkspace({ kind, workspaceId }: Caller, named: Found): void {
  if (kind !== 'api_key' || named.workspaceId === '' || named.workspaceId === workspaceId) return;
  throw fail('FORBIDDEN', 'The API key does not belong to the workspace in X-Workspace-Id.');
}

const principalOf = ({ state }: Context, { kind, id, name, workspaceId, role, plan }: Caller): Principal => ({
  workspaceId,
  kind,
  id,
  name,
  // A user without a workspace has no role; use the lowest one.
  role: role ?? 'viewer',
  plan,
  ip: state.client.ip,
  userAgent: state.client.userAgent,
  requestId: state.requestId,
});
