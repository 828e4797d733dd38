import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startServers, type TestServers } from '@tautan/kit/testing';
import mongoose, { type Connection } from 'mongoose';
import { CLIENT, startOidc, type OidcServer, type TestPerson } from './testing/oidc.js';
import { as, startService, untilReady, type TestService } from './testing/service.js';

describe('without an identity provider', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await untilReady(service);
  });
  afterAll(() => service.stop());

  test.each(['a.b.c', 'opaque', `tau_session_${'x'.repeat(43)}`, ''])(
    'the credential %j is rejected',
    async (credential) => {
      const call = service.identity.call('AuthenticateUser', { credential }, as());
      const message = expect.stringContaining('sign-in is not configured');
      await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message });
    },
  );

  test('users cannot sign in', async () => {
    const { sessions, identity } = service;
    const person = { email: 'a@example.com', password: 'x', name: 'A' };
    const calls = [
      sessions.call('BeginLogin', { returnTo: '/', redirectUri: 'https://go.example.com' }, as()),
      sessions.call('FinishLogin', { callbackUrl: 'https://go.example.com/?state=x', browserSecret: 'x' }, as()),
      sessions.call('PasswordLogin', person, as()),
      sessions.call('SignUp', person, as()),
      sessions.call('ForgotPassword', person, as()),
      sessions.call('RefreshSession', { secret: 'x' }, as()),
      identity.call('GetConfiguration', {}, as()),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await sessions.call('EndSession', { secret: `tau_session_${'x'.repeat(43)}` }, as())).toEqual({});
  });
});

