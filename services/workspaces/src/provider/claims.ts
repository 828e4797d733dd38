import { fail } from '@tautan/kit';
import type { Claims } from './identity-provider.js';

/** Names of the claims for a user's email address and name. */
export interface ClaimNames {
  email: string;
  name: string;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Returns the user identified by the claims of a token, an introspection response or the userinfo endpoint. Throws
 * UNAUTHENTICATED if `sub` is not a non-empty string (RFC 7519, 4.1.2).
 */
export function claimsOf(issuer: string, claims: Record<string, unknown>, names: ClaimNames): Claims {
  const subject = textOf(claims['sub']);
  if (subject === null) throw fail('UNAUTHENTICATED', 'The access token is not valid.');
  const [email, standardEmail] = [textOf(claims[names.email]), textOf(claims['email'])];
  // `email_verified` refers to the standard claim (OpenID Connect Core 1.0, 5.1).
  const isOther = email !== null && standardEmail !== null && email.toLowerCase() !== standardEmail.toLowerCase();
  const verified = isOther ? null : claims['email_verified'];
  return {
    issuer,
    subject,
    email,
    standardEmail,
    emailVerified: typeof verified === 'boolean' ? verified : verified === 'true' ? true : null,
    name: textOf(claims[names.name]),
  };
}

/**
 * Converts a numeric date (RFC 7519, 2). A date before 1970 becomes the start of 1970. A date beyond the range of Date
 * becomes the last date that a Date can represent.
 */
export const dateOf = (seconds: number): Date => new Date(Math.min(Math.max(seconds, 0), 8.64e12) * 1000);
