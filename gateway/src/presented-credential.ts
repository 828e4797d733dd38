import { fail, isId, type Fault } from '@tautan/kit';
import { isWellFormedApiKey } from '@tautan/proto';
import type { PresentedCredential } from './credentials.js';
import { cookieIn, SESSION_COOKIE } from './cookies.js';
import type { Context } from './state.js';

/** Maximum length of a credential in characters. */
const MAX_LENGTH = 8 * 1_024;
// RFC 6750 section 2.1 (b64token).
const scheme = /^(bearer|apikey) +([A-Za-z0-9._~+/-]+=*) *$/i;
const sessionSecret = /^tau_session_[A-Za-z0-9_-]{43}$/;
const unauthenticated = (message: string): Fault => fail('UNAUTHENTICATED', message);

/** A credential with the header that it was sent in. */
export interface SentCredential extends PresentedCredential {
  by: 'authorization' | 'cookie';
}

/**
 * Returns the credential of a request: from `Authorization: Bearer <API key or access token>` or `ApiKey <key>`, else
 * from the session cookie. Throws UNAUTHENTICATED if the credential is missing or malformed, and FORBIDDEN if
 * X-Workspace-Id does not have the form of a workspace id.
 */
export function presentedCredential(ctx: Context): SentCredential {
  const found = credentialOf(ctx);
  const workspaceId = ctx.get('x-workspace-id');
  if (workspaceId === '' || isId(workspaceId, 'ws')) return { ...found, workspaceId };
  throw fail('FORBIDDEN', 'You are not a member of the workspace in X-Workspace-Id.');
}

function credentialOf({ req: { headers } }: Context): Omit<SentCredential, 'workspaceId'> {
  if (headers.authorization) return { ...inHeader(headers.authorization), by: 'authorization' };
  const secret = cookieIn(headers.cookie, SESSION_COOKIE);
  if (secret === undefined) {
    throw unauthenticated('Send an API key or an access token: `Authorization: Bearer <credential>`.');
  }
  if (!sessionSecret.test(secret)) throw unauthenticated('The session is not valid. Sign in again.');
  return { kind: 'user', secret, by: 'cookie' };
}

function inHeader(authorization: string): Pick<SentCredential, 'kind' | 'secret'> {
  const [, name, secret] = scheme.exec(authorization) ?? [];
  if (name === undefined || secret === undefined) {
    throw unauthenticated('The Authorization header must be `Bearer <API key or access token>` or `ApiKey <key>`.');
  }
  if (secret.length > MAX_LENGTH) throw unauthenticated('The credential is too long.');
  // `authenticate` calls `assertNotCrossSite` (middleware/csrf.ts) only for the session cookie, so a session in this
  // header would avoid that check.
  if (secret.startsWith('tau_session_')) throw unauthenticated('A session is accepted only as a cookie.');
  const isKey = name.toLowerCase() === 'apikey' || secret.startsWith('tau_live_');
  if (!isKey) return { kind: 'user', secret };
  if (!isWellFormedApiKey(secret)) throw unauthenticated('The credential is not a valid API key.');
  return { kind: 'api_key', secret };
}