describe('with locally managed workspaces', () => {
  let oidc: OidcServer;
  let servers: TestServers;
  let service: TestService;
  let database: Connection;
  beforeAll(async () => {
    [oidc, servers] = await Promise.all([startOidc(), startServers()]);
    service = await startService({ ...oidc.settings(), IDENTITY_WORKSPACES: 'local' }, { servers });
    database = await mongoose.createConnection(servers.mongodbUri, { dbName: servers.database }).asPromise();
    await untilReady(service);
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
    await servers.stop();
    await oidc.stop();
  });

  const authenticate = (credential: string) => service.identity.call('AuthenticateUser', { credential }, as());
  const principalOf = ({ userId, name, workspaceId = '', role }: Awaited<ReturnType<typeof authenticate>>) =>
    as({
      ...{ id: userId, name, workspaceId, role: (role || 'viewer') as 'owner' },
      ...{ kind: 'user', plan: 'UNLIMITED', ip: null, userAgent: null, requestId: 'req_test' },
    });

  test('an invitation applies only to a user whose email the provider has verified', async () => {
    const owner = await oidc.tokenOf(oidc.addPerson());
    const creator = await authenticate(owner);
    expect(creator.workspaceId).toBeUndefined();
    await service.workspaces.call('CreateOwnWorkspace', { credential: owner, name: 'Kopi' }, principalOf(creator));
    const authenticated = await authenticate(owner);
    expect(authenticated).toMatchObject({ workspaceName: 'Kopi', role: 'owner', plan: 'FREE' });

    const guest = oidc.addPerson();
    expect((await authenticate(await oidc.tokenOf(guest))).workspaceId).toBeUndefined();
    const invitation = { credential: owner, email: guest.email, role: 'member' };
    await service.members.call('InviteMember', invitation, principalOf(authenticated));
    const impostor = await oidc.token({ sub: 'impostor', email: guest.email, email_verified: false });
    expect((await authenticate(impostor)).workspaceId).toBeUndefined();
    const withoutClaim = await oidc.token({ sub: 'without-claim', email: guest.email });
    expect((await authenticate(withoutClaim)).workspaceId).toBeUndefined();
    const joined = await authenticate(await oidc.tokenOf(guest));
    expect(joined).toMatchObject({ workspaceId: authenticated.workspaceId, role: 'member' });
    expect(oidc.calls['api/v1/workspaces']).toBeUndefined();
  });

  test('an email from a custom claim of the access token counts as verified only if the ID token belongs to the same user and has the same verified address', async () => {
    const claim = 'https://go.example.com/email';
    const withCustomClaim = await startService(
      { ...oidc.settings(), IDENTITY_WORKSPACES: 'local', IDENTITY_CLAIM_EMAIL: claim },
      { servers },
    );
    await untilReady(withCustomClaim);
    const owner = await oidc.tokenOf(oidc.addPerson());
    const creator = principalOf(await authenticate(owner));
    await service.workspaces.call('CreateOwnWorkspace', { credential: owner, name: 'Kopi' }, creator);
    const by = principalOf(await authenticate(owner));
    const guest = oidc.addPerson();
    const invitation = { credential: owner, email: guest.email, role: 'member' };
    await service.members.call('InviteMember', invitation, by);
    const withoutStandardClaims = { email: undefined, email_verified: undefined, name: undefined };
    /** Signs a person in with the email `claimed` in the custom claim. Returns the person's role in the workspace. */
    const roleOf = async (
      { email, name, password }: TestPerson,
      claimed: string | undefined,
      standardClaims: object = withoutStandardClaims,
    ) => {
      oidc.accessTokenClaims = { ...standardClaims, [claim]: claimed };
      const { user } = await withCustomClaim.sessions.call('PasswordLogin', { email, password }, as());
      expect(user!.name).toBe(name);
      return user!.role;
    };
    try {
      expect(await roleOf(oidc.addPerson(), guest.email)).toBe('');
      const another = oidc.addPerson();
      expect(await roleOf(another, guest.email, { email: another.email, email_verified: true })).toBe('');
      const { sub, email } = guest;
      expect(await roleOf(another, email, { sub, email, email_verified: true })).toBe('');
      expect(await roleOf(another, undefined)).toBe('');
      const unverified = await oidc.tokenOf(guest, { aud: CLIENT.id, email_verified: false });
      oidc.tokenOverrides = { id_token: unverified };
      expect(await roleOf(guest, guest.email)).toBe('');
      oidc.tokenOverrides = {};
      expect(await roleOf(guest, guest.email.toUpperCase())).toBe('member');
      // Without the access token's claims, the user's address could be outdated.
      Object.assign(oidc, { opaqueTokens: true, introspectionError: 'invalid_client' });
      await expect(roleOf(guest, guest.email)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    } finally {
      const defaults = { opaqueTokens: false, introspectionError: undefined };
      Object.assign(oidc, { accessTokenClaims: {}, tokenOverrides: {}, ...defaults });
      await withCustomClaim.stop();
    }
  });

  test("an invitation to a member's new email address is withdrawn and creates no second membership", async () => {
    const owner = await oidc.tokenOf(oidc.addPerson());
    const creator = principalOf(await authenticate(owner));
    await service.workspaces.call('CreateOwnWorkspace', { credential: owner, name: 'Kopi' }, creator);
    const by = principalOf(await authenticate(owner));
    await service.operators.call('SetPlan', { workspaceId: by.principal!.workspaceId, plan: 'PRO' }, as());
    const invite = (email: string) =>
      service.members.call('InviteMember', { credential: owner, email, role: 'member' }, by);
    const members = async () => (await service.members.call('ListMembers', { credential: owner }, by)).members;
    const guest = oidc.addPerson();
    const { id } = await invite(guest.email);
    await authenticate(await oidc.tokenOf(guest));
    guest.email = `new-${guest.email}`;
    await invite(guest.email);
    expect(await authenticate(await oidc.tokenOf(guest))).toMatchObject({ role: 'member' });
    expect((await members()).map(({ role, status }) => [role, status])).toEqual([
      ['member', 'active'],
      ['owner', 'active'],
    ]);
    expect((await service.usage.call('GetUsage', {}, by)).used['members']).toBe(2);
    await service.members.call('RemoveMember', { credential: owner, id }, by);
    expect((await authenticate(await oidc.tokenOf(guest))).workspaceId).toBeUndefined();
  });

  test('a member has the name and the verified email address of the user, unless another member has the address', async () => {
    const person = oidc.addPerson();
    const owner = await oidc.tokenOf(person);
    const creator = principalOf(await authenticate(owner));
    await service.workspaces.call('CreateOwnWorkspace', { credential: owner, name: 'Kopi' }, creator);
    const by = principalOf(await authenticate(owner));
    const mira = oidc.addPerson();
    const former = mira.email;
    await service.members.call('InviteMember', { credential: owner, email: former, role: 'member' }, by);
    /** Signs Mira in with these claims. Returns the email and name of her membership. */
    const memberAfter = async (claims: Parameters<typeof oidc.tokenOf>[1]) => {
      await authenticate(await oidc.tokenOf(mira, claims));
      const { members } = await service.members.call('ListMembers', { credential: owner }, by);
      const { email, name } = members.find(({ role }) => role === 'member')!;
      return { email, name };
    };
    expect(await memberAfter({})).toEqual({ email: former, name: mira.name });
    Object.assign(mira, { email: `new-${former}`, name: 'Mira B.' });
    expect(await memberAfter({ email_verified: false })).toEqual({ email: former, name: 'Mira B.' });
    expect(await memberAfter({})).toEqual({ email: mira.email, name: 'Mira B.' });
    expect(await memberAfter({ email: person.email })).toEqual({ email: mira.email, name: 'Mira B.' });
    const again = { credential: owner, email: former, role: 'viewer' };
    await service.operators.call('SetPlan', { workspaceId: by.principal!.workspaceId, plan: 'PRO' }, as());
    expect(await service.members.call('InviteMember', again, by)).toMatchObject({ email: former, status: 'invited' });
  });
});
