import type { Role } from './member.js';
import type { User } from './user.js';
import type { Workspace } from './workspace.js';

/** Somebody who showed a good credential, in the workspace that they work in. */
export interface Person {
  user: User;
  credential: 'session' | 'token';
  /** Until when this holds at most: the end of what they showed. */
  expiresAt: Date;
  /** Null for a person who belongs to no workspace. */
  place: { workspace: Workspace; role: Role } | null;
}

/** Where a sign-in came from. */
export interface SignInClient {
  ip: string | null;
  userAgent: string | null;
}
