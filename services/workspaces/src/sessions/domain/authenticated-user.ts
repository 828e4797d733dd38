import type { Role } from '../../members/domain/member.js';
import type { User } from './user.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';

/** An authenticated user, in their current workspace. */
export interface AuthenticatedUser {
  user: User;
  credentialKind: 'session' | 'token';
  /** Expiry of the credential. */
  expiresAt: Date;
  /** Null for a user without any workspace. */
  current: { workspace: Workspace; role: Role } | null;
}

/** The client of a request that starts or ends a session. */
export interface SignInClient {
  ip: string | null;
  userAgent: string | null;
}
