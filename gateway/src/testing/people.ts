import { randomBytes } from 'node:crypto';
import { fail } from '@tautan/kit';
import type { Handlers } from '@tautan/kit/rpc';
import type {
  IdentityDefinition,
  MembersDefinition,
  SessionsDefinition,
  UserMessage,
  WorkspacesDefinition,
} from '@tautan/proto';
import type { Role } from '../access.js';

export const WORKSPACE_ID = 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e';
/** A second workspace, whose only member is the user `owner`, with the role viewer. */
export const OTHER_WORKSPACE_ID = 'ws_01jd3x8q4v5w6y7z8a9b0c1d2f';
export const NOW = '2030-01-01T00:00:00.000Z';
const END = '2099-01-01T00:00:00.000Z';

export const people = ['owner', 'admin', 'member', 'viewer', 'withoutWorkspace'] as const;
export type PersonName = (typeof people)[number];

/** The credentials of a test user: an access token and the secret of a session. */
export interface Credentials {
  token: string;
  session: string;
}

export const aSession = (): string => `tau_session_${randomBytes(32).toString('base64url')}`;

export const createPeople = (): Record<PersonName, Credentials> =>
  Object.fromEntries(
    people.map((name) => [name, { token: `${name}.${randomBytes(16).toString('hex')}.x`, session: aSession() }]),
  ) as Record<PersonName, Credentials>;

export const userId = (name: PersonName): string => `usr_01jd3x8q4v5w6y7z8a9b0c1d${people.indexOf(name)}z`;

/**
 * A user as returned by the workspaces service, with `name` as its role; `withoutWorkspace` belongs to no
 * workspace.
 */
export const aPerson = (name: PersonName, overrides: Partial<UserMessage> = {}) => ({
  userId: userId(name),
  email: `${name}@example.com`,
  name: `The ${name}`,
  credentialKind: 'token',
  expiresAt: END,
  ...(name !== 'withoutWorkspace' && {
    workspaceId: WORKSPACE_ID,
    workspaceName: 'Acme',
    role: name,
    plan: 'BUSINESS',
  }),
  ...overrides,
});

const aWorkspace = (overrides: object = {}) => ({
  id: WORKSPACE_ID,
  name: 'Acme',
  plan: 'BUSINESS',
  createdAt: NOW,
  role: 'admin',
  linkCount: 1,
  qrCodeCount: 2,
  memberCount: 3,
  current: true,
  ...overrides,
});

const aMember = (overrides: object = {}) => ({
  id: 'mem_01jd3x8q4v5w6y7z8a9b0c1d2e',
  email: 'mira@example.com',
  name: '',
  role: 'member',
  status: 'invited',
  ...overrides,
});

export const identity = (known: Record<PersonName, Credentials>): Handlers<IdentityDefinition> => ({
  AuthenticateUser: async (_call, { credential, workspaceId }) => {
    const name = people.find((it) => known[it].token === credential || known[it].session === credential);
    if (name === undefined) throw fail('UNAUTHENTICATED', 'The access token is not valid.');
    const presented = { credentialKind: known[name].token === credential ? 'token' : 'session' };
    if (workspaceId === '' || (workspaceId === WORKSPACE_ID && name !== 'withoutWorkspace'))
      return aPerson(name, presented);
    if (workspaceId !== OTHER_WORKSPACE_ID || name !== 'owner')
      throw fail('FORBIDDEN', 'You are not a member of this workspace.');
    return aPerson(name, {
      ...presented,
      workspaceId,
      workspaceName: 'Other',
      role: 'viewer' satisfies Role,
      plan: 'FREE',
    });
  },
  GetConfiguration: async () => ({
    issuer: 'https://identity.example',
    deviceAuthorizationEndpoint: 'https://identity.example/device',
    tokenEndpoint: 'https://identity.example/token',
    deviceClientId: '',
    scope: 'openid',
    audience: 'https://go.example/api/v1',
  }),
});

export const workspaces = (): Handlers<WorkspacesDefinition> => ({
  CreateOwnWorkspace: async (_call, { name }) => aWorkspace({ name, role: 'owner' }),
  ListWorkspaces: async (_call, { credential }) => ({ workspaces: [aWorkspace({ role: credential && 'admin' })] }),
  GetWorkspace: async (call) => aWorkspace({ role: call.principal().kind === 'user' ? call.principal().role : '' }),
  UpdateWorkspace: async (_call, { name }) => aWorkspace({ name }),
  SwitchWorkspace: async (_call, { workspaceId }) => aWorkspace({ id: workspaceId }),
});

export const members = (): Handlers<MembersDefinition> => ({
  ListMembers: async () => ({
    members: [aMember(), aMember({ userId: userId('admin'), status: 'active', joinedAt: NOW })],
  }),
  InviteMember: async (_call, { email, role }) => aMember({ email, role }),
  ChangeMemberRole: async (_call, { id, role }) => aMember({ id, role, userId: userId('member') }),
  RemoveMember: async (_call, { id }) => ({ id }),
});

/** Returns handlers of the sessions service. Every sign-in succeeds and returns the owner's session secret. */
export const sessions = (known: Record<PersonName, Credentials>): Handlers<SessionsDefinition> => {
  const opened = async () => ({
    secret: known.owner.session,
    expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    user: aPerson('owner', { credentialKind: 'session' }),
  });
  return {
    BeginLogin: async (_call, { redirectUri }) => ({
      authorizationUrl: `https://identity.example/auth?redirect_uri=${encodeURIComponent(redirectUri)}`,
      browserSecret: 'browser-secret',
    }),
    FinishLogin: async () => ({ ...(await opened()), returnTo: '/docs' }),
    PasswordLogin: opened,
    SignUp: opened,
    RefreshSession: opened,
    ForgotPassword: async () => ({}),
    EndSession: async () => ({}),
    ListSessions: async () => ({
      sessions: [
        { id: 'ses_01jd3x8q4v5w6y7z8a9b0c1d2e', current: true, createdAt: NOW, lastSeenAt: NOW, expiresAt: END },
      ],
    }),
    RevokeSession: async (_call, { id }) => ({ id }),
    RevokeOtherSessions: async () => ({ count: 1 }),
  };
};
