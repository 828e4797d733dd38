import { fail, isFault } from '@tautan/kit';
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { claimsOf, momentOf, type ClaimNames } from './claims.js';
import type { VerifiedToken } from './identity-provider.js';

/** How far clocks may differ, seconds. */
export const SKEW_SECONDS = 30;
/** Only signatures by a key pair: a shared secret, or none, proves nothing. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/** Types of access tokens (RFC 9068, 2.1), and of those that do not say what they are. Logout tokens, for one, have their own. */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/** The signature may be missing: such a token is refused as what it pretends to be. */
const jwtForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Whether a token has the form of a signed JWT; all else is opaque. */
export const hasJwtForm = (token: string): boolean => jwtForm.test(token);

export interface JwtExpectations {
  keyFor: JWTVerifyGetKey;
  issuer: string;
  audience: string;
  claims: ClaimNames;
  now: Date;
}

/**
 * Verifies an access token by itself (RFC 7519; RFC 9068 without its `typ`, which few providers set): algorithm, signature,
 * `iss`, `aud`, `exp`, `nbf`. Rejects with TOKEN_EXPIRED past its life, with UNAUTHENTICATED for every other flaw.
 */
export async function verifyJwt(token: string, expected: JwtExpectations): Promise<VerifiedToken> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, expected.keyFor, {
      algorithms: ALGORITHMS,
      issuer: expected.issuer,
      audience: expected.audience,
      clockTolerance: SKEW_SECONDS,
      currentDate: expected.now,
      requiredClaims: ['exp', 'sub'],
    });
    if (!TYPES.includes(String(protectedHeader.typ ?? 'jwt').toLowerCase())) throw new Error('another kind of token');
    return { ...claimsOf(expected.issuer, payload, expected.claims), expiresAt: momentOf(payload.exp!) };
  } catch (error) {
    if (isFault(error)) throw error;
    if (error instanceof errors.JWTExpired) throw fail('TOKEN_EXPIRED', 'The access token has expired; refresh it.');
    throw fail('UNAUTHENTICATED', 'The access token is not valid.');
  }
}
