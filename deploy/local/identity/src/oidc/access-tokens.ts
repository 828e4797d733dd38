import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import type { Person } from '../people/person.js';
import { Refusal } from '@tautan/local-web';

/** Returns the user of a request's access token. Throws unauthenticated or token_expired (401). */
export type Authenticate = (authorization: string | undefined) => Promise<Person>;

interface Deps {
  issuer: string;
  audience: string;
  /** Private or public JWK. */
  key: Record<string, string>;
  personWithId: (id: string) => Person | undefined;
}

/** Returns a function that verifies the provider's access tokens (RFC 9068). */
export function authenticator({ issuer, audience, key, personWithId }: Deps): Authenticate {
  const { d: _private, ...publicKey } = key;
  const keys = createLocalJWKSet({ keys: [publicKey] });
  const checks = { issuer, audience, typ: 'at+jwt', algorithms: ['ES256'], requiredClaims: ['sub', 'exp'] };
  return async (authorization) => {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1];
    if (!token)
      throw new Refusal(401, 'unauthenticated', 'An access token is required: Authorization: Bearer <token>.');
    const { sub } = await jwtVerify(token, keys, checks).then(
      ({ payload }) => payload,
      (error: unknown) => {
        if (error instanceof errors.JWTExpired)
          throw new Refusal(401, 'token_expired', 'The access token has expired.');
        throw new Refusal(401, 'unauthenticated', 'The access token is not valid.');
      },
    );
    const person = personWithId(sub!);
    if (!person) throw new Refusal(401, 'unauthenticated', 'The user of the access token does not exist.');
    return person;
  };
}
