/** The user that a token identifies. Absent claims are null. */
export interface Claims {
  issuer: string;
  subject: string;
  email: string | null;
  /** The standard claim `email`, to which `email_verified` refers. `email` above may come from another claim. */
  standardEmail: string | null;
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

/** The tokens issued by a grant. */
export interface Tokens {
  accessToken: string;
  /**
   * Null if the provider issued none. After a sign-in, the session then ends with the access token; after a refresh,
   * the previous refresh token stays valid.
   */
  refreshToken: string | null;
  /** Expiry of the access token. */
  expiresAt: Date;
  /** The user of the ID token (OpenID Connect Core, 3.1.3.7); null if the provider issued none. */
  claims: Claims | null;
}

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** A workspace at the provider. */
export interface ProviderWorkspace {
  id: string;
  name: string;
  /** The role of the requesting user. */
  role: Role;
}

/** A member at the provider. */
export interface ProviderMember {
  id: string;
  subject: string | null;
  email: string;
  name: string;
  role: Role;
  status: 'active' | 'invited';
  joinedAt: Date | null;
}

/** A pending sign-in in a browser. */
export interface LoginAttempt {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  codeVerifier: string;
  redirectUri: string;
}

/** The workspaces and members that the provider manages. */
export interface Directory {
  listWorkspaces(token: string): Promise<ProviderWorkspace[]>;
  createWorkspace(token: string, name: string): Promise<ProviderWorkspace>;
  renameWorkspace(token: string, id: string, name: string): Promise<void>;
  listMembers(token: string, workspaceId: string): Promise<ProviderMember[]>;
  invite(token: string, workspaceId: string, invitation: { email: string; role: Role }): Promise<ProviderMember>;
  changeRole(token: string, workspaceId: string, memberId: string, role: Role): Promise<void>;
  removeMember(token: string, workspaceId: string, memberId: string): Promise<void>;
}

/**
 * The identity provider. Every method except `problem` rejects with UPSTREAM_UNAVAILABLE if the provider does not
 * respond within the timeout, responds with 5xx, or is not called because of recent failures. `finishLogin`,
 * `passwordLogin`, `refresh`, `signUp` and `forgotPassword` reject with TOO_MANY_REQUESTS if the provider limits
 * requests.
 */
export interface IdentityProvider {
  /** Returns why the provider is not usable, or undefined once its discovery document was read. Never rejects. */
  problem(): Promise<string | undefined>;
  /**
   * Verifies an access token. Rejects with TOKEN_EXPIRED after the token's expiry, and with UNAUTHENTICATED if the
   * token is invalid for any other reason.
   */
  verify(token: string): Promise<VerifiedToken>;
  /** Reads the profile of a verified token's user, for tokens that do not contain it. Unknown fields are empty. */
  profile(token: string, subject: string): Promise<Profile>;
  /**
   * Returns a new attempt and the URL for the browser. Rejects with NOT_FOUND if the provider does not support browser
   * sign-in.
   */
  beginLogin(redirectUri: string): Promise<{ attempt: LoginAttempt; authorizationUrl: string }>;
  /**
   * Exchanges the code in `callbackUrl` for tokens. Rejects with UNAUTHENTICATED if the provider rejected the sign-in
   * or its response does not belong to this attempt.
   */
  finishLogin(attempt: LoginAttempt, callbackUrl: string): Promise<Tokens>;
  /**
   * Rejects with UNAUTHENTICATED and the same message for an unknown email and a wrong password, and with NOT_FOUND if
   * the provider does not support password sign-in.
   */
  passwordLogin(email: string, password: string): Promise<Tokens>;
  /**
   * Rejects with VALIDATION_ERROR naming `email` or `password` if the provider refuses it, and with NOT_FOUND if the
   * provider does not support sign-up.
   */
  signUp(account: { email: string; password: string; name: string }): Promise<void>;
  /** Makes the provider send an email to set a new password. Rejects with NOT_FOUND if that is not supported. */
  forgotPassword(email: string): Promise<void>;
  /**
   * Rejects with UNAUTHENTICATED if the refresh token is no longer valid. The timeout is 8 s, longer than that of other
   * calls, because a provider that rotates refresh tokens invalidates the old one even if its response is lost.
   */
  refresh(refreshToken: string): Promise<Tokens>;
  /** Revokes a refresh token and its family (RFC 7009), if the provider supports that. */
  revoke(refreshToken: string): Promise<void>;
  /** Returns the settings that a terminal needs for the device flow (RFC 8628). */
  configuration(): Promise<{
    issuer: string;
    deviceAuthorizationEndpoint: string;
    tokenEndpoint: string;
    deviceClientId: string;
    scope: string;
    audience: string;
  }>;
  /** Undefined if workspaces and members are managed locally. */
  directory: Directory | undefined;
}
