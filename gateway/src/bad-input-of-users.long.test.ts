import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { accessOf } from './access.js';
import { operations } from './routes/table.js';
import { refusesBadBodies, refusesBadPaths, refusesBadQueries, type Target } from './testing/bad-input.js';
import { startGateway, type TestGateway } from './testing/gateway.js';

// Tests bad input to public operations and to operations that API keys cannot use. The gateway itself rejects it.

let gateway: TestGateway;
/**
 * RPCs that no test of this file may call. RPCs that take an id from the path are not listed, because requests with
 * unknown ids result in calls to them.
 */
const methodsNeverReached = [
  'CreateOwnWorkspace',
  'SwitchWorkspace',
  'UpdateWorkspace',
  'InviteMember',
  'MintApiKey',
  'SignUp',
  'PasswordLogin',
  'ForgotPassword',
  'BeginLogin',
  'FinishLogin',
];

beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_AUTH: '100000' });
  const notFound = () => Promise.reject(fail('NOT_FOUND', 'Not found.'));
  Object.assign(gateway.services.members, { ChangeMemberRole: notFound, RemoveMember: notFound });
  Object.assign(gateway.services.apiKeys, { RevokeApiKey: notFound });
  Object.assign(gateway.services.sessions, { RevokeSession: notFound });
});
afterAll(() => gateway.stop());

const target = (): Target => ({
  ...gateway,
  authorization: `Bearer ${gateway.services.people.owner.token}`,
  // The stub of the QR service knows the token `good`.
  idFor: ({ id }) => (id === 'showQrCode' ? 'good' : 'mem_01jd3x8q4v5w6y7z8a9b0c1d2e'),
});
const operationsWithoutApiKeys = operations.filter((route) => !accessOf(route).credentials.includes('api_key'));

operationsWithoutApiKeys.filter(({ request }) => request.body).forEach((route) => refusesBadBodies(route, target));
operationsWithoutApiKeys.filter(({ request }) => request.query).forEach((route) => refusesBadQueries(route, target));
operationsWithoutApiKeys.filter(({ request }) => request.params).forEach((route) => refusesBadPaths(route, target));

// This test is last, because it checks the calls that the tests above made.
test('sends no invalid request to a service', () => {
  const reached = gateway.services.calls.filter(({ method }) => methodsNeverReached.includes(method));
  expect(reached.map(({ method }) => method)).toEqual([]);
});
