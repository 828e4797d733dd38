import { beforeAll, expect, test } from '@jest/globals';
import { apiClient, type ApiResponse, type Client } from '../support/client.js';
import { accepted, aKey, aPerson, aWorkspace, joins, type ApiWorkspace, type Person } from '../support/people.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Calls every route except logOut with access tokens of every role, with API keys, and without a credential.
let stack: Stack;
let owner: Person;
let workspace: ApiWorkspace;

beforeAll(async () => {
  stack = await shareStack();
  owner = await aPerson(stack);
  workspace = await aWorkspace(owner, 'Toko Sari');
});

interface Operation {
  method: string;
  path: string;
  operationId: string;
  /** Accepted kinds of credentials and minimum role, as documented. */
  access: { credentials: string[]; role: string };
}

interface Documented {
  operationId: string;
  security?: unknown[];
  'x-required-role'?: string;
  'x-person-only'?: boolean;
}

async function operations(): Promise<Operation[]> {
  const document = (await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, ...documented }]) => {
      const kinds = documented['x-person-only'] ? ['person'] : ['api_key', 'person'];
      const credentials = security?.length === 0 ? [] : kinds;
      return {
        method: method.toUpperCase(),
        path,
        operationId,
        access: { credentials, role: documented['x-required-role'] ?? 'anyone' },
      };
    }),
  );
}

const rank = ['viewer', 'member', 'admin', 'owner'];

/** Returns the error code if a response denies access, otherwise `allowed`. */
const verdictOf = ({ status, error }: ApiResponse<unknown>): string =>
  status === 401 || status === 403 ? error!.code : 'allowed';

test('every route responds to every kind of caller as the access matrix defines', async () => {
  const people: Record<string, Person> = { owner };
  for (const role of ['admin', 'member', 'viewer', 'removed']) {
    people[role] = await aPerson(stack);
    const { id } = await joins(people[role], role === 'removed' ? 'admin' : role, { id: workspace.id, by: owner });
    if (role === 'removed') accepted(await owner.in(workspace.id).delete(`/workspaces/current/members/${id}`));
  }
  const key = await aKey(owner, workspace.id);
  const stranger = await aPerson(stack);
  const foreign = await aKey(stranger, (await aWorkspace(stranger)).id);
  const callers: Record<string, Client> = Object.fromEntries(
    Object.entries(people).map(([role, person]) => [role, person.in(workspace.id)]),
  );
  const requestWith =
    (apiKey: string): Client['request'] =>
    (method, path, body) =>
      apiClient({ ...stack, apiKey }).request(method, path, body, { 'x-workspace-id': workspace.id });

  const requests: Record<string, Client['request']> = {
    ...Object.fromEntries(Object.entries(callers).map(([name, client]) => [name, client.request])),
    key: requestWith(key.key),
    foreign: requestWith(foreign.key),
    anonymous: (method, path, body) =>
      apiClient({ ...stack, apiKey: '' }).request(method, path, body, { authorization: '' }),
  };
  const expected = (caller: string, { credentials, role }: Operation['access']): string => {
    if (credentials.length === 0) return 'allowed';
    if (caller === 'anonymous') return 'UNAUTHENTICATED';
    if (caller === 'foreign' || caller === 'removed') return 'FORBIDDEN';
    if (caller === 'key') return credentials.includes('api_key') ? 'allowed' : 'PERSON_ONLY';
    return role === 'anyone' || rank.indexOf(caller) >= rank.indexOf(role) ? 'allowed' : 'FORBIDDEN';
  };
  const table = await operations();
  expect(table.length).toBeGreaterThan(30);
  const wrong: string[] = [];
  for (const { method, path, operationId, access } of table) {
    // Only access is tested: the ids do not exist and the bodies are empty.
    const target = path.replace('/api/v1', '').replace('{id}', 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e');
    if (operationId === 'logOut') continue;
    for (const [caller, request] of Object.entries(requests)) {
      const verdict = verdictOf(
        await request(method, target, method === 'GET' || method === 'DELETE' ? undefined : {}),
      );
      // These two operations are public, but return UNAUTHENTICATED without a session or a started sign-in.
      if (operationId === 'refreshSession' || operationId === 'finishSignIn') continue;
      if (verdict !== expected(caller, access))
        wrong.push(`${caller}: ${operationId} returns ${verdict} instead of ${expected(caller, access)}`);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);
