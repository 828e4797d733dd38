import type { Account, AccountClaims } from 'oidc-provider';
import type { Person } from '../people/person.js';

/** Returns the claims of a user. */
export const claimsOf = ({ id, email, name, unverified }: Person): AccountClaims => ({
  sub: id,
  email,
  email_verified: unverified !== true,
  name,
});

export const accountOf = (person: Person): Account => ({ accountId: person.id, claims: () => claimsOf(person) });
