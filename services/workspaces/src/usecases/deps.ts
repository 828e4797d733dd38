import type { KeyedMutex } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { PlanName, Plans } from '@tautan/proto';
import type { Background } from '../background.js';
import type { IdentityProvider } from '../provider/identity-provider.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { InvitationReservationStore } from '../store/invitation-reservations.js';
import type { MemberUsage } from '../store/member-usage.js';
import type { MemberStore } from '../store/members.js';
import type { SessionStore } from '../store/sessions.js';
import type { UserStore } from '../store/users.js';
import type { WorkspaceStore } from '../store/workspaces.js';

/** What gateways remember about keys and people, and have to ask for anew. */
export interface Credentials {
  apiKeyIds: string[];
  userIds: string[];
}

/** What keeping the mirror of workspaces and members needs. */
export interface MirrorDeps {
  workspaces: WorkspaceStore;
  members: MemberStore;
  apiKeys: ApiKeyStore;
  users: UserStore;
  sessions: SessionStore;
  /** Counts members. */
  usage: MemberUsage;
  invitations: InvitationReservationStore;
  /** The plan of workspaces without one of their own. */
  defaultPlan: PlanName;
  transact: Transact;
  /** Makes every gateway verify these anew. */
  dropCredentials: (what: Partial<Credentials>) => void;
  now: () => Date;
}

/** What acting at the identity provider in a person's name needs. */
export interface PeopleDeps extends MirrorDeps {
  plans: Plans;
  /** Maximum number of workspaces that a user owns. */
  maxWorkspacesPerUser: number;
  /** Orders the creations of one workspace, or of one user, inside this process. */
  mutex: KeyedMutex;
  /** Undefined in an installation without people. */
  provider: IdentityProvider | undefined;
  /** The access token behind what a person showed: that itself, or a session's, refreshed where needed. */
  accessTokenOf: (credential: string) => Promise<string>;
  background: Background;
}
