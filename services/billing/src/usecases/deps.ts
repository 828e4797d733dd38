import { fail, type Principal } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { Plans } from '../domain/plans.js';
import type { PaymentProvider } from '../provider/payment-provider.js';
import type { Store } from '../store/index.js';

/** What the use cases of this service need, each some of it. */
export interface Deps {
  store: Store;
  transact: Transact;
  /** Undefined in an installation that takes no money. */
  provider: PaymentProvider | undefined;
  plans: Plans;
  /** The plan that the workspaces service knows of the principal's workspace. */
  workspacePlan: (by: Principal) => Promise<string>;
  now: () => Date;
}

/** What keeping in step with the provider needs. */
export interface FollowDeps extends Pick<Deps, 'store' | 'transact' | 'now'> {
  provider: PaymentProvider;
}

/** The same with a provider. Throws SERVICE_UNAVAILABLE where none is configured. */
export function withProvider<D extends Pick<Deps, 'provider'>>(deps: D): D & { provider: PaymentProvider } {
  const { provider } = deps;
  if (provider) return { ...deps, provider };
  throw fail('SERVICE_UNAVAILABLE', 'Payments are not set up here.');
}
