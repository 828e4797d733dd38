import type { PlanName } from '@tautan/proto';
import type { ProviderCheckout } from '../domain/provider-objects.js';
import { isLive } from '../domain/subscription.js';
import { withProvider, type Deps } from '../usecase-deps.js';

/** The state of a checkout session, for the page that the customer returns to. */
export interface CheckoutState {
  status: ProviderCheckout['status'] | 'unknown';
  /** The plan of the purchased subscription; absent before the checkout is paid, or if the price belongs to no plan. */
  plan?: PlanName;
  /** Whether the workspace's subscription is already the purchased one. */
  applied: boolean;
}

const unknown: CheckoutState = { status: 'unknown', applied: false };

/**
 * Returns the state of a checkout session as the provider reports it. It is `unknown` for a session that this service
 * did not create, and for a paid one whose subscription has ended. Throws SERVICE_UNAVAILABLE without a provider, and
 * UPSTREAM_UNAVAILABLE if the provider fails.
 */
export async function getCheckout(
  deps: Pick<Deps, 'store' | 'provider'>,
  { sessionId }: { sessionId: string },
): Promise<CheckoutState> {
  const { store, provider } = withProvider(deps);
  // The provider is asked only about sessions that this service created.
  const workspaceId = await store.checkouts.workspaceOf(sessionId);
  const found = workspaceId === undefined ? null : await provider.checkout(sessionId);
  if (!found || workspaceId === undefined) return unknown;
  const { status, subscription } = found;
  if (status !== 'paid') return { status, applied: false };
  if (!subscription || !isLive(subscription)) return unknown;
  const stored = await store.subscriptions.ofWorkspace(workspaceId);
  const applied = stored !== null && isLive(stored) && stored.providerId === subscription.id;
  const plan = applied ? stored.plan : subscription.plan;
  return { status, applied, ...(plan && { plan }) };
}
