import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { generateApiKey } from '@tautan/proto';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { aPerson, aSession, OTHER_WORKSPACE_ID, userId, WORKSPACE_ID } from './testing/people.js';

let gateway: TestGateway;
/** The handlers of the test services, which are restored before each test. */
let originalHandlers: Pick<TestGateway['services'], 'apiKeys' | 'identity'>;

beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.1' });
  originalHandlers = { apiKeys: { ...gateway.services.apiKeys }, identity: { ...gateway.services.identity } };
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  Object.assign(gateway.services, {
    apiKeys: { ...originalHandlers.apiKeys },
    identity: { ...originalHandlers.identity },
  });
});
afterAll(() => gateway.stop());

const get = (authorization: string, headers = {}) =>
  gateway.request('GET', '/tags', undefined, { authorization, ...headers });
const verifications = new Set(['VerifyApiKey', 'AuthenticateUser']);
const verificationCount = () => gateway.services.calls.filter(({ method }) => verifications.has(method)).length;
const principal = () => gateway.services.calls.find(({ method }) => method === 'ListTags')?.principal;
const cookie = (session: string) => ({ authorization: '', cookie: `other=1; tautan_session=${session}; more=2` });
let tokens = 0;
/** Returns a new token whose authentication has the given result. */
const freshToken = (answer: () => Promise<ReturnType<typeof aPerson>> = async () => aPerson('owner')) => {
  gateway.services.identity.AuthenticateUser = answer;
  return `fresh-${(tokens += 1)}`;
};

describe('an API key', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'ApiKey', 'apikey'])('is accepted with the scheme %s', async (scheme) => {
    expect((await get(`${scheme} ${gateway.services.key}`)).status).toBe(200);
  });

  test('acts as an admin of its workspace; the principal contains the IP address of the client', async () => {
    const agent = `curl/8 ${'x'.repeat(600)}`;
    await get(`Bearer ${gateway.services.key}`, {
      'x-forwarded-for': '9.9.9.9, 203.0.113.7',
      'user-agent': agent,
      'x-request-id': 'r-1',
    });
    expect(principal()).toEqual({
      workspaceId: WORKSPACE_ID,
      kind: 'api_key',
      id: 'key_BUSINESS',
      name: 'BUSINESS',
      role: 'admin',
      plan: 'BUSINESS',
      ip: '203.0.113.7',
      userAgent: agent.slice(0, 512),
      requestId: 'r-1',
    });
  });

  test('is verified once, then cached', async () => {
    for (let i = 0; i < 5; i += 1) await get(`Bearer ${gateway.services.freeKey}`);
    expect(verificationCount()).toBe(1);
  });

  test('is FORBIDDEN if X-Workspace-Id is not the id of its own workspace', async () => {
    const at = (workspaceId: string) => get(`Bearer ${gateway.services.key}`, { 'x-workspace-id': workspaceId });
    expect((await at(WORKSPACE_ID)).status).toBe(200);
    for (const other of [OTHER_WORKSPACE_ID, '$ne', 'ws_x', WORKSPACE_ID.toUpperCase()]) {
      const { status, error } = await at(other);
      expect([other, status, error!.code]).toEqual([other, 403, 'FORBIDDEN']);
    }
  });
});

describe('a user', () => {
  test('is identified by an access token, with their role in the active workspace', async () => {
    expect((await get(`Bearer ${gateway.services.people.member.token}`)).status).toBe(200);
    expect(principal()).toMatchObject({
      workspaceId: WORKSPACE_ID,
      kind: 'user',
      id: userId('member'),
      name: 'The member',
      role: 'member',
    });
  });

  test('is identified by a session cookie', async () => {
    const { status } = await get('', cookie(gateway.services.people.viewer.session));
    expect([status, principal()!.id]).toEqual([200, userId('viewer')]);
  });

  test('is identified by Authorization if the request also has a session cookie', async () => {
    const { member, viewer } = gateway.services.people;
    await get(`Bearer ${member.token}`, { cookie: `tautan_session=${viewer.session}` });
    expect(principal()!.id).toBe(userId('member'));
    expect((await get('Bearer revoked', { cookie: `tautan_session=${viewer.session}` })).status).toBe(401);
  });

  test('has their role in the workspace that X-Workspace-Id names', async () => {
    const token = `Bearer ${gateway.services.people.owner.token}`;
    await get(token);
    gateway.services.calls.splice(0);
    expect((await get(token, { 'x-workspace-id': OTHER_WORKSPACE_ID })).status).toBe(200);
    expect(principal()).toMatchObject({ workspaceId: OTHER_WORKSPACE_ID, role: 'viewer' });
  });

  test('is FORBIDDEN in a workspace of which they are not a member; a malformed workspace id is refused without a call to the workspaces service', async () => {
    const token = `Bearer ${gateway.services.people.member.token}`;
    for (const [workspaceId, calls] of [
      [OTHER_WORKSPACE_ID, 1],
      ['ws_nonsense', 0],
      ['x'.repeat(5_000), 0],
    ] as const) {
      gateway.services.calls.splice(0);
      const { status, error } = await get(token, { 'x-workspace-id': workspaceId });
      expect([status, error!.code, verificationCount()]).toEqual([403, 'FORBIDDEN', calls]);
    }
  });

  test('is authenticated once for concurrent requests', async () => {
    const token = freshToken();
    await Promise.all([1, 2, 3, 4, 5].map(() => get(`Bearer ${token}`)));
    expect(verificationCount()).toBe(1);
  });

  test('is not cached beyond the expiry of their token', async () => {
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    const token = freshToken(async () => aPerson('owner', { expiresAt }));
    expect((await get(`Bearer ${token}`)).status).toBe(200);
    expect((await get(`Bearer ${token}`)).status).toBe(200);
    expect(verificationCount()).toBe(2);
  });

  test('with an expired token receives TOKEN_EXPIRED, from the second time on without a call to the workspaces service', async () => {
    const token = freshToken(() => Promise.reject(fail('TOKEN_EXPIRED', 'It expired.')));
    for (let i = 0; i < 3; i += 1) {
      const { status, error, headers } = await get(`Bearer ${token}`);
      expect([status, error!.code]).toEqual([401, 'TOKEN_EXPIRED']);
      expect(headers.get('www-authenticate')).toBe(
        'Bearer error="invalid_token", error_description="The access token expired"',
      );
    }
    expect(verificationCount()).toBe(1);
  });
});

