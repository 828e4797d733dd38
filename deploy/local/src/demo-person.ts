import { randomBytes, randomInt } from 'node:crypto';
import type { RunningIdentity } from '@tautan/local-identity';
import { request, type RequestOptions } from './request.js';

/** Credentials of the demo user. */
export interface DemoPerson {
  email: string;
  password: string;
}

const NAME = 'Demo User';
// Without letters and digits that are easily confused.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;
// The provider runs in the supervisor, which is busy during the start.
const TIMEOUT_MS = 30_000;

/**
 * Thrown if the demo user cannot become the owner of the demo workspace, because the user's password was changed or the
 * user has no workspace.
 */
export class UnusableDemoPersonError extends Error {}

/** Returns a password with 79 random bits, in groups that are easy to read aloud. */
function newPassword(): string {
  const newGroup = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, newGroup).join('-');
}

/**
 * Creates the demo user at the local provider. Uses another email address if the first one is taken, for example by an
 * earlier demo user whose `demo.json` was lost.
 */
export async function signUpDemoPerson({ createAccount }: Pick<RunningIdentity, 'createAccount'>): Promise<DemoPerson> {
  const password = newPassword();
  let email = 'demo@tautan.local';
  while (!(await createAccount({ email, password, name: NAME })))
    email = `demo-${randomBytes(2).toString('hex')}@tautan.local`;
  return { email, password };
}

/** Recreates the demo user of an earlier start, with the same credentials, if the account no longer exists. */
export async function restoreDemoPerson(
  { createAccount }: Pick<RunningIdentity, 'createAccount'>,
  { email, password }: DemoPerson,
): Promise<void> {
  await createAccount({ email, password, name: NAME });
}

/** Returns an access token of the user. Throws UnusableDemoPersonError if the provider refuses the password. */
export async function accessTokenOf(
  { url, clientId }: { url: string; clientId: string },
  { email, password }: DemoPerson,
): Promise<string> {
  const scope = 'openid profile email';
  const form = new URLSearchParams({ grant_type: 'password', client_id: clientId, username: email, password, scope });
  const { access_token: token } = await requestJson<{ access_token: string }>(`${url}/api/v1/oidc/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  return token;
}

/**
 * Renames the workspace that the provider created for the user. Returns its id at the provider.
 * Throws UnusableDemoPersonError if there is none.
 */
export async function renameOwnWorkspace(url: string, token: string, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const list = await requestJson<{ data: { id: string; name: string }[] }>(`${url}/api/v1/workspaces`, { headers });
  const [own] = list.data;
  if (!own) throw new UnusableDemoPersonError('The demo user has no workspace at the identity provider.');
  if (own.name !== name)
    await requestJson(`${url}/api/v1/workspaces/${own.id}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ name }),
    });
  return own.id;
}

async function requestJson<T>(url: string, options: RequestOptions): Promise<T> {
  const { status, body } = await request(url, options, TIMEOUT_MS);
  if (status === 200) return JSON.parse(body) as T;
  const message = `The identity provider responded to ${new URL(url).pathname} with ${status}.`;
  throw status === 400 ? new UnusableDemoPersonError(message) : new Error(message);
}
