import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { ENCRYPTION_KEY } from './testing/oidc.js';
import { aPrincipal, as, untilReady } from './testing/service.js';
import { startSignIns, type SignIns } from './testing/sign-ins.js';

let fixture: SignIns;
beforeAll(async () => {
  fixture = await startSignIns(2);
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

const signedIn = async (): Promise<string> => (await fixture.logIn(fixture.aPerson())).secret;
const refreshes = (): number => fixture.oidc.calls['token'] ?? 0;
const revoked = (): number => [...fixture.oidc.families.values()].filter((family) => family.revoked).length;

test('fifty concurrent refreshes of a session on two replicas send one request and keep the session', async () => {
  const secret = await signedIn();
  fixture.oidc.refreshMs = 300;
  for (let round = 1; round <= 3; round += 1) {
    fixture.clock.aheadMs += 3_600_000;
    const before = refreshes();
    const all = Array.from({ length: 50 }, (_, i) => fixture.refresh(secret, fixture.services[i % 2]));
    expect(new Set((await Promise.all(all)).map((opened) => opened.secret))).toEqual(new Set([secret]));
    expect(refreshes()).toBe(before + 1);
  }
  expect(revoked()).toBe(0);
  const authenticated = await fixture.services[1]!.identity.call('AuthenticateUser', { credential: secret }, as());
  expect(authenticated.credentialKind).toBe('session');
});

test('concurrent uses of a session with an expired access token cause one refresh across two replicas', async () => {
  const secret = await signedIn();
  const person = await fixture.services[0]!.identity.call('AuthenticateUser', { credential: secret }, as());
  fixture.oidc.refreshMs = 300;
  fixture.clock.aheadMs += 3_600_000;
  const before = refreshes();
  const principal = aPrincipal({ id: person.userId, workspaceId: '', role: 'viewer' });
  const calls = Array.from({ length: 20 }, (_, i) =>
    fixture.services[i % 2]!.workspaces.call('ListWorkspaces', { credential: secret }, as(principal)),
  );
  await Promise.all(calls);
  expect(refreshes()).toBe(before + 1);
  expect(revoked()).toBe(0);
});

test('a session survives refreshes that fail because the provider is unavailable', async () => {
  const secret = await signedIn();
  fixture.oidc.refreshMs = 0;
  fixture.clock.aheadMs += 3_600_000;
  fixture.oidc.mode = 'failing';
  const all = Array.from({ length: 10 }, (_, i) =>
    fixture.refresh(secret, fixture.services[i % 2]).catch((error: { code: string }) => error.code),
  );
  expect(new Set(await Promise.all(all))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']));
  fixture.oidc.mode = 'up';
  fixture.clock.aheadMs += 10_000;
  const again = await Promise.all(fixture.services.map((service) => fixture.refresh(secret, service)));
  expect(again.map((opened) => opened.secret)).toEqual([secret, secret]);
  expect(revoked()).toBe(0);
});

test('the result of a refresh is stored even if it arrives after all callers have timed out', async () => {
  const person = fixture.aPerson();
  const { secret } = await fixture.logIn(person);
  fixture.clock.aheadMs += 3_600_000;
  fixture.oidc.refreshMs = 4_500;
  const before = refreshes();
  const began = performance.now();
  const all = fixture.services.map((service) => fixture.refresh(secret, service));
  for (const refreshing of all) await expect(refreshing).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(performance.now() - began).toBeLessThan(4_400);
  await until(async () => (await fixture.sessionsOf(person.sub))[0]!['version'] === 1);
  fixture.oidc.refreshMs = 0;
  fixture.clock.aheadMs += 3_600_000;
  // A request that coincides with the end of the first refresh shares its result.
  await until(async () => (await fixture.refresh(secret)).secret === secret && refreshes() > before + 1);
  expect(refreshes()).toBe(before + 2);
  expect(revoked()).toBe(0);
});

test('the result of a refresh is stored even if the process stops meanwhile', async () => {
  const person = fixture.aPerson();
  const { secret } = await fixture.logIn(person);
  const stopping = await fixture.anotherReplica({});
  await untilReady(stopping);
  fixture.clock.aheadMs += 3_600_000;
  fixture.oidc.refreshMs = 4_500;
  await expect(fixture.refresh(secret, stopping)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  await stopping.stop();
  expect((await fixture.sessionsOf(person.sub))[0]).toMatchObject({ version: 1, refreshLock: null });
});

test('sessions survive a new encryption key, and requests to a replica without that key', async () => {
  const { secret, user } = await fixture.logIn(fixture.aPerson());
  const key = Buffer.alloc(32, 9).toString('base64');
  const rotated = await fixture.anotherReplica({ ENCRYPTION_KEYS: `${key},${ENCRYPTION_KEY}` });
  try {
    await untilReady(rotated);
    fixture.clock.aheadMs += 3_600_000;
    expect((await fixture.refresh(secret, rotated)).secret).toBe(secret);
    // The tokens of the session are now encrypted with the new key, which the older replicas do not have.
    const unreadable = { code: 'UNAUTHENTICATED' };
    const list = () => fixture.workspacesOf(secret, user!.userId);
    await expect(list()).rejects.toMatchObject(unreadable);
    fixture.clock.aheadMs += 3_600_000;
    await expect(fixture.refresh(secret)).rejects.toMatchObject(unreadable);
    expect(await fixture.authenticate(secret)).toMatchObject({ credentialKind: 'session' });
    const { callbackUrl, browserSecret } = await fixture.goToProvider(fixture.aPerson().email, '/', rotated);
    await expect(fixture.finish(callbackUrl, browserSecret)).rejects.toMatchObject(unreadable);
    expect((await fixture.refresh(secret, rotated)).secret).toBe(secret);
    expect(revoked()).toBe(0);
  } finally {
    await rotated.stop();
  }
});
