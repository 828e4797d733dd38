import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail, mintApiKey } from '@tautan/kit';
import { startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.1' });
});
beforeEach(() => void gateway.peers.calls.splice(0));
afterAll(() => gateway.stop());

const get = (authorization: string, headers = {}) =>
  gateway.request('GET', '/tags', undefined, { authorization, ...headers });
const asked = () => gateway.peers.calls.filter(({ method }) => method === 'VerifyApiKey').length;

test.each(['Bearer', 'bearer', 'BEARER', 'ApiKey', 'apikey'])('a key is accepted as %s', async (scheme) => {
  expect((await get(`${scheme} ${gateway.peers.key}`)).status).toBe(200);
});

test('calls are made for the key, as an admin of its workspace, from where the request came', async () => {
  const agent = `curl/8 ${'x'.repeat(600)}`;
  await get(`Bearer ${gateway.peers.key}`, {
    'x-forwarded-for': '9.9.9.9, 203.0.113.7',
    'user-agent': agent,
    'x-request-id': 'r-1',
  });
  expect(gateway.peers.calls.at(-1)).toMatchObject({
    method: 'ListTags',
    principal: {
      workspaceId: 'ws_BUSINESS',
      kind: 'api_key',
      id: 'key_BUSINESS',
      name: 'BUSINESS',
      role: 'admin',
      ip: '203.0.113.7',
      userAgent: agent.slice(0, 512),
      requestId: 'r-1',
    },
  });
});

test('a key is verified once, then remembered', async () => {
  await get(`Bearer ${gateway.peers.freeKey}`);
  gateway.peers.calls.splice(0);
  for (let i = 0; i < 5; i += 1) await get(`Bearer ${gateway.peers.freeKey}`);
  expect(asked()).toBe(0);
});

describe('what cannot be a key', () => {
  test.each([
    ['another scheme', 'Basic YTpi'],
    ['no scheme', 'tau_live_x'],
    ['a token', 'Bearer eyJhbGciOi'],
    ['a mistyped key', 'Bearer tau_live_00000000000000000000000000000000'],
  ])('%s is refused without asking anyone', async (_name, authorization) => {
    const answer = await get(authorization);
    expect([answer.status, answer.error!.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(asked()).toBe(0);
  });
});

test('an unknown key is asked for once, its refusal remembered', async () => {
  const { key } = mintApiKey();
  for (let i = 0; i < 5; i += 1) expect((await get(`Bearer ${key}`)).status).toBe(401);
  expect(asked()).toBe(1);
});

test('while the workspaces service is away known keys go on, unknown ones are 503', async () => {
  await get(`Bearer ${gateway.peers.key}`);
  const { VerifyApiKey } = gateway.peers.apiKeys;
  gateway.peers.apiKeys.VerifyApiKey = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'The database is away.'));
  try {
    expect((await get(`Bearer ${gateway.peers.key}`)).status).toBe(200);
    const unknown = await get(`Bearer ${mintApiKey().key}`);
    expect([unknown.status, unknown.error!.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  } finally {
    gateway.peers.apiKeys.VerifyApiKey = VerifyApiKey;
  }
});
