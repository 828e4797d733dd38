import { createHash, randomBytes } from 'node:crypto';
import { newUlid } from '@tautan/kit';
import { Refusal } from '@tautan/local-web';
import type { State } from '@tautan/append-log';
import { revocationOf } from '../oidc/revocation.js';
import { creationChanges } from '../workspaces/workspaces.js';
import { Attempts } from './attempts.js';
import { defaultCost, isPassword, storedPassword, type PasswordCost } from './passwords.js';
import { emailOf, nameOf, newPasswordOf, type Person } from './person.js';

const RESET_MS = 60 * 60_000;

/** Record stored under the hash of a reset token. */
interface Reset {
  /** Absent if no account has the email address. */
  personId?: string;
}

/** The user accounts. */
export class People {
  readonly #byEmail = new Map<string, string>();
  readonly #attempts: Attempts;

  constructor(
    private readonly state: State,
    private readonly now: () => number = Date.now,
    private readonly cost: PasswordCost = defaultCost,
  ) {
    this.#attempts = new Attempts(now);
    for (const [id, { email }] of state.all<Person>('person')) this.#byEmail.set(email, id);
  }

  withId(id: string): Person | undefined {
    return this.state.get<Person>('person', id);
  }

  /** Returns the user with this email address, or undefined. */
  withEmail(email: string): Person | undefined {
    const id = this.#byEmail.get(email);
    return id === undefined ? undefined : this.withId(id);
  }

  /**
   * Creates an account and a workspace that the user owns. Throws invalid_email, invalid_name, weak_password, or
   * email_taken (409). If `isEmailVerified` is false, the account is stored as unverified.
   */
  async signUp(
    input: { email: unknown; password: unknown; name: unknown },
    isEmailVerified: boolean,
    cost = this.cost,
  ): Promise<Person> {
    const [name, email, password] = [nameOf(input.name), emailOf(input.email), newPasswordOf(input.password)];
    this.#refuseTaken(email);
    const stored = await storedPassword(password, cost);
    // A concurrent sign-up may have taken the address.
    this.#refuseTaken(email);
    const at = new Date(this.now()).toISOString();
    const id = `person_${newUlid()}`;
    const person: Person = {
      id,
      email,
      name,
      password: stored,
      ...(!isEmailVerified && { unverified: true }),
      createdAt: at,
    };
    this.#byEmail.set(email, person.id);
    const workspace = `${name.split(/\s/)[0]!.slice(0, 80)}'s workspace`;
    await this.state.write(['person', person.id, person], ...creationChanges(person, workspace, at));
    return person;
  }

  /**
   * Returns the user with the given email address and password. Throws too_many_attempts (429), or invalid_credentials
   * (401) for both a wrong password and an unknown address.
   */
  async signIn(input: { email: unknown; password: unknown }): Promise<Person> {
    const email = typeof input.email === 'string' ? input.email.trim().toLowerCase().slice(0, 320) : '';
    const password = typeof input.password === 'string' ? input.password.slice(0, 4_096) : '';
    const wait = this.#attempts.take(email);
    if (wait > 0) {
      const message = `Too many attempts. Try again in ${minutes(wait)}, or set a new password.`;
      throw new Refusal(429, 'too_many_attempts', message, 'password', wait);
    }
    const person = this.withEmail(email);
    if (!(await isPassword(password, person?.password, this.cost)) || !person)
      throw new Refusal(401, 'invalid_credentials', 'Incorrect email or password.', 'password');
    this.#attempts.forget(email);
    return person;
  }

  /**
   * Creates a password reset token, valid for one hour. A token is also created for an unknown email address, so that
   * both cases take the same time, but it has no effect. The response must not reveal `isKnown`.
   */
  async requestReset(email: string): Promise<{ token: string; isKnown: boolean }> {
    const person = this.withEmail(email);
    const token = randomBytes(32).toString('base64url');
    const reset: Reset = person ? { personId: person.id } : {};
    await this.state.write(['reset', hashOf(token), reset, this.now() + RESET_MS]);
    return { token, isKnown: person !== undefined };
  }

  /** Returns the user of a reset token, or undefined if it is unknown, used or expired. */
  personOfReset(token: string): Person | undefined {
    const reset = this.state.get<Reset>('reset', hashOf(token));
    return reset?.personId === undefined ? undefined : this.withId(reset.personId);
  }

  /**
   * Sets a new password, invalidates the user's reset tokens, and ends all of their sessions. The email address then
   * counts as verified, because only its owner is meant to receive reset links. Throws weak_password or invalid_token.
   */
  async resetPassword(token: string, newPassword: unknown): Promise<Person> {
    const stored = await storedPassword(newPasswordOf(newPassword), this.cost);
    const person = this.personOfReset(token);
    if (!person) throw new Refusal(400, 'invalid_token', 'This link has been used or has expired. Request a new one.');
    const theirs = [...this.state.all<Reset>('reset')].filter(([, { personId }]) => personId === person.id);
    const { unverified: _unverified, ...verified } = person;
    const changed: Person = { ...verified, password: stored };
    const resetDeletions = theirs.map(([key]) => ['reset', key] as const);
    await this.state.write(['person', person.id, changed], ...resetDeletions, ...revocationOf(this.state, person.id));
    this.#attempts.forget(person.email);
    return changed;
  }

  #refuseTaken(email: string): void {
    // `withEmail` also checks that the user exists: a sign-up whose write failed may have left its address in #byEmail.
    if (this.withEmail(email))
      throw new Refusal(409, 'email_taken', 'An account with this email address already exists.', 'email');
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

const minutes = (seconds: number): string => {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? 'a minute' : `${count} minutes`;
};
