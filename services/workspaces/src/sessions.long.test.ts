import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import mongoose from 'mongoose';
import { aPrincipal, as, untilReady } from './testing/service.js';
import { startSignIns, type SignIns } from './testing/sign-ins.js';

let fixture: SignIns;
beforeAll(async () => {
  fixture = await startSignIns();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

describe('a session', () => {
  const ended = { code: 'UNAUTHENTICATED' };

  test('is authenticated without a call to the provider', async () => {
    const { secret } = await fixture.logIn(fixture.aPerson({}, 'Kopi'));
    const before = { ...fixture.oidc.calls };
    for (let i = 0; i < 5; i += 1) await fixture.authenticate(secret);
    expect(fixture.oidc.calls).toEqual(before);
  });

  test('lasts for 30 days from its last use, which is recorded at most once an hour', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const { secret } = await fixture.logIn(person);
    const lastSeenAt = async () => (await fixture.sessionsOf(person.sub))[0]!['lastSeenAt'] as Date;
    const first = await lastSeenAt();
    fixture.clock.aheadMs = 58 * 60_000;
    await fixture.authenticate(secret);
    expect(await lastSeenAt()).toEqual(first);
    fixture.clock.aheadMs = 29 * 86_400_000;
    await fixture.authenticate(secret);
    await until(async () => (await lastSeenAt()) > first);
    fixture.clock.aheadMs = 58 * 86_400_000;
    expect(await fixture.authenticate(secret)).toMatchObject({ credentialKind: 'session' });
    // Uses are recorded in the background, one at a time, and the recording of the previous one may still be running.
    await until(async () => {
      await fixture.authenticate(secret);
      return (await lastSeenAt()).getTime() > Date.now() + 57 * 86_400_000;
    });
    // A sync of memberships in the background may still refresh the tokens, which extends the session.
    await until(async () => {
      const [session] = await fixture.sessionsOf(person.sub);
      if (!session) return true;
      fixture.clock.aheadMs = (session['expiresAt'] as Date).getTime() - Date.now() + 1_000;
      return fixture.authenticate(secret).then(
        () => false,
        () => true,
      );
    });
    expect(fixture.clock.aheadMs).toBeGreaterThan(87 * 86_400_000);
    await expect(fixture.authenticate(secret)).rejects.toMatchObject(ended);
    await expect(fixture.refresh(secret)).rejects.toMatchObject(ended);
  });

  test('without a refresh token is used unchanged until its access token expires, and ends with it', async () => {
    fixture.oidc.givesRefreshTokens = false;
    const person = fixture.aPerson({}, 'Kopi');
    const { secret, user } = await fixture.logIn(person);
    const list = () => fixture.workspacesOf(secret, user!.userId);
    fixture.clock.aheadMs = 3_570_000;
    expect((await fixture.refresh(secret)).secret).toBe(secret);
    expect(await list()).toMatchObject([{ name: 'Kopi' }]);
    expect((await fixture.sessionsOf(person.sub))[0]!['version']).toBe(0);
    fixture.clock.aheadMs = 3_600_001;
    await expect(fixture.authenticate(secret)).rejects.toMatchObject(ended);
    await expect(list()).rejects.toMatchObject(ended);
  });

  test('keeps its refresh token if the provider issues no new one', async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    const [before] = await fixture.sessionsOf(person.sub);
    fixture.clock.aheadMs = 3_000_000;
    fixture.oidc.givesRefreshTokens = false;
    const { expiresAt } = await fixture.refresh(secret);
    const [after] = await fixture.sessionsOf(person.sub);
    expect(after!['version']).toBe(1);
    expect(after!['refreshToken']).toEqual(before!['refreshToken']);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(30 * 86_400_000);
  });

  test('that ends while it is refreshed stays ended', async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    fixture.clock.aheadMs = 3_600_000;
    const before = fixture.oidc.calls['token']!;
    fixture.oidc.mode = 'slow';
    const refreshing = fixture.refresh(secret).catch((error: unknown) => error);
    await until(() => fixture.oidc.calls['token']! > before);
    await fixture.service.sessions.call('EndSession', { secret }, as());
    fixture.oidc.release();
    expect(await refreshing).toMatchObject(ended);
    expect(await fixture.sessionsOf(person.sub)).toEqual([]);
  });

  test('that is refreshed keeps its secret and gets new tokens, unless it was refreshed within five seconds', async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    const [before] = await fixture.sessionsOf(person.sub);
    fixture.clock.aheadMs = 3_000_000;
    const refreshed = await fixture.refresh(secret);
    expect(refreshed).toMatchObject({ secret, user: { email: person.email } });
    const [after] = await fixture.sessionsOf(person.sub);
    expect(after!['version']).toBe(1);
    expect(after!['refreshToken']).not.toEqual(before!['refreshToken']);
    expect(after!['refreshLock']).toBeNull();
    // Moves the time of the refresh into the future, so that a slow machine has 9 s for the next request.
    fixture.clock.aheadMs -= 4_000;
    await fixture.refresh(secret);
    expect((await fixture.sessionsOf(person.sub))[0]!['version']).toBe(1);
    fixture.clock.aheadMs += 10_000;
    await fixture.refresh(secret);
    expect((await fixture.sessionsOf(person.sub))[0]!['version']).toBe(2);
  });

  test('ends if the provider rejects its refresh token', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const { secret, user } = await fixture.logIn(person);
    for (const family of fixture.oidc.families.values()) family.revoked ||= family.person.sub === person.sub;
    fixture.clock.aheadMs = 3_600_000;
    await expect(fixture.refresh(secret)).rejects.toMatchObject(ended);
    expect(await fixture.sessionsOf(person.sub)).toEqual([]);
    await until(() => fixture.invalidated.includes(user!.userId));
    await expect(fixture.authenticate(secret)).rejects.toMatchObject(ended);
    const published = () =>
      fixture.events.filter(({ type, target }) => type === 'session.ended' && target.id === user!.userId);
    await until(() => published().length > 0);
    expect(published()).toMatchObject([
      {
        workspaceId: user!.workspaceId,
        actor: { type: 'system' },
        data: { email: person.email, reason: 'refresh_refused' },
        changes: { reason: { before: null, after: 'refresh_refused' } },
      },
    ]);
  });

  test.each(['provider', 'local'])(
    'ends with its access token if the provider has ended the sign-in: IDENTITY_WORKSPACES=%s',
    async (management) => {
      const replica = await fixture.anotherReplica({ IDENTITY_WORKSPACES: management });
      await untilReady(replica);
      const { sub, email, password } = fixture.aPerson({}, 'Kopi');
      const { secret } = await replica.sessions.call('PasswordLogin', { email, password }, as());
      const authenticate = () => replica.identity.call('AuthenticateUser', { credential: secret }, as());
      for (const family of fixture.oidc.families.values()) family.revoked ||= family.person.sub === sub;
      expect(await authenticate()).toMatchObject({ credentialKind: 'session' });
      fixture.clock.aheadMs = 3_600_000;
      await expect(authenticate()).rejects.toMatchObject(ended);
      expect(await fixture.sessionsOf(sub)).toEqual([]);
      await replica.stop();
    },
  );

  test('is authenticated within 2.5 s while the provider hangs', async () => {
    const { secret } = await fixture.logIn(fixture.aPerson({}, 'Kopi'));
    fixture.clock.aheadMs = 3_600_000;
    fixture.oidc.refreshMs = 4_000;
    const startedAt = performance.now();
    expect(await fixture.authenticate(secret)).toMatchObject({ credentialKind: 'session' });
    expect(performance.now() - startedAt).toBeLessThan(allowedMs(2_500));
  });

  test.each([
    ['fails', { status: 503 }, 'UPSTREAM_UNAVAILABLE'],
    ['limits requests', { status: 429, body: { error: 'slow_down' } }, 'TOO_MANY_REQUESTS'],
  ])('survives while the provider %s', async (_how, failure, code) => {
    const person = fixture.aPerson();
    const { secret, expiresAt } = await fixture.logIn(person);
    fixture.clock.aheadMs = 3_600_000;
    Object.assign(fixture.oidc, { mode: 'failing', failure });
    await expect(fixture.refresh(secret)).rejects.toMatchObject({ code });
    expect((await fixture.sessionsOf(person.sub))[0]!['refreshLock']).toBeNull();
    const used = await fixture.authenticate(secret);
    expect(used.credentialKind).toBe('session');
    expect(Date.parse(used.expiresAt) - Date.parse(expiresAt)).toBeGreaterThanOrEqual(3_600_000);
    fixture.oidc.mode = 'up';
    expect((await fixture.refresh(secret)).secret).toBe(secret);
  });

  test('is refreshed within seconds if the process that was refreshing it crashed, independently of clocks', async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    const [session] = await fixture.sessionsOf(person.sub);
    fixture.clock.aheadMs = 3_600_000;
    const sessions = fixture.database.collection('sessions');
    await sessions.updateOne({ _id: session!._id }, { $set: { refreshLock: { by: 'x', beat: 7 } } });
    const startedAt = performance.now();
    await expect(fixture.refresh(secret)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await until(async () => (await fixture.sessionsOf(person.sub))[0]!['version'] === 1);
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    expect(performance.now() - startedAt).toBeLessThan(allowedMs(8_000));
    expect((await fixture.refresh(secret)).secret).toBe(secret);
  });

  test('is refreshed only by the holder of its lock, however long the refresh takes', async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    const [session] = await fixture.sessionsOf(person.sub);
    fixture.clock.aheadMs = 3_600_000;
    const sessions = fixture.database.collection('sessions');
    await sessions.updateOne({ _id: session!._id }, { $set: { refreshLock: { by: 'x', beat: 0 } } });
    const beating = setInterval(
      () => void sessions.updateOne({ _id: session!._id }, { $inc: { 'refreshLock.beat': 1 } }),
      500,
    );
    const before = fixture.oidc.calls['token'];
    await expect(fixture.refresh(secret)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    clearInterval(beating);
    expect(fixture.oidc.calls['token']).toBe(before);
  });

  test('renews its refresh lock during the call to the provider', async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    fixture.clock.aheadMs = 3_600_000;
    fixture.oidc.refreshMs = 2_000;
    const refreshing = fixture.refresh(secret);
    const lock = async () => (await fixture.sessionsOf(person.sub))[0]!['refreshLock'] as { beat: number } | null;
    await until(async () => ((await lock())?.beat ?? 0) >= 2);
    expect((await refreshing).secret).toBe(secret);
    expect(await lock()).toBeNull();
  });

  test("is not lost if the database is unavailable between the provider's response and the write", async () => {
    const person = fixture.aPerson();
    const { secret } = await fixture.logIn(person);
    fixture.clock.aheadMs = 3_600_000;
    fixture.oidc.refreshMs = 500;
    const before = fixture.oidc.calls['token']!;
    const refreshing = fixture.refresh(secret);
    await until(() => fixture.oidc.calls['token']! > before);
    // The lock is held; the next updates renew it and write the new tokens.
    const data = { failCommands: ['update'], errorCode: 262 };
    const admin = fixture.database.getClient().db('admin');
    await admin.command({ configureFailPoint: 'failCommand', mode: { times: 6 }, data });
    expect((await refreshing).secret).toBe(secret);
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
    expect((await fixture.sessionsOf(person.sub))[0]!['version']).toBe(1);
    fixture.clock.aheadMs += 3_600_000;
    expect((await fixture.refresh(secret)).secret).toBe(secret);
  });

  test('ends at sign-out, and its refresh token is revoked at the provider; signing out again succeeds', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const [one, other] = [await fixture.logIn(person), await fixture.logIn(person)];
    fixture.invalidated.length = 0;
    const end = (secret: string) => fixture.service.sessions.call('EndSession', { secret }, as());
    expect(await Promise.all([one.secret, one.secret, one.secret].map(end))).toEqual([{}, {}, {}]);
    for (const secret of [one.secret, 'nonsense', '']) expect(await end(secret)).toEqual({});
    await expect(fixture.authenticate(one.secret)).rejects.toMatchObject(ended);
    expect(await fixture.authenticate(other.secret)).toMatchObject({ credentialKind: 'session' });
    await until(() => fixture.invalidated.includes(one.user!.userId));
    const revoked = () =>
      [...fixture.oidc.families.values()].filter((family) => family.person.sub === person.sub && family.revoked);
    await until(() => revoked().length === 1);
    const published = () =>
      fixture.events.filter(({ type, target }) => type === 'session.ended' && target.id === one.user!.userId);
    await until(() => published().length > 0);
    expect(published()).toMatchObject([
      {
        workspaceId: one.user!.workspaceId,
        actor: { type: 'user', id: one.user!.userId },
        data: { email: person.email, reason: 'signed_out' },
        changes: { reason: { before: null, after: 'signed_out' } },
      },
    ]);
  });

  test('ends, and its refresh token is revoked, when its user revokes it by id or calls RevokeOtherSessions from another session; another user cannot revoke it', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const [one, two, three] = [await fixture.logIn(person), await fixture.logIn(person), await fixture.logIn(person)];
    const { userId, workspaceId } = one.user!;
    const by = aPrincipal({ id: userId, workspaceId: workspaceId! });
    const { sessions } = fixture.service;
    const list = async () => (await sessions.call('ListSessions', { credential: two.secret }, as(by))).sessions;
    const listed = await list();
    expect(listed.map(({ current }) => current)).toEqual([false, true, false]);
    const oldest = { id: listed[2]!.id };
    const stranger = aPrincipal({ id: newId('usr'), workspaceId: workspaceId! });
    await expect(sessions.call('RevokeSession', oldest, as(stranger))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    fixture.invalidated.length = 0;
    const revoked = await Promise.allSettled([1, 2, 3].map(() => sessions.call('RevokeSession', oldest, as(by))));
    expect(revoked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual([oldest]);
    await expect(sessions.call('RevokeSession', oldest, as(by))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(fixture.authenticate(one.secret)).rejects.toMatchObject(ended);
    expect(await sessions.call('RevokeOtherSessions', { credential: two.secret }, as(by))).toEqual({ count: 1 });
    await expect(fixture.authenticate(three.secret)).rejects.toMatchObject(ended);
    expect((await list()).map(({ id }) => id)).toEqual([listed[1]!.id]);
    await until(() => fixture.invalidated.filter((id) => id === userId).length === 2);
    await until(
      () =>
        [...fixture.oidc.families.values()].filter((family) => family.person.sub === person.sub && family.revoked)
          .length === 2,
    );
    await until(
      () => fixture.events.filter(({ type, target }) => type === 'session.ended' && target.id === userId).length === 2,
    );
    fixture.clock.aheadMs = 31 * 86_400_000;
    expect(await list()).toEqual([]);
  });

  test('ends at sign-out even while the provider is unavailable', async () => {
    const { secret } = await fixture.logIn(fixture.aPerson());
    fixture.oidc.mode = 'down';
    expect(await fixture.service.sessions.call('EndSession', { secret }, as())).toEqual({});
    await expect(fixture.authenticate(secret)).rejects.toMatchObject(ended);
  });
});

