import { sanitize } from '../../domain/text.js';

/** A user, one per issuer and subject. */
export interface User {
  /** usr_… */
  _id: string;
  issuer: string;
  subject: string;
  /** Lower case; empty if the provider does not report it. */
  email: string;
  /** Whether the provider has verified the email. */
  emailVerified: boolean;
  name: string;
  /** The workspace that the user switched to last. */
  lastWorkspaceId: string | null;
  /** Workspace creations: pending ones, and completed ones that a retry must find. */
  creating?: WorkspaceCreation[];
  /** When the user's memberships were last synced with the provider. */
  syncedAt: Date | null;
  createdAt: Date;
}

export interface WorkspaceCreation {
  /** The operation id, or a generated id. */
  id: string;
  /** A pending creation counts as an owned workspace until this time. */
  until: Date;
  /** The created workspace; absent until the creation completes. */
  workspaceId?: string;
}

/** Time since the last sync after which a user's memberships are synced in the background. */
export const SYNC_AFTER_MS = 5 * 60_000;
/**
 * Time since the last sync after which a user's memberships are synced while the request waits, if they do not include
 * the requested workspace, or if there are none and the request names no workspace.
 */
export const SYNC_MISSING_AFTER_MS = 10_000;

/** A provider's claims about a user; null if absent. */
export interface ProfileClaims {
  email: string | null;
  emailVerified: boolean | null;
  name: string | null;
}

type Profile = Pick<User, 'email' | 'emailVerified' | 'name'>;

/**
 * Merges new claims into a user's profile. Absent claims keep the known values, but a new email is unverified unless
 * the claims say otherwise. A user without a name is named after the local part of the email.
 */
export function mergeProfile(known: Profile, claims: ProfileClaims): Profile {
  const email = claims.email === null ? known.email : sanitize(claims.email, 254).toLowerCase();
  // Without an email, `true` refers to an unknown address and is ignored. `false` still withdraws the verification.
  const verified = claims.email === null && claims.emailVerified ? null : claims.emailVerified;
  // The known verification does not apply to a new address.
  const emailVerified = verified ?? (email === known.email && known.emailVerified);
  const name = sanitize(claims.name ?? '', 200) || known.name || email.split('@')[0]!;
  return { email, emailVerified, name };
}
