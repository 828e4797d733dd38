import { isPrintable } from '@tautan/kit';
import { z } from 'zod';
import { Refusal } from '@tautan/local-web';
import type { StoredPassword } from './passwords.js';

export interface Person {
  /** Subject of tokens (person_…). */
  id: string;
  /** Lower case. */
  email: string;
  name: string;
  password: StoredPassword;
  /** Set if the email address is not verified. */
  unverified?: true;
  /** ISO 8601 UTC */
  createdAt: string;
}

const MIN_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 1_000;
const emailSchema = z.email().max(254);

/** Validates and normalizes an email address. Throws invalid_email. */
export function emailOf(text: unknown): string {
  const email = emailSchema.safeParse(typeof text === 'string' ? text.trim().toLowerCase() : text);
  if (!email.success)
    throw new Refusal(400, 'invalid_email', 'Enter a full email address, such as ada@example.com.', 'email');
  return email.data;
}

/** Validates a user's name: one line of 1 to 100 characters. Throws invalid_name. */
export function nameOf(text: unknown): string {
  const name = typeof text === 'string' ? text.trim() : '';
  if (!name) throw new Refusal(400, 'invalid_name', 'Enter your name.', 'name');
  if ([...name].length > 100 || !isPrintable(name))
    throw new Refusal(400, 'invalid_name', 'The name must be one line of at most 100 characters.', 'name');
  return name;
}

/** Validates a new password: 10 to 1,000 characters. Throws weak_password. */
export function newPasswordOf(text: unknown): string {
  const password = typeof text === 'string' ? text : '';
  if ([...password].length < MIN_PASSWORD_LENGTH)
    throw new Refusal(400, 'weak_password', `Use at least ${MIN_PASSWORD_LENGTH} characters.`, 'password');
  if (password.length > MAX_PASSWORD_LENGTH)
    throw new Refusal(400, 'weak_password', `Use at most ${MAX_PASSWORD_LENGTH} characters.`, 'password');
  return password;
}
