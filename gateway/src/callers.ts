import { parsePlanName, type UserMessage, type PlanName } from '@tautan/proto';
import type { Role } from './access.js';
import type { CredentialsOptions } from './credentials.js';
import type { ServiceClients } from './service-clients.js';

/** What a credential resolves to: a user or an API key, and a workspace. */
export interface Caller {
  kind: 'user' | 'api_key';
  /** User id or API key id. */
  id: string;
  /** The user's name or the API key's label. */
  name: string;
  /** Email address of a user; empty for an API key. */
  email: string;
  credentialKind: 'session' | 'token' | 'api_key';
  /** Expiry of the credential, ISO 8601; null for an API key. */
  expiresAt: string | null;
  /** Empty for a user without a workspace. */
  workspaceId: string;
  /** Empty for an API key and for a user without a workspace. */
  workspaceName: string;
  /** Null without a workspace. */
  role: Role | null;
  plan: PlanName;
}

/** Minimum timeout in ms for authenticating a user, which can take several requests to the identity provider. */
const AUTHENTICATION_MS = 10_000;

/** Returns a function that verifies credentials with the workspaces service. */
export const createVerifier =
  ({ apiKeys, identity }: ServiceClients, timeoutMs: number): CredentialsOptions['verify'] =>
  async ({ kind, secret, workspaceId }, requestId) => {
    if (kind === 'user') {
      const options = { requestId, timeoutMs: Math.max(timeoutMs, AUTHENTICATION_MS) };
      return userCaller(await identity.call('AuthenticateUser', { credential: secret, workspaceId }, options));
    }
    const { id, label, ...key } = await apiKeys.call('VerifyApiKey', { key: secret }, { requestId, timeoutMs });
    return {
      kind: 'api_key',
      id,
      name: label,
      email: '',
      credentialKind: 'api_key',
      expiresAt: null,
      workspaceId: key.workspaceId,
      workspaceName: '',
      // An API key acts as an admin, but cannot call the operations that are reserved for users.
      role: 'admin',
      plan: parsePlanName(key.plan) ?? 'FREE',
    };
  };

/** Converts a user, as returned by the workspaces service, to a caller. */
export const userCaller = (user: UserMessage): Caller => ({
  kind: 'user',
  id: user.userId,
  name: user.name || user.email,
  email: user.email,
  credentialKind: user.credentialKind === 'session' ? 'session' : 'token',
  expiresAt: user.expiresAt,
  workspaceId: user.workspaceId ?? '',
  workspaceName: user.workspaceName,
  role: user.workspaceId === undefined ? null : (user.role as Role),
  plan: parsePlanName(user.plan) ?? 'FREE',
});
