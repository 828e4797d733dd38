import { randomBytes, randomInt } from 'node:crypto';

/** Somebody to sign in as. */
export interface DemoPerson {
  email: string;
  password: string;
}

const NAME = 'Demo User';
// No letters and digits that look alike.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;
// The provider shares its process with a start that keeps a busy machine busy.
const TIMEOUT_MS = 30_000;

/** A password of 79 random bits in groups that can be read aloud. */
function newPassword(): string {
  const letters = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, letters).join('-');
}

/**
 * Signs the demo person up at the local provider. An address that is taken, because this person's password got lost, leads to
 * another one.
 */
export async function signUpDemoPerson(identityUrl: string): Promise<DemoPerson> {
  const password = newPassword();
  for (let email = 'demo@tautan.local'; ; email = `demo-${randomBytes(2).toString('hex')}@tautan.local`) {
    const response = await fetch(`${identityUrl}/api/v1/people`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password, name: NAME }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (response.status === 201) return { email, password };
    if (response.status !== 409) throw new Error(`The identity provider answered ${response.status} to a sign-up.`);
  }
}

/** An access token of the person. */
export async function accessTokenOf(
  { url, clientId }: { url: string; clientId: string },
  { email, password }: DemoPerson,
): Promise<string> {
  const scope = 'openid profile email';
  const body = new URLSearchParams({ grant_type: 'password', client_id: clientId, username: email, password, scope });
  const answer = await asked<{ access_token: string }>(`${url}/api/v1/oidc/token`, { method: 'POST', body });
  return answer.access_token;
}

/** The workspace that the person got with the account, at the provider, under this name; answers its id there. */
export async function ownWorkspaceOf(url: string, token: string, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const list = await asked<{ data: { id: string; name: string }[] }>(`${url}/api/v1/workspaces`, { headers });
  const [own] = list.data;
  if (!own) throw new Error('The demo person has no workspace at the identity provider.');
  if (own.name !== name)
    await asked(`${url}/api/v1/workspaces/${own.id}`, { method: 'PATCH', headers, body: JSON.stringify({ name }) });
  return own.id;
}

async function asked<T>(address: string, init: RequestInit): Promise<T> {
  const response = await fetch(address, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok)
    throw new Error(`The identity provider answered ${response.status} at ${new URL(address).pathname}.`);
  return (await response.json()) as T;
}
