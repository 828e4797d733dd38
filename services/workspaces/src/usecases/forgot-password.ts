import { emailAddress } from '../domain/member.js';
import { providerToSignInAt, type SignInDeps } from './session-deps.js';

/**
 * Has the provider send a mail to set a new password. Tells nothing of whether it knows the address. Throws VALIDATION_ERROR
 * naming `email`, NOT_FOUND where the provider has no such thing.
 */
export async function forgotPassword(
  deps: Pick<SignInDeps, 'provider' | 'sealing'>,
  { email }: { email: string },
): Promise<void> {
  await providerToSignInAt(deps).provider.forgotPassword(emailAddress(email));
}
