import { fail, isId, isWellFormedApiKey, type Fault } from '@tautan/kit';
import type { Shown } from './credentials.js';
import { cookieIn, SESSION_COOKIE } from './cookies.js';
import type { Context } from './state.js';

/** Longest credential that anybody is asked about, characters. */
const LONGEST = 8 * 1_024;
// RFC 6750 section 2.1 (b64token); whatever else stands there is no credential of ours.
const scheme = /^(bearer|apikey) +([A-Za-z0-9._~+/-]+=*) *$/i;
const sessionSecret = /^tau_session_[A-Za-z0-9_-]{43}$/;
const unauthenticated = (message: string): Fault => fail('UNAUTHENTICATED', message);

/** A credential with the workspace that the request names, and how it came. */
export interface Found extends Shown {
  by: 'authorization' | 'cookie';
}

/**
 * The credential of a request: `Authorization: Bearer <API key or access token>` or `ApiKey <key>`, else the session's
 * cookie. Throws UNAUTHENTICATED without one and for what cannot be one, FORBIDDEN for an X-Workspace-Id that is no id.
 */
export function shownBy(ctx: Context): Found {
  const found = credentialOf(ctx);
  const workspaceId = ctx.get('x-workspace-id');
  if (workspaceId === '' || isId(workspaceId, 'ws')) return { ...found, workspaceId };
  throw fail('FORBIDDEN', 'X-Workspace-Id names no workspace of yours.');
}

function credentialOf({ req: { headers } }: Context): Omit<Found, 'workspaceId'> {
  if (headers.authorization) return { ...inHeader(headers.authorization), by: 'authorization' };
  const secret = cookieIn(headers.cookie, SESSION_COOKIE);
  if (secret === undefined) {
    throw unauthenticated('Send an API key or an access token: `Authorization: Bearer <credential>`.');
  }
  if (!sessionSecret.test(secret)) throw unauthenticated('The session is not valid; sign in again.');
  return { kind: 'person', secret, by: 'cookie' };
}

function inHeader(authorization: string): Pick<Found, 'kind' | 'secret'> {
  const [, name, secret] = scheme.exec(authorization) ?? [];
  if (name === undefined || secret === undefined) {
    throw unauthenticated('The Authorization header must be `Bearer <API key or access token>` or `ApiKey <key>`.');
  }
  if (secret.length > LONGEST) throw unauthenticated('The credential is too long.');
  // Else a page of another origin that learnt one could send it without the cookie's protections.
  if (secret.startsWith('tau_session_')) throw unauthenticated('A session is valid as a cookie only.');
  const isKey = name.toLowerCase() === 'apikey' || secret.startsWith('tau_live_');
  if (!isKey) return { kind: 'person', secret };
  if (!isWellFormedApiKey(secret)) throw unauthenticated('The credential is not a valid API key.');
  return { kind: 'api_key', secret };
}
