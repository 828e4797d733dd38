import { tidied } from './text.js';

/** A person, as known here: one for each subject of an issuer. */
export interface User {
  /** usr_… */
  _id: string;
  issuer: string;
  subject: string;
  /** Lower case; empty when the provider does not tell it. */
  email: string;
  /** Whether the provider vouches for the email. */
  emailVerified: boolean;
  name: string;
  /** The workspace that the person switched to last. */
  lastWorkspaceId: string | null;
  /** Creations of workspaces: under way, and those that a repetition has to find. */
  creating?: WorkspaceCreation[];
  /** When the person's memberships were last brought up to date with the provider. */
  syncedAt: Date | null;
  createdAt: Date;
}

export interface WorkspaceCreation {
  /** The operation id, or one of its own. */
  id: string;
  /** Counts as an owned workspace until then, unless it has ended. */
  until: Date;
  /** What was created; absent while it is not known. */
  workspaceId?: string;
}

/** Age from which a person's memberships are brought up to date again, in the background. */
export const SYNC_AFTER_MS = 5 * 60_000;
/** Age from which that happens at once, when a workspace is missing. */
export const SYNC_MISSING_AFTER_MS = 10_000;

/** What a provider says of a person; null where it does not say. */
export interface SaidOfPerson {
  email: string | null;
  emailVerified: boolean | null;
  name: string | null;
}

type Known = Pick<User, 'email' | 'emailVerified' | 'name'>;

/**
 * Email and name of a person after the provider said something new: what it does not say stays. A person without a name
 * goes by what stands before the `@`.
 */
export function described(known: Known, said: SaidOfPerson): Known {
  const email = said.email === null ? known.email : tidied(said.email, 254).toLowerCase();
  // What was vouched for is the address of before.
  const emailVerified = said.emailVerified ?? (email === known.email && known.emailVerified);
  const name = tidied(said.name ?? '', 200) || known.name || email.split('@')[0]!;
  return { email, emailVerified, name };
}
