import { providerToSignInAt, type SignInDeps } from './session-deps.js';

/** What a client needs to sign in by itself (RFC 8628). Throws NOT_FOUND where no provider is configured. */
export const getConfiguration = async (deps: Pick<SignInDeps, 'provider' | 'sealing'>) =>
  providerToSignInAt(deps).provider.configuration();
