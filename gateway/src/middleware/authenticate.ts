import { fail, isFault, type Principal } from '@tautan/kit';
import type { Caller } from '../callers.js';
import { isUnverified, type Credentials } from '../credentials.js';
import { consumeForAddress, refuseIfSpent, type Limits } from '../limits.js';
import { presentedCredential, type SentCredential } from '../presented-credential.js';
import type { Site } from '../site.js';
import type { Context, Middleware } from '../state.js';
import { assertNotCrossSite } from './csrf.js';

export interface AuthenticateDeps {
  credentials: Credentials;
  limits: Limits;
  site: Site;
}

/**
 * Authenticates a request. Malformed credentials are refused without a lookup. Addresses that send invalid credentials
 * are rate limited, so that guessing credentials is slow and causes little load.
 */
export function authenticate(deps: AuthenticateDeps): Middleware {
  return async (ctx, next) => {
    const sent = await limitFailures(ctx, deps, () => presentedCredential(ctx));
    if (sent.by === 'cookie') await withLimitHeaders(ctx, deps, () => assertNotCrossSite(ctx, deps.site));
    const caller = await limitFailures(ctx, deps, () => identify(ctx, sent, deps));
    await withLimitHeaders(ctx, deps, () => assertWorkspace(caller, sent));
    Object.assign(ctx.state, { caller, principal: principalOf(ctx, caller) });
    if (caller.kind === 'user') ctx.state.credential = sent.secret;
    return next();
  };
}

/**
 * Runs `step`. Counts a failure against the client address if the credential is invalid or the identity provider failed.
 */
async function limitFailures<T>(ctx: Context, { limits }: AuthenticateDeps, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (isUnverified(error)) await consumeForAddress(ctx, limits.failures);
    throw error;
  }
}

/**
 * Runs an assertion. If it throws, sets the rate limit headers, but does not count the credential as invalid. Throws
 * TOO_MANY_REQUESTS instead if the address has exhausted its limit.
 */
async function withLimitHeaders(ctx: Context, { limits }: AuthenticateDeps, assertion: () => void): Promise<void> {
  try {
    assertion();
  } catch (error) {
    await refuseIfSpent(ctx, limits.failures);
    throw error;
  }
}

async function identify(
  ctx: Context,
  sent: SentCredential,
  { credentials, limits }: AuthenticateDeps,
): Promise<Caller> {
  const known = credentials.cached(sent);
  if (isFault(known)) throw known;
  if (known) return known;
  await refuseIfSpent(ctx, limits.failures);
  return credentials.verify(sent, ctx.state.requestId);
}

/** Throws FORBIDDEN if X-Workspace-Id names a workspace other than the API key's own. */
function assertWorkspace({ kind, workspaceId }: Caller, sent: SentCredential): void {
  if (kind !== 'api_key' || sent.workspaceId === '' || sent.workspaceId === workspaceId) return;
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
