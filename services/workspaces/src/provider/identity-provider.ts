/** Whom a token names. What it does not say is null. */
export interface Claims {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean | null;
  name: string | null;
}

/** A verified access token. */
export interface VerifiedToken extends Claims {
  expiresAt: Date;
}

export interface Profile {
  email: string;
  emailVerified: boolean;
  name: string;
}

/** What a grant gives. */
export interface Tokens {
  accessToken: string;
  /** Null when the provider gives none: the session then ends with the access token. */
  refreshToken: string | null;
  /** The access token's end. */
  expiresAt: Date;
  /** Whom the ID token names (OpenID Connect Core, 3.1.3.7); null without one. */
  person: Claims | null;
}

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** A workspace as the provider has it. */
export interface ProvidedWorkspace {
  id: string;
  name: string;
  /** The asking person's. */
  role: Role;
}

/** A member as the provider has them. */
export interface ProvidedMember {
  id: string;
  subject: string | null;
  email: string;
  name: string;
  role: Role;
  status: 'active' | 'invited';
  joinedAt: Date | null;
}

/** A sign-in by browser that is under way. */
export interface LoginAttempt {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  codeVerifier: string;
  redirectUri: string;
}

/** Where a workspace's people are kept: at the provider, or nowhere but here (then undefined in `IdentityProvider`). */
export interface Directory {
  listWorkspaces(token: string): Promise<ProvidedWorkspace[]>;
  createWorkspace(token: string, name: string): Promise<ProvidedWorkspace>;
  renameWorkspace(token: string, id: string, name: string): Promise<void>;
  listMembers(token: string, workspaceId: string): Promise<ProvidedMember[]>;
  invite(token: string, workspaceId: string, invitation: { email: string; role: Role }): Promise<ProvidedMember>;
  changeRole(token: string, workspaceId: string, memberId: string, role: Role): Promise<void>;
  removeMember(token: string, workspaceId: string, memberId: string): Promise<void>;
}

/**
 * The provider of identities, as Tautan needs it. Every method rejects with UPSTREAM_UNAVAILABLE when the provider does
 * not answer within the time-out, answers 5xx, or is not asked because it failed a moment ago.
 */
export interface IdentityProvider {
  /** Returns why the provider cannot be used, or undefined once it was reached. Never rejects. */
  problem(): Promise<string | undefined>;
  /** Rejects with TOKEN_EXPIRED past the token's life, with UNAUTHENTICATED for every other flaw. */
  verify(token: string): Promise<VerifiedToken>;
  /** The person behind a verified token, where the token itself does not say. What the provider does not tell is empty. */
  profile(token: string, subject: string): Promise<Profile>;
  /** A fresh attempt, and the address to send the browser to. */
  beginLogin(redirectUri: string): Promise<{ attempt: LoginAttempt; authorizationUrl: string }>;
  /** Trades the code in `callbackUrl` for tokens. Rejects with UNAUTHENTICATED when the answer is not this attempt's. */
  finishLogin(attempt: LoginAttempt, callbackUrl: string): Promise<Tokens>;
  /** Rejects with UNAUTHENTICATED for a wrong email or password, in the same words. */
  passwordLogin(email: string, password: string): Promise<Tokens>;
  /** Rejects with VALIDATION_ERROR naming `email` or `password`, NOT_FOUND when the provider has no sign-up. */
  signUp(person: { email: string; password: string; name: string }): Promise<void>;
  forgotPassword(email: string): Promise<void>;
  /**
   * Rejects with UNAUTHENTICATED when the refresh token is of no use any more. Waits for 8 s, longer than for anything else:
   * a provider that rotates has made the token useless once it answers.
   */
  refresh(refreshToken: string): Promise<Tokens>;
  /** Ends a refresh token and its family (RFC 7009). */
  revoke(refreshToken: string): Promise<void>;
  /** What a terminal needs for the device flow (RFC 8628). */
  configuration(): Promise<{
    issuer: string;
    deviceAuthorizationEndpoint: string;
    tokenEndpoint: string;
    deviceClientId: string;
    scope: string;
  }>;
  directory: Directory | undefined;
}
