import { createHash, randomBytes } from 'node:crypto';

// 96 bits, short enough for one terminal line.
const TOKEN_BYTES = 12;

/** Tokens that sign a user in without a password, until the provider stops. */
export class SignInLinks {
  readonly #personIds = new Map<string, string>();

  /** Returns a new token for the user. */
  add(personId: string): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#personIds.set(hashOf(token), personId);
    return token;
  }

  /** Returns the id of the token's user, or undefined if the token is unknown. */
  personIdOf(token: string): string | undefined {
    return this.#personIds.get(hashOf(token));
  }
}

// Looked up by hash, so that timing reveals nothing about the token.
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
