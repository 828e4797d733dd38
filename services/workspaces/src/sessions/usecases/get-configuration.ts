import { signInProvider, type SignInDeps } from '../../session-deps.js';

/**
 * Returns the settings for clients that use the device flow (RFC 8628). Throws NOT_FOUND if no provider is configured.
 */
export const getConfiguration = async (deps: Pick<SignInDeps, 'provider' | 'sealing'>) =>
  signInProvider(deps).provider.configuration();
