import { signInProvider, type SignInDeps } from '../../session-deps.js';

/** Returns what a client needs to sign in by itself (RFC 8628). Throws NOT_FOUND if no provider is configured. */
export const getConfiguration = async (deps: Pick<SignInDeps, 'provider' | 'sealing'>) =>
  signInProvider(deps).provider.configuration();