describe('malformed or missing credentials are refused without a call to the workspaces service:', () => {
  test.each([
    ['none', '', 'Bearer'],
    ['another scheme', 'Basic YTpi', 'Bearer'],
    ['no scheme', 'tau_live_x', 'Bearer'],
    ['a mistyped key', 'Bearer tau_live_00000000000000000000000000000000', 'Bearer error="invalid_token"'],
    ['a token as a key', 'ApiKey eyJhbGciOi', 'Bearer'],
    ['a token with an invalid character', 'Bearer a,b', 'Bearer error="invalid_token"'],
    ['the secret of a session', `Bearer tau_session_${'x'.repeat(43)}`, 'Bearer error="invalid_token"'],
    ['an oversized token', `Bearer ${'x'.repeat(8_193)}`, 'Bearer error="invalid_token"'],
  ])('%s', async (_name, authorization, challenge) => {
    const answer = await get(authorization);
    expect([answer.status, answer.error!.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(verificationCount()).toBe(0);
  });

  test.each([
    ['without the prefix', 'nonsense'],
    ['that is too short', 'tau_session_short'],
    ['that is too long', `tau_session_${'x'.repeat(9_000)}`],
    ['with an invalid percent-encoding', '%E0%A4'],
  ])('a session cookie %s', async (_name, session) => {
    const { status, error, headers } = await get('', cookie(session));
    expect([status, error!.code, headers.get('www-authenticate')]).toEqual([401, 'UNAUTHENTICATED', 'Bearer']);
    expect(verificationCount()).toBe(0);
  });
});

test.each([
  ['key', () => generateApiKey().key],
  ['token', () => `unknown-${(tokens += 1)}`],
])('verifies an unknown %s once and caches the refusal', async (_name, make) => {
  const secret = make();
  for (let i = 0; i < 5; i += 1) expect((await get(`Bearer ${secret}`)).status).toBe(401);
  expect(verificationCount()).toBe(1);
});

describe('while the workspaces service is unavailable', () => {
  const failVerification = () => {
    const unavailable = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'The database is unavailable.'));
    gateway.services.apiKeys.VerifyApiKey = unavailable;
    gateway.services.identity.AuthenticateUser = unavailable;
  };

  test.each([
    ['key', () => ({ authorization: `Bearer ${generateApiKey().key}` })],
    ['token', () => ({ authorization: `Bearer ${freshToken()}` })],
    ['session', () => cookie(aSession())],
  ])('a caller with a cached %s is served', async (_name, makeHeaders) => {
    const { VerifyApiKey } = originalHandlers.apiKeys;
    gateway.services.apiKeys.VerifyApiKey = (call) => VerifyApiKey(call, { key: gateway.services.key });
    gateway.services.identity.AuthenticateUser = async () => aPerson('owner');
    const headers = makeHeaders();
    expect((await get('', headers)).status).toBe(200);
    failVerification();
    expect((await get('', headers)).status).toBe(200);
  });

  test.each([
    ['keys', () => ({ authorization: `Bearer ${generateApiKey().key}` })],
    ['tokens', () => ({ authorization: 'Bearer unknown' })],
    ['sessions', () => cookie(aSession())],
  ])('requests with unknown %s receive 503', async (_name, headers) => {
    failVerification();
    const { status, error } = await get('', headers());
    expect([status, error!.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
});
