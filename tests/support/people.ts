import { randomUUID } from 'node:crypto';
import type { ApiKeyRecord, MemberRecord, MintedApiKeyRecord, WorkspaceRecord } from '@tautan/proto';
import { apiClient, clientOf, type Answer, type Client, type RequestHeaders } from './client.js';
import type { Stack } from './stack.js';

/** A person at the identity provider of a stack. */
export interface Person {
  email: string;
  password: string;
  name: string;
  /** Speaks with the person's access token; `in` another workspace when one is named. */
  api: Client;
  token: string;
  refreshToken: string;
  in(workspaceId: string): Client;
}

export type ApiWorkspace = WorkspaceRecord;
export type ApiMember = MemberRecord;
/** An API key in a list, or a new one with its secret. */
export type ApiKeyView = Pick<ApiKeyRecord, 'id' | 'label' | 'prefix' | 'createdAt'> &
  Partial<ApiKeyRecord & MintedApiKeyRecord>;

let people = 0;

/** Somebody new: signs up at the provider and gets an access token. */
export async function aPerson(stack: Stack, fields: Partial<Pick<Person, 'email' | 'name'>> = {}): Promise<Person> {
  people += 1;
  const { url } = await identityOf(stack);
  const person = {
    // Workers share a stack, and count for themselves.
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

/** The person that the quickstart names: owner of its workspace. */
export async function demoPerson(stack: Stack): Promise<Person> {
  const { person } = await stack.quickstart();
  return signsIn(stack, { ...person, name: 'Demo' });
}

/** A grant at the provider's token endpoint (RFC 6749). */
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

/** A workspace that a person makes; throws when the API refuses. */
export async function aWorkspace(person: Person, name = 'Toko Sinar'): Promise<ApiWorkspace> {
  return accepted(await person.api.post<ApiWorkspace>('/workspaces', { name }));
}

/** Invites a person to a workspace and lets them join by looking at their workspaces. */
export async function joins(person: Person, role: string, workspace: { id: string; by: Person }): Promise<ApiMember> {
  const invited = accepted(
    await workspace.by.in(workspace.id).post<ApiMember>('/workspaces/current/members', { email: person.email, role }),
  );
  accepted(await person.api.get('/workspaces'));
  return invited;
}

/** A key of a workspace, minted by a person. */
export async function aKey(
  person: Person,
  workspaceId: string,
  label = 'Skrip',
): Promise<ApiKeyView & { key: string }> {
  return accepted(await person.in(workspaceId).post<ApiKeyView & { key: string }>('/auth/api-keys', { label }));
}

/** The data of a success; throws what the API said else. */
export function accepted<T>({ status, data, text }: Answer<T>): T {
  if (status >= 300) throw new Error(`refused: ${status} ${text}`);
  return data;
}
