import { emailAddress } from '../../members/domain/member.js';
import { signInProvider, type SignInDeps } from '../../session-deps.js';

/**
 * Makes the provider send an email to set a new password. Does not reveal whether the address is known. Throws
 * VALIDATION_ERROR naming `email` if it is not an email address, and NOT_FOUND if no provider is configured or the
 * provider cannot send such emails.
 */
export async function forgotPassword(
  deps: Pick<SignInDeps, 'provider' | 'sealing'>,
  { email }: { email: string },
): Promise<void> {
  await signInProvider(deps).provider.forgotPassword(emailAddress(email));
}
