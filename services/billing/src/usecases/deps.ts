import { fail } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { Plans } from '@tautan/proto';
import type { ReturnUrls } from '../domain/return-urls.js';
import type { PaymentProvider } from '../provider/payment-provider.js';
import type { Store } from '../store/index.js';
import type { CustomerNotice } from '../store/notices.js';

/** What the use cases of this service need, each some of it. */
export interface Deps {
  store: Store;
  transact: Transact;
  /** Undefined if no payment provider is configured. */
  provider: PaymentProvider | undefined;
  plans: Plans;
  /** Where the provider's pages lead back to. */
  returnUrls: ReturnUrls;
  /** Stores a notice, and has it acted on. */
  keepNotice: (notice: CustomerNotice) => Promise<void>;
  now: () => Date;
}

/** What following the provider needs. */
export interface FollowDeps extends Pick<Deps, 'store' | 'transact' | 'now'> {
  provider: PaymentProvider;
}

/** Returns the dependencies with a provider. Throws SERVICE_UNAVAILABLE if none is configured. */
export function withProvider<D extends Pick<Deps, 'provider'>>(deps: D): D & { provider: PaymentProvider } {
  const { provider } = deps;
  if (provider) return { ...deps, provider };
  throw fail('SERVICE_UNAVAILABLE', 'Billing is not configured.');
}
