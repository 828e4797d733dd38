import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultPlans, generateApiKey } from '@tautan/proto';
import { accessMatrix, type Access, type OperationId, type Role } from './access.js';
import { openApiRoute } from './openapi/route.js';
import type { Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { relativeToApi, type Answer } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { aForm } from './testing/qr-images.js';
import { aSession, OTHER_WORKSPACE_ID, people, type PersonName } from './testing/people.js';

const ORIGIN = 'https://go.example';
const table: readonly Route[] = [...operations, openApiRoute(operations, { plans: defaultPlans })];
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    BASE_URL: ORIGIN,
    RATE_LIMIT_AUTH: '100000',
    PLAN_FREE: '{"rateLimits":{"read":100000,"write":100000}}',
  });
});
afterAll(() => gateway.stop());

type Headers = Record<string, string>;
const byToken = (name: PersonName) => (): Headers => ({
  authorization: `Bearer ${gateway.services.people[name].token}`,
});
const byCookie = (name: PersonName) => (): Headers => ({
  authorization: '',
  cookie: `tautan_session=${gateway.services.people[name].session}`,
  origin: ORIGIN,
});
const labelOf = (name: PersonName): string =>
  name === 'withoutWorkspace' ? 'a user without a workspace' : `the ${name}`;
/** All kinds of callers with their credentials. */
const callers: [string, PersonName | 'key' | 'foreign key' | 'unknown', () => Headers][] = [
  ...people.map(
    (name) => [`${labelOf(name)} with a token`, name, byToken(name)] as [string, PersonName, () => Headers],
  ),
  ...people.map(
    (name) => [`${labelOf(name)} with a session`, name, byCookie(name)] as [string, PersonName, () => Headers],
  ),
  ['an API key', 'key', () => ({})],
  [
    "another workspace's API key",
    'foreign key',
    () => ({ 'x-workspace-id': OTHER_WORKSPACE_ID, authorization: `Bearer ${gateway.services.key}` }),
  ],
  ['a caller without a credential', 'unknown', () => ({ authorization: '' })],
  ['an unknown key', 'unknown', () => ({ authorization: `Bearer ${generateApiKey().key}` })],
  ['a user with an invalid token', 'unknown', () => ({ authorization: 'Bearer gone' })],
  [
    'a user with an unknown session',
    'unknown',
    () => ({ authorization: '', cookie: `tautan_session=${aSession()}`, origin: ORIGIN }),
  ],
];

const ranks: Role[] = ['viewer', 'member', 'admin', 'owner'];

/** Returns the verdict that a rule of the access matrix implies. Does not use the code that enforces the rules. */
function expected({ credentials, role }: Access, who: (typeof callers)[number][1]): string {
  if (credentials.length === 0) return 'allowed';
  if (who === 'unknown') return 'UNAUTHENTICATED';
  if (who === 'foreign key') return 'FORBIDDEN';
  if (who === 'key') return credentials.includes('api_key') && role !== 'owner' ? 'allowed' : 'PERSON_ONLY';
  if (role === 'anyone') return 'allowed';
  return who !== 'withoutWorkspace' && ranks.indexOf(who) >= ranks.indexOf(role) ? 'allowed' : 'FORBIDDEN';
}

const verdict = ({ status, error }: Answer): string =>
  ['UNAUTHENTICATED', 'FORBIDDEN', 'PERSON_ONLY'].includes(error?.code ?? '')
    ? error!.code
    : status < 400
      ? 'allowed'
      : `${status}`;

const send = ({ method, path, request }: Route, headers: Headers) => {
  const form = request.upload && aForm('a file', { field: request.upload.field });
  const filled = relativeToApi(path)
    .replace('{token}', 'good')
    .replace(/\{\w+\}/, 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e');
  return gateway.request(method, filled, form?.body ?? request.bodyExample, {
    ...headers,
    ...(request.raw && { 'stripe-signature': 't=1,v1=00' }),
    ...form?.headers,
  });
};

// These reject every caller without a session or a pending sign-in.
const cookieOperations = new Set<OperationId>(['refreshSession', 'finishSignIn']);

describe.each(table.filter(({ id }) => !cookieOperations.has(id)).map((route) => [route.id, route] as const))(
  '%s',
  (id, route) => {
    test.each(callers)('applies the access matrix to %s', async (_name, who, headers) => {
      gateway.services.calls.splice(0);
      const answer = await send(route, headers());
      expect(verdict(answer)).toBe(expected(accessMatrix[id], who));
      if (verdict(answer) === 'allowed') return;
      const handled = gateway.services.calls.filter(
        ({ method }) => !['VerifyApiKey', 'AuthenticateUser'].includes(method),
      );
      expect(handled).toEqual([]);
    });
  },
);

test('grants each operation to the documented credentials and roles', () => {
  const rows = Object.entries(accessMatrix as Record<string, Access>);
  const operationsWhere = (choose: (access: Access) => boolean) =>
    rows
      .filter(([, access]) => choose(access))
      .map(([id]) => id)
      .sort();
  const usersOnly = [
    'changeMemberRole',
    'createWorkspace',
    'inviteMember',
    'listSessions',
    'mintApiKey',
    'removeMember',
    'revokeApiKey',
    'revokeOtherSessions',
    'revokeSession',
    'switchWorkspace',
    'updateCurrentWorkspace',
  ];
  expect(operationsWhere(({ credentials }) => credentials.length === 1)).toEqual(usersOnly);
  expect(operationsWhere(({ role }) => role === 'member')).toEqual([
    'bulkLinks',
    'createLink',
    'createQrCode',
    'createQrDownloadToken',
    'createTag',
    'deleteLink',
    'deleteQrCode',
    'deleteTag',
    'importLinks',
    'renameTag',
    'updateLink',
    'updateQrCode',
    'uploadQrLogo',
  ]);
  expect(operationsWhere(({ role, credentials }) => role === 'admin' && credentials.length === 2)).toEqual([
    'addDomain',
    'cancelSubscription',
    'createCheckout',
    'createPortal',
    'createWebhook',
    'deleteDomain',
    'deleteWebhook',
    'downgradeSubscription',
    'listApiKeys',
    'listAuditLog',
    'resumeSubscription',
    'retryDelivery',
    'rotateWebhookSecret',
    'testWebhook',
    'updateDomain',
    'updateWebhook',
    'verifyDomain',
  ]);
  const forViewers = operationsWhere(({ role }) => role === 'viewer');
  // Viewers can remove themselves.
  expect(forViewers).toContain('removeMember');
  const reads = forViewers.filter((id) => id !== 'removeMember');
  expect(reads.map((id) => table.find((route) => route.id === id)!.method)).toEqual(reads.map(() => 'GET'));
  expect(operationsWhere(({ credentials }) => credentials.length === 0)).toEqual([
    'beginSignIn',
    'finishSignIn',
    'forgotPassword',
    'getAuthConfiguration',
    'getOpenApi',
    'listPlans',
    'logIn',
    'logOut',
    'receiveProviderWebhook',
    'refreshSession',
    'showBillingReturn',
    'showQrCode',
    'signUp',
  ]);
});

test('a route whose id is not in the access matrix does not compile', () => {
  // @ts-expect-error: no row of this name
  const id: Route['id'] = 'launchRocket';
  expect(Object.keys(accessMatrix)).not.toContain(id);
});

test('names the required role in the error', async () => {
  const { error } = await gateway.request('GET', '/auth/api-keys', undefined, byToken('viewer')());
  expect(error!.message).toBe('This operation requires the role admin or higher. Your role is viewer.');
});
