import { randomUUID } from 'node:crypto';
import type { ApiKeyRecord, MemberRecord, MintedApiKeyRecord, WorkspaceRecord } from '@tautan/proto';
import { apiClient, clientOf, type ApiResponse, type Client, type RequestHeaders } from './client.js';
import type { Stack } from './stack.js';

/** A user of the identity provider of a stack. */
export interface Person {
  email: string;
  password: string;
  name: string;
  /** A client with the user's access token, in the active workspace. */
  api: Client;
  token: string;
  refreshToken: string;
  /** Returns a client for another workspace. */
  in(workspaceId: string): Client;
}

export type ApiWorkspace = WorkspaceRecord;
export type ApiMember = MemberRecord;
/** An API key in a list, or a new one with its secret. */
export type ApiKeyView = Pick<ApiKeyRecord, 'id' | 'label' | 'prefix' | 'createdAt'> &
  Partial<ApiKeyRecord & MintedApiKeyRecord>;

let people = 0;

/** Signs up a new user at the provider and gets an access token. */
export async function aPerson(stack: Stack, fields: Partial<Pick<Person, 'email' | 'name'>> = {}): Promise<Person> {
  people += 1;
  const { url } = await identityOf(stack);
  const person = {
    // Workers share a stack, and number their users independently.
    email: `orang${people}.${randomUUID()}@example.com`,
    name: `Orang ${people}`,
    password: `kata sandi ke-${people} yang panjang`,
    ...fields,
  };
  const answer = await fetch(`${url}/api/v1/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  if (answer.status !== 201) throw new Error(`Sign-up failed: ${answer.status} ${await answer.text()}`);
  return signIn(stack, person);
}

/** Returns the demo user, who owns the demo workspace. */
export async function demoPerson(stack: Stack): Promise<Person> {
  const { person } = await stack.quickstart();
  return signIn(stack, { ...person, name: 'Demo' });
}

/** Requests tokens from the provider's token endpoint (RFC 6749). */
export async function grant(
  stack: Stack,
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> {
  const { url, clientId } = await identityOf(stack);
  const answer = await fetch(`${url}/api/v1/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...fields }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

/** Signs in with an existing account. */
export async function signIn(stack: Stack, who: Pick<Person, 'email' | 'password' | 'name'>): Promise<Person> {
  const { status, body } = await grant(stack, {
    grant_type: 'password',
    username: who.email,
    password: who.password,
    scope: 'openid profile email offline_access',
  });
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  const token = body['access_token']!;
  const client = (headers: RequestHeaders = {}): Client => withHeaders(apiClient({ ...stack, apiKey: token }), headers);
  return {
    ...who,
    token,
    refreshToken: body['refresh_token']!,
    api: client(),
    in: (workspaceId) => client({ 'x-workspace-id': workspaceId }),
  };
}

const identityOf = async (stack: Stack) => (await stack.quickstart()).identity;

const withHeaders = ({ request }: Client, more: RequestHeaders): Client =>
  clientOf((method, path, body, headers) => request(method, path, body, { ...more, ...headers }));

/** Creates a workspace as a user. Throws if the API rejects it. */
export async function aWorkspace(person: Person, name = 'Toko Sinar'): Promise<ApiWorkspace> {
  return accepted(await person.api.post<ApiWorkspace>('/workspaces', { name }));
}

/**
 * Adds a user to a workspace. The user `by` invites `person` with the role. A request by `person` for the list of
 * workspaces then accepts the invitation.
 */
export async function joins(person: Person, role: string, workspace: { id: string; by: Person }): Promise<ApiMember> {
  const invited = accepted(
    await workspace.by.in(workspace.id).post<ApiMember>('/workspaces/current/members', { email: person.email, role }),
  );
  accepted(await person.api.get('/workspaces'));
  return invited;
}

/** Creates an API key of a workspace as a user. */
export async function aKey(
  person: Person,
  workspaceId: string,
  label = 'Skrip',
): Promise<ApiKeyView & { key: string }> {
  return accepted(await person.in(workspaceId).post<ApiKeyView & { key: string }>('/auth/api-keys', { label }));
}

/** Returns the data of a successful response. Throws otherwise. */
export function accepted<T>({ status, data, text }: ApiResponse<T>): T {
  if (status >= 300) throw new Error(`refused: ${status} ${text}`);
  return data;
}