test('the database contains no usable secret or token in any form', async () => {
  const person = fixture.aPerson({}, 'Kopi');
  const { secret } = await fixture.logIn(person);
  const { callbackUrl, browserSecret } = await fixture.goToProvider(person.email);
  const secrets = [
    secret,
    browserSecret,
    person.password,
    ...fixture.oidc.secrets,
    new URL(callbackUrl).searchParams.get('state')!,
  ];
  const stored: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') stored.push(value);
    else if (value instanceof mongoose.mongo.Binary) {
      const bytes = Buffer.from(value.buffer);
      stored.push(bytes.toString('utf8'), bytes.toString('base64url'), bytes.toString('hex'));
    } else if (value && typeof value === 'object') Object.values(value).forEach(collect);
  };
  for (const { name } of await fixture.database.listCollections()) {
    (await fixture.database.collection(name).find().toArray()).forEach(collect);
  }
  expect(stored.length).toBeGreaterThan(100);
  const all = stored.join('\n');
  expect(secrets.filter((one) => all.includes(one) || all.includes(one.slice(0, 30)))).toEqual([]);
  const candidates = [...new Set(stored.filter((text) => text.length >= 20))];
  for (const text of candidates) {
    await expect(fixture.authenticate(text)).rejects.toMatchObject({
      code: expect.stringMatching(/UNAUTHENTICATED|UPSTREAM/),
    });
    await expect(fixture.authenticate(`tau_session_${text}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});
