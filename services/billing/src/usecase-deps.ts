import { notConfigured, type KeyedMutex } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { Plans } from '@tautan/proto';
import type { ReturnUrls } from './domain/return-urls.js';
import type { PaymentProvider } from './provider/payment-provider.js';
import type { Store } from './store/index.js';
import type { CustomerWebhook } from './store/webhooks.js';

/** Dependencies of the use cases; each uses a subset. */
export interface Deps {
  store: Store;
  transact: Transact;
  /** Undefined if no payment provider is configured. */
  provider: PaymentProvider | undefined;
  plans: Plans;
  /** Builds the URLs that the provider's pages return to. */
  returnUrls: ReturnUrls;
  /** Stores a webhook and queues it for handling. */
  storeWebhook: (webhook: CustomerWebhook) => Promise<void>;
  now: () => Date;
  /** Serializes the requested changes to each subscription. Keyed by workspace id. */
  mutex: KeyedMutex;
}

/** Dependencies for syncing with the provider. */
export interface SyncDeps extends Pick<Deps, 'store' | 'transact' | 'now'> {
  provider: PaymentProvider;
}

/** Returns the dependencies with a provider. Throws SERVICE_UNAVAILABLE if none is configured. */
export function withProvider<D extends Pick<Deps, 'provider'>>(deps: D): D & { provider: PaymentProvider } {
  const { provider } = deps;
  if (provider) return { ...deps, provider };
  throw notConfigured('Billing is not configured.');
}
