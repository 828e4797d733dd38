import type { Account, AccountClaims } from 'oidc-provider';
import type { Person } from '../people/person.js';

/** What tokens say of a person. Addresses count as verified: nobody else has an account on this machine. */
export const claimsOf = ({ id, email, name }: Person): AccountClaims => ({
  sub: id,
  email,
  email_verified: true,
  name,
});

export const accountOf = (person: Person): Account => ({ accountId: person.id, claims: () => claimsOf(person) });
