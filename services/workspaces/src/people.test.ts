import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isId } from '@tautan/kit';
import { allowedMs, until } from '@tautan/kit/testing';
import { SKEW_SECONDS } from './provider/jwt.js';
import { SYNC_MISSING_AFTER_MS } from './sessions/domain/user.js';
import { AUDIENCE } from './testing/oidc.js';
import { startSignIns, type SignIns } from './testing/sign-ins.js';

let fixture: SignIns;
beforeAll(async () => {
  fixture = await startSignIns();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

describe('an access token', () => {
  test('identifies a user, who is created with their workspaces', async () => {
    const person = fixture.aPerson({ email: 'Ayu@Example.com', name: 'Ayu Lestari' }, 'Kopi');
    const known = await fixture.authenticate(await fixture.oidc.tokenOf(person));
    expect(known).toMatchObject({ email: 'ayu@example.com', name: 'Ayu Lestari', credentialKind: 'token' });
    expect(known).toMatchObject({ workspaceName: 'Kopi', role: 'owner', plan: 'FREE' });
    expect(isId(known.userId, 'usr') && isId(known.workspaceId!, 'ws')).toBe(true);
    expect(new Date(known.expiresAt).getTime() - Date.now()).toBeGreaterThan(3_500_000);
  });

  test('creates only one user for its subject, even with concurrent first requests', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const token = await fixture.oidc.tokenOf(person);
    const known = await Promise.all(Array.from({ length: 20 }, () => fixture.authenticate(token)));
    expect(new Set(known.map(({ userId, workspaceId }) => `${userId} ${workspaceId}`)).size).toBe(1);
    expect(await fixture.database.collection('users').countDocuments({ subject: person.sub })).toBe(1);
  });

  test('updates the name and email of its user, and whether the email is verified', async () => {
    const person = fixture.aPerson();
    const { userId } = await fixture.authenticate(await fixture.oidc.tokenOf(person));
    const stored = { name: person.name, email: person.email, emailVerified: true };
    for (const change of [{ name: 'Ayu B.' }, { email: 'new@example.com' }, { emailVerified: false }]) {
      const { name, email, emailVerified } = Object.assign(stored, change);
      const claims = { name, email, email_verified: emailVerified };
      const known = await fixture.authenticate(await fixture.oidc.tokenOf(person, claims));
      expect(known).toMatchObject({ userId, name, email });
      expect(await fixture.userOf(person.sub)).toMatchObject(stored);
    }
    expect(await fixture.authenticate(await fixture.oidc.token({ sub: person.sub }))).toMatchObject({
      userId,
      email: 'new@example.com',
    });
  });

  test('without email and name causes one userinfo request', async () => {
    const person = fixture.aPerson({ name: 'Citra' });
    const before = fixture.oidc.calls['userinfo'] ?? 0;
    for (let i = 0; i < 3; i += 1) {
      expect(await fixture.authenticate(await fixture.oidc.token({ sub: person.sub }))).toMatchObject({
        email: person.email,
        name: 'Citra',
      });
    }
    expect(fixture.oidc.calls['userinfo']).toBe(before + 1);
    expect(await fixture.userOf(person.sub)).toMatchObject({ emailVerified: true });
    const named = await fixture.oidc.token({ sub: fixture.aPerson({ name: 'Dian' }).sub, name: 'Dewi' });
    expect(await fixture.authenticate(named)).toMatchObject({ name: 'Dewi' });
  });

  test('of a user without workspaces identifies only the user', async () => {
    const known = await fixture.authenticate(await fixture.oidc.tokenOf(fixture.aPerson()));
    expect(known.workspaceId).toBeUndefined();
    expect(known).toMatchObject({ workspaceName: '', role: '' });
  });

  test('that is opaque is introspected', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    fixture.oidc.opaque.set('opaque-token', { active: true, sub: person.sub, aud: AUDIENCE, email: person.email });
    expect(await fixture.authenticate('opaque-token')).toMatchObject({ email: person.email, credentialKind: 'token' });
  });

  test('that has expired is distinguished from one that is otherwise invalid', async () => {
    const past = Math.floor(Date.now() / 1000) - SKEW_SECONDS - 1;
    await expect(fixture.authenticate(await fixture.oidc.token({ exp: past }))).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
    });
    await expect(fixture.authenticate(await fixture.oidc.token({ aud: 'x' }))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test.each(['', 'tau_live_0123456789', `tau_session_${'x'.repeat(43)}`, 'tau_session_short', '\u0000'])(
    'that is invalid, %j, is rejected without a call to the provider',
    async (credential) => {
      const before = { ...fixture.oidc.calls };
      await expect(fixture.authenticate(credential)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(fixture.oidc.calls).toEqual(before);
    },
  );
});

describe('the current workspace of a user', () => {
  test('is the requested one, else the last active one, else the oldest one', async () => {
    const token = await fixture.oidc.tokenOf(fixture.aPerson({}, 'Satu', 'Dua'));
    const first = await fixture.authenticate(token);
    const all = await fixture.database
      .collection('members')
      .find({ userId: first.userId })
      .sort({ createdAt: 1, _id: 1 })
      .toArray();
    const [oldest, newest] = all.map(({ workspaceId }) => String(workspaceId)) as [string, string];
    expect(first.workspaceId).toBe(oldest);
    expect((await fixture.authenticate(token, newest)).workspaceId).toBe(newest);
    await fixture.database
      .collection<{ _id: string }>('users')
      .updateOne({ _id: first.userId }, { $set: { lastWorkspaceId: newest } });
    expect((await fixture.authenticate(token)).workspaceId).toBe(newest);
    expect((await fixture.authenticate(token, oldest)).workspaceId).toBe(oldest);
  });

  test('cannot be one that the user is not a member of', async () => {
    const { workspaceId } = await fixture.authenticate(await fixture.oidc.tokenOf(fixture.aPerson({}, 'Hers')));
    const token = await fixture.oidc.tokenOf(fixture.aPerson({}, 'His'));
    for (const named of [workspaceId!, 'ws_nonsense', 'x'.repeat(10_000)]) {
      await expect(fixture.authenticate(token, named)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('can be one that the user has just joined', async () => {
    const person = fixture.aPerson();
    const token = await fixture.oidc.tokenOf(person);
    expect((await fixture.authenticate(token)).workspaceId).toBeUndefined();
    fixture.oidc.workspaces.set(person.sub, [{ id: `w-${person.sub}`, name: 'New', role: 'member' }]);
    fixture.clock.aheadMs = SYNC_MISSING_AFTER_MS + 1;
    expect(await fixture.authenticate(token)).toMatchObject({ workspaceName: 'New', role: 'member' });
  });

  test('can be a requested one that the user has just joined, ten seconds after the last sync of memberships', async () => {
    const owner = fixture.aPerson({}, 'Shared');
    const { workspaceId } = await fixture.authenticate(await fixture.oidc.tokenOf(owner));
    const person = fixture.aPerson({}, 'Own');
    const token = await fixture.oidc.tokenOf(person);
    await fixture.authenticate(token);
    const [shared] = fixture.oidc.workspaces.get(owner.sub)!;
    fixture.oidc.workspaces.get(person.sub)!.push({ ...shared!, role: 'member' });
    const calls = () => fixture.oidc.calls['api/v1/workspaces'];
    const before = calls();
    fixture.clock.aheadMs = -SYNC_MISSING_AFTER_MS;
    await expect(fixture.authenticate(token, workspaceId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(calls()).toBe(before);
    fixture.clock.aheadMs = SYNC_MISSING_AFTER_MS;
    expect(await fixture.authenticate(token, workspaceId)).toMatchObject({ workspaceId, role: 'member' });
  });

  test('is no longer one that the user has left at the provider, once memberships are synced again, five minutes after the last sync', async () => {
    const person = fixture.aPerson({}, 'Lost', 'Kept');
    const token = await fixture.oidc.tokenOf(person);
    const { userId } = await fixture.authenticate(token);
    fixture.oidc.workspaces.set(person.sub, fixture.oidc.workspaces.get(person.sub)!.slice(1));
    await fixture.authenticate(token);
    const count = () => fixture.database.collection('members').countDocuments({ userId });
    expect(await count()).toBe(2);
    fixture.clock.aheadMs = 5 * 60_000;
    await fixture.authenticate(token);
    await until(async () => (await count()) === 1);
    expect(await fixture.authenticate(token)).toMatchObject({ workspaceName: 'Kept' });
    await until(() => fixture.invalidated.includes(userId));
  });

  test('is read from the mirror within 2.5 s while the provider is unavailable', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const token = await fixture.oidc.tokenOf(person);
    await fixture.authenticate(token);
    fixture.clock.aheadMs = 6 * 60_000;
    for (const mode of ['down', 'failing', 'slow'] as const) {
      fixture.oidc.mode = mode;
      const began = performance.now();
      expect(await fixture.authenticate(token)).toMatchObject({ workspaceName: 'Kopi' });
      expect(performance.now() - began).toBeLessThan(allowedMs(2_500));
    }
  });

  test('is unknown for a new user if the provider does not respond within two seconds', async () => {
    const token = await fixture.oidc.tokenOf(fixture.aPerson({}, 'Kopi'));
    fixture.oidc.mode = 'slow';
    const began = performance.now();
    expect((await fixture.authenticate(token)).workspaceId).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(allowedMs(4_000));
  });
});
