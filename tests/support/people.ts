import { randomUUID } from 'node:crypto';
import { apiClient, type Answer, type Client } from './client.js';
import type { Stack } from './stack.js';

/** A user of the identity provider of a stack. */
export interface Person {
  email: string;
  password: string;
  name: string;
  /** Sends requests with the user's access token, `in` another workspace if one is given. */
  api: Client;
  token: string;
  refreshToken: string;
  in(workspaceId: string): Client;
}

export interface ApiWorkspace {
  id: string;
  name: string;
  role: string | null;
  plan: string;
  linkCount: number;
  qrCodeCount: number;
  memberCount: number;
  current: boolean;
  createdAt: string;
}

export interface ApiMember {
  id: string;
  userId: string | null;
  email: string;
  name: string;
  role: string;
  status: 'active' | 'invited';
  joinedAt: string | null;
}

export interface ApiKeyView {
  id: string;
  label: string;
  prefix: string;
  key?: string;
  lastUsedAt?: string | null;
  createdBy?: { type: string; id: string | null };
  createdAt: string;
}

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
  if (answer.status !== 201) throw new Error(`a person was refused: ${answer.status} ${await answer.text()}`);
  return signsIn(stack, person);
}

/** Returns the demo user, who owns the demo workspace. */
export async function demoPerson(stack: Stack): Promise<Person> {
  const { person } = await stack.quickstart();
  return signsIn(stack, { ...person, name: 'Demo' });
}

/** Requests a grant at the provider's token endpoint (RFC 6749). */
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
export async function signsIn(stack: Stack, who: Pick<Person, 'email' | 'password' | 'name'>): Promise<Person> {
  const { status, body } = await grant(stack, {
    grant_type: 'password',
    username: who.email,
    password: who.password,
    scope: 'openid profile email offline_access',
  });
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  const token = body['access_token']!;
  const client = (headers: Record<string, string> = {}): Client =>
    withHeaders(apiClient({ ...stack, apiKey: token }), headers);
  return {
    ...who,
    token,
    refreshToken: body['refresh_token']!,
    api: client(),
    in: (workspaceId) => client({ 'x-workspace-id': workspaceId }),
  };
}

const identityOf = async (stack: Stack) => (await stack.quickstart()).identity;

function withHeaders({ request }: Client, more: Record<string, string>): Client {
  const ask: Client['request'] = (method, path, body, headers) => request(method, path, body, { ...more, ...headers });
  return {
    request: ask,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers) as never,
    patch: (path, body, headers) => ask('PATCH', path, body, headers) as never,
    delete: (path) => ask('DELETE', path) as never,
  };
}

/** Creates a workspace as a user. Throws if the API rejects it. */
export async function aWorkspace(person: Person, name = 'Toko Sinar'): Promise<ApiWorkspace> {
  return accepted(await person.api.post<ApiWorkspace>('/workspaces', { name }));
}

/** Invites a user to a workspace. They join by listing their workspaces. */
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
export function accepted<T>({ status, data, text }: Answer<T>): T {
  if (status >= 300) throw new Error(`refused: ${status} ${text}`);
  return data;
}
