import { fail, type Sealing } from '@tautan/kit';
import type { Background } from '../background.js';
import type { Session } from '../domain/session.js';
import type { IdentityProvider } from '../provider/identity-provider.js';
import type { LoginStore } from '../store/logins.js';
import type { Credentials, PeopleDeps } from './deps.js';
import type { SessionStore } from '../store/sessions.js';

/** What using a session needs. */
export interface SessionDeps extends Pick<PeopleDeps, 'users' | 'members' | 'workspaces' | 'transact'> {
  sessions: SessionStore;
  provider: IdentityProvider | undefined;
  /** Keeps the provider's tokens; there wherever `provider` is. */
  sealing: Sealing | undefined;
  /** Refreshes that this process waits for or does, by session. */
  refreshing: Map<string, Promise<Session>>;
  background: Background;
  dropCredentials: (what: Partial<Credentials>) => void;
  now: () => Date;
}

/** What signing people in needs. */
export type SignInDeps = PeopleDeps & SessionDeps & { logins: LoginStore };

interface Identity {
  provider: IdentityProvider;
  sealing: Sealing;
}

/** The provider to sign in at. Throws NOT_FOUND where none is configured. */
export function providerToSignInAt({ provider, sealing }: Partial<Identity>): Identity {
  if (provider && sealing) return { provider, sealing };
  throw fail('NOT_FOUND', 'Nobody can sign in here: no identity provider is configured. API keys work.');
}

/** The provider that a credential comes from. Throws UNAUTHENTICATED where none is configured. */
export function providerOfPeople({ provider, sealing }: Partial<Identity>): Identity {
  if (provider && sealing) return { provider, sealing };
  throw fail('UNAUTHENTICATED', 'People are not known here: no identity provider is configured. API keys work.');
}
