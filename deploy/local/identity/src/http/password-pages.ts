import type { Page } from '@tautan/local-web';
import { failurePage, passwordSavedPage } from '../pages/messages.js';
import { forgotPasswordPage, resetLinkPage, resetPasswordPage } from '../pages/sign-in.js';
import type { People } from '../people/people.js';
import { emailOf } from '../people/person.js';
import { attempt } from './attempt.js';

/** Receives the password reset link of an email address. */
export type OnReset = (email: string, link: string) => void;

interface Deps {
  issuer: string;
  people: People;
  onReset: OnReset;
}

type Form = Record<string, string> | undefined;

/** Returns the URL of the page that sets a new password. */
export const resetUrl = (issuer: string, token: string): string => `${issuer}/reset-password?token=${token}`;

/** Serves the page that requests a password reset link. */
export async function forgotPassword(
  deps: Deps,
  { form, isLocal }: { form: Form; isLocal: boolean },
  urls: Parameters<typeof forgotPasswordPage>[0],
): Promise<Page> {
  if (!form) return forgotPasswordPage(urls);
  return attempt(
    async () => createLink(deps, emailOf(form['email']), isLocal),
    (problem, status) => forgotPasswordPage(urls, { email: form['email'] }, problem, status),
  );
}

/**
 * Creates a password reset link. No email is sent: the link of a known email address is shown in the terminal, and a
 * browser on this machine is shown the link of any address. The link of an unknown address has no effect.
 */
async function createLink({ people, issuer, onReset }: Deps, email: string, isLocal: boolean): Promise<Page> {
  const { token, isKnown } = await people.requestReset(email);
  const link = resetUrl(issuer, token);
  if (isKnown) onReset(email, link);
  return resetLinkPage(email, isLocal ? link : undefined);
}

/** Serves the page of a password reset link. */
export async function resetPassword(
  { people }: Deps,
  { form, token, signIn }: { form: Form; token: string; signIn: string },
): Promise<Page> {
  const person = people.personOfReset(token);
  if (!person)
    return failurePage(
      400,
      'This link has expired',
      'It has already been used or is older than one hour. Request a new one.',
    );
  const account = { token, email: person.email };
  if (!form) return resetPasswordPage('/reset-password', account);
  return attempt(
    async () => {
      await people.resetPassword(token, form['password']);
      return passwordSavedPage(signIn);
    },
    (problem, status) => resetPasswordPage('/reset-password', account, problem, status),
  );
}
