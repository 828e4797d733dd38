import type { KeyedMutex } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { PlanName, Plans } from '@tautan/proto';
import type { Background } from './background.js';
import type { IdentityProvider } from './provider/identity-provider.js';
import type { ApiKeyStore } from './api-keys/store/api-keys.js';
import type { InvitationReservationStore } from './members/store/invitation-reservations.js';
import type { MemberUsage } from './store/member-usage.js';
import type { MemberStore } from './members/store/members.js';
import type { SessionStore } from './sessions/store/sessions.js';
import type { UserStore } from './sessions/store/users.js';
import type { WorkspaceStore } from './workspaces/store/workspaces.js';

/** Keys and users whose cached credentials the gateways must invalidate. */
export interface Credentials {
  apiKeyIds: string[];
  userIds: string[];
}

/** Dependencies for changes to workspaces and members, local or mirrored from the identity provider. */
export interface MirrorDeps {
  workspaces: WorkspaceStore;
  members: MemberStore;
  apiKeys: ApiKeyStore;
  users: UserStore;
  sessions: SessionStore;
  /** Member usage counters. */
  usage: MemberUsage;
  invitations: InvitationReservationStore;
  /** The plan of workspaces that have no plan of their own. */
  defaultPlan: PlanName;
  transact: Transact;
  /** Makes every gateway verify these credentials again. */
  recheckCredentials: (what: Partial<Credentials>) => void;
  now: () => Date;
}

/** Dependencies for calls to the identity provider on behalf of a user. */
export interface ProviderDeps extends MirrorDeps {
  plans: Plans;
  /** Maximum number of workspaces that a user may own. */
  maxWorkspacesPerUser: number;
  /** Serializes creations in this process: keys and invitations per workspace, and workspaces per user. */
  mutex: KeyedMutex;
  /** Undefined if no identity provider is configured. */
  provider: IdentityProvider | undefined;
  /**
   * Returns the access token of a credential: the credential itself if it is an access token, or the access token of
   * the session, refreshed if necessary.
   */
  accessTokenOf: (credential: string) => Promise<string>;
  background: Background;
}
