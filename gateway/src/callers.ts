import { planNamed, type PersonMessage, type PlanName } from '@tautan/proto';
import type { Role } from './access.js';
import type { CredentialsOptions } from './credentials.js';
import type { Peers } from './peers.js';

/** For whom a credential speaks, and where. */
export interface Caller {
  kind: 'user' | 'api_key';
  /** Id of the person or key. */
  id: string;
  /** The person's name, or the key's label. */
  name: string;
  /** Of a person. */
  email: string;
  credential: 'session' | 'token' | 'api_key';
  /** Until when the credential is good at most, ISO 8601; null for a key. */
  expiresAt: string | null;
  /** Empty for a person who belongs to no workspace; so is its name, which a key's caller does not have either. */
  workspaceId: string;
  workspaceName: string;
  /** Null without a workspace. */
  role: Role | null;
  plan: PlanName;
}

/** Longest time to find out who a person is, milliseconds: the identity provider may have to be asked more than once. */
const PERSON_MS = 10_000;

/** Asks the workspaces service for whom credentials speak. */
export const verifyBy =
  ({ apiKeys, identity }: Peers, timeoutMs: number): CredentialsOptions['verify'] =>
  async ({ kind, secret, workspaceId }, requestId) => {
    if (kind === 'person') {
      const options = { requestId, timeoutMs: Math.max(timeoutMs, PERSON_MS) };
      return personCaller(await identity.call('AuthenticatePerson', { credential: secret, workspaceId }, options));
    }
    const { id, label, ...key } = await apiKeys.call('VerifyApiKey', { key: secret }, { requestId, timeoutMs });
    return {
      kind: 'api_key',
      id,
      name: label,
      email: '',
      credential: 'api_key',
      expiresAt: null,
      workspaceId: key.workspaceId,
      workspaceName: '',
      // A key acts as an admin on everything that is not for people only.
      role: 'admin',
      plan: planNamed(key.plan) ?? 'FREE',
    };
  };

/** A person as the workspaces service tells of one. */
export const personCaller = (person: PersonMessage): Caller => ({
  kind: 'user',
  id: person.userId,
  name: person.name || person.email,
  email: person.email,
  credential: person.credential === 'session' ? 'session' : 'token',
  expiresAt: person.expiresAt,
  workspaceId: person.workspaceId ?? '',
  workspaceName: person.workspaceName,
  role: person.workspaceId === undefined ? null : (person.role as Role),
  plan: planNamed(person.plan) ?? 'FREE',
});
