import { fail, isFault } from '@tautan/kit';
import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { claimsOf, dateOf, type ClaimNames } from './claims.js';
import type { VerifiedToken } from './identity-provider.js';

/** Maximum clock skew, seconds. */
export const SKEW_SECONDS = 30;
/** Only asymmetric signatures. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

/** Accepted values of `typ`: those of access tokens (RFC 9068, 2.1) and plain JWTs, but not of logout tokens. */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/** Also matches a JWT without a signature, which `verifyJwt` rejects. */
const jwtForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Returns whether a token has the format of a signed JWT; all others are opaque. */
export const hasJwtForm = (token: string): boolean => jwtForm.test(token);

export interface JwtExpectations {
  keyFor: JWTVerifyGetKey;
  issuer: string;
  audience: string;
  claims: ClaimNames;
  now: Date;
}

/**
 * Verifies an access token locally (RFC 7519, RFC 9068). Checks its algorithm, signature, `typ`, `iss`, `aud`, `exp`
 * and `nbf`, and that `sub` is present. Unlike in RFC 9068, `typ` may be absent or that of a plain JWT, because few
 * providers set `at+jwt`. Rejects with TOKEN_EXPIRED after the token's expiry, with UPSTREAM_UNAVAILABLE if the signing
 * keys cannot be loaded, and with UNAUTHENTICATED if the token is invalid for any other reason.
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
    if (!TYPES.includes(String(protectedHeader.typ ?? 'jwt').toLowerCase())) throw new Error('unexpected token type');
    return { ...claimsOf(expected.issuer, payload, expected.claims), expiresAt: dateOf(payload.exp!) };
  } catch (error) {
    if (isFault(error)) throw error;
    if (error instanceof errors.JWTExpired) throw fail('TOKEN_EXPIRED', 'The access token has expired. Refresh it.');
    throw fail('UNAUTHENTICATED', 'The access token is not valid.');
  }
}
