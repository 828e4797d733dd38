import { describe, expect, test } from '@jest/globals';
import { fail, type ErrorCode } from '@tautan/kit';
import type { Caller } from './callers.js';
import { Credentials, type PresentedCredential } from './credentials.js';

const caller: Caller = {
  kind: 'api_key',
  id: 'key_1',
  name: 'a',
  email: '',
  credentialKind: 'api_key',
  expiresAt: null,
  workspaceId: 'ws_1',
  workspaceName: '',
  role: 'admin',
  plan: 'PRO',
};
const user: Caller = { ...caller, kind: 'user', id: 'usr_1', credentialKind: 'token' };
const key = (secret: string): PresentedCredential => ({ kind: 'api_key', secret, workspaceId: '' });
const token = (secret: string, workspaceId = ''): PresentedCredential => ({ kind: 'user', secret, workspaceId });

/** Returns a credential cache, and a stub with the clock of the cache, the result of verifications and their number. */
function setUp(answer: () => Promise<Caller> = () => Promise.resolve(caller)) {
  const stub = { verifications: 0, now: 1, answer };
  const credentials = new Credentials({
    verify: () => {
      stub.verifications += 1;
      return stub.answer();
    },
    now: () => stub.now,
    date: () => stub.now,
  });
  credentials.setTrusted(true);
  return { credentials, stub };
}

const refused = (code: ErrorCode) => () => Promise.reject(fail(code, 'No.'));

test('caches a caller for 30 s', async () => {
  const { credentials, stub } = setUp();
  await credentials.verify(key('k'), 'r');
  stub.now += 29_999;
  expect(credentials.cached(key('k'))).toEqual(caller);
  stub.now += 2;
  expect(credentials.cached(key('k'))).toBeUndefined();
});

test('caches a user no longer than their credential is valid', async () => {
  const { credentials, stub } = setUp(() => Promise.resolve({ ...user, expiresAt: new Date(1_001).toISOString() }));
  await credentials.verify(token('t'), 'r');
  stub.now += 999;
  expect(credentials.cached(token('t'))).toMatchObject({ id: 'usr_1' });
  stub.now += 2;
  expect(credentials.cached(token('t'))).toBeUndefined();
  await credentials.verify(token('t'), 'r');
  expect(credentials.cached(token('t'))).toBeUndefined();
});

test.each(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN'] as const)(
  'caches a refusal with %s for 5 s',
  async (code) => {
    const { credentials, stub } = setUp(refused(code));
    await expect(credentials.verify(token('t'), 'r')).rejects.toMatchObject({ code });
    stub.now += 4_999;
    expect(credentials.cached(token('t'))).toMatchObject({ code });
    stub.now += 2;
    expect(credentials.cached(token('t'))).toBeUndefined();
  },
);

test.each(['SERVICE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'TIMEOUT', 'INTERNAL_ERROR'] as const)(
  'does not cache a failed verification (%s)',
  async (code) => {
    const { credentials } = setUp(refused(code));
    await expect(credentials.verify(key('k'), 'r')).rejects.toMatchObject({ code });
    expect(credentials.cached(key('k'))).toBeUndefined();
  },
);

test('caches a caller for less than a second while invalidations can be lost', async () => {
  const { credentials, stub } = setUp();
  await credentials.verify(key('k'), 'r');
  stub.now += 500;
  credentials.setTrusted(false);
  expect(credentials.cached(key('k'))).toEqual(caller);
  stub.now += 400;
  expect(credentials.cached(key('k'))).toBeUndefined();
});

test('discards cached callers when invalidations resume', async () => {
  const { credentials } = setUp();
  credentials.setTrusted(false);
  await credentials.verify(key('k'), 'r');
  credentials.setTrusted(true);
  expect(credentials.cached(key('k'))).toBeUndefined();
});

test('verifies an unknown credential once for concurrent requests', async () => {
  const { credentials, stub } = setUp();
  await Promise.all(Array.from({ length: 20 }, () => credentials.verify(key('k'), 'r')));
  expect(stub.verifications).toBe(1);
});

test('caches a user for each workspace separately, and a key for all workspaces together', async () => {
  const { credentials } = setUp();
  await credentials.verify(token('t', 'ws_1'), 'r');
  await credentials.verify(key('k'), 'r');
  expect(credentials.cached(token('t', 'ws_1'))).toBeDefined();
  expect(credentials.cached(token('t', 'ws_2'))).toBeUndefined();
  expect(credentials.cached({ ...key('k'), workspaceId: 'ws_2' })).toBeDefined();
});

describe('invalidation', () => {
  async function setUpEntries() {
    const context = setUp();
    const cache = async (credential: PresentedCredential, found: Caller) => {
      context.stub.answer = () => Promise.resolve(found);
      await context.credentials.verify(credential, 'r');
    };
    await cache(key('k1'), caller);
    await cache(key('k2'), { ...caller, id: 'key_2' });
    await cache(token('t'), user);
    await cache(token('t', 'ws_2'), { ...user, workspaceId: 'ws_2' });
    await cache(token('s'), { ...user, credentialKind: 'session' });
    await cache(token('u'), { ...user, id: 'usr_2' });
    const all = [key('k1'), key('k2'), token('t'), token('t', 'ws_2'), token('s'), token('u')];
    return {
      ...context,
      stillCached: () => all.map((credential) => context.credentials.cached(credential) !== undefined),
    };
  }

  test('removes one key by its id', async () => {
    const { credentials, stillCached } = await setUpEntries();
    credentials.evictByIds(['key_1', 'key_unknown']);
    expect(stillCached()).toEqual([false, true, true, true, true, true]);
  });

  test('removes all credentials of a user, in all workspaces', async () => {
    const { credentials, stillCached } = await setUpEntries();
    credentials.evictByIds(['usr_1']);
    expect(stillCached()).toEqual([true, true, false, false, false, true]);
  });

  test('removes one credential in all workspaces, but no other credential of the user', async () => {
    const { credentials, stillCached } = await setUpEntries();
    credentials.evictBySecret('t');
    expect(stillCached()).toEqual([true, true, false, false, true, true]);
  });

  test('removes everything', async () => {
    const { credentials, stillCached } = await setUpEntries();
    credentials.clear();
    expect(stillCached()).toEqual(Array(6).fill(false));
  });

  test('removes an entry that replaced an expired one', async () => {
    const { credentials, stub } = setUp();
    await credentials.verify(key('k'), 'r');
    stub.now += 31_000;
    await credentials.verify(key('k'), 'r');
    credentials.evictByIds(['key_1']);
    expect(credentials.cached(key('k'))).toBeUndefined();
  });

  test('prevents a pending result from being cached or returned to later requests', async () => {
    let answer: (found: Caller) => void = () => {};
    const { credentials, stub } = setUp(() => new Promise((resolve) => (answer = resolve)));
    const first = credentials.verify(key('k'), 'r');
    const resolveFirst = answer;
    credentials.evictByIds(['key_1']);
    stub.answer = refused('UNAUTHENTICATED');
    await expect(credentials.verify(key('k'), 'r')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    resolveFirst(caller);
    expect(await first).toEqual(caller);
    expect(credentials.cached(key('k'))).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(stub.verifications).toBe(2);
  });
});
