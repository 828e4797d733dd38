import { fail, type Principal } from '@tautan/kit';
import { assertMayManage, isLive } from '../domain/subscription.js';
import type { Portal } from '../provider/payment-provider.js';
import { withProvider, type Deps } from '../usecase-deps.js';

/**
 * Creates a session of the provider's customer portal for the principal's workspace. Throws FORBIDDEN unless the
 * principal may manage billing; SERVICE_UNAVAILABLE without a provider; VALIDATION_ERROR naming `returnUrl`;
 * UPSTREAM_UNAVAILABLE if the provider fails; SUBSCRIPTION_STATE before the first checkout. If the provider lacks the
 * customer, throws SUBSCRIPTION_STATE, or UPSTREAM_UNAVAILABLE if there is a live subscription.
 */
export async function createPortal(
  deps: Pick<Deps, 'store' | 'provider' | 'returnUrls'>,
  by: Principal,
  input: { returnUrl?: string | undefined; operationId?: string | undefined },
): Promise<Portal> {
  assertMayManage(by);
  const { store, provider, returnUrls } = withProvider(deps);
  const returnUrl = returnUrls.portal(input.returnUrl);
  const subscription = await store.subscriptions.ofWorkspace(by.workspaceId);
  if (!subscription)
    throw fail('SUBSCRIPTION_STATE', 'The workspace has not bought a plan yet. Create a checkout first.');
  const { customerId } = subscription;
  const portal = await provider.createPortal({ customerId, returnUrl, key: input.operationId });
  if (portal) return portal;
  throw isLive(subscription)
    ? fail('UPSTREAM_UNAVAILABLE', 'The payment provider does not know the customer of the subscription.')
    : fail('SUBSCRIPTION_STATE', 'The payment provider no longer has the customer. Create a checkout first.');
}
