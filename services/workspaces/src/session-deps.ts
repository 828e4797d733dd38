import { fail, type Sealing } from '@tautan/kit';
import type { Background } from './background.js';
import type { Session } from './sessions/domain/session.js';
import type { IdentityProvider } from './provider/identity-provider.js';
import type { LoginStore } from './sessions/store/logins.js';
import type { Credentials, ProviderDeps } from './usecase-deps.js';
import type { SessionStore } from './sessions/store/sessions.js';

/** Dependencies for using a session. */
export interface SessionDeps extends Pick<ProviderDeps, 'users' | 'members' | 'workspaces' | 'transact'> {
  sessions: SessionStore;
  provider: IdentityProvider | undefined;
  /** Encrypts the provider's tokens; defined if `provider` is. */
  sealing: Sealing | undefined;
  /** Token refreshes that this process runs or waits for, by session id. */
  refreshing: Map<string, Promise<Session>>;
  background: Background;
  recheckCredentials: (credentials: Partial<Credentials>) => void;
  now: () => Date;
}

/** Dependencies for signing users in. */
export type SignInDeps = ProviderDeps & SessionDeps & { logins: LoginStore };

/** The configured provider, and the encryption of its tokens. */
interface ConfiguredProvider {
  provider: IdentityProvider;
  sealing: Sealing;
}

/** Returns the provider for a sign-in. Throws NOT_FOUND if none is configured. */
export function signInProvider({ provider, sealing }: Partial<ConfiguredProvider>): ConfiguredProvider {
  if (provider && sealing) return { provider, sealing };
  throw fail('NOT_FOUND', 'User sign-in is not configured. Use an API key.');
}

/** Returns the provider that verifies a credential. Throws UNAUTHENTICATED if none is configured. */
export function credentialProvider({ provider, sealing }: Partial<ConfiguredProvider>): ConfiguredProvider {
  if (provider && sealing) return { provider, sealing };
  throw fail('UNAUTHENTICATED', 'User sign-in is not configured. Use an API key.');
}
