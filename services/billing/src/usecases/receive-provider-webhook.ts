import { withProvider, type Deps } from '../usecase-deps.js';

/**
 * Stores a signed provider webhook, once, for later handling, so that a slow or failing provider does not affect this
 * call. Ignores webhooks without a customer of this installation. Throws SERVICE_UNAVAILABLE without a provider. Throws
 * VALIDATION_ERROR naming `stripe-signature` if the signature is missing, invalid or too old, and VALIDATION_ERROR
 * without a field if the body is not an event. Any error makes the provider redeliver the webhook.
 */
export async function receiveProviderWebhook(
  deps: Pick<Deps, 'provider' | 'storeWebhook'>,
  { payload, signature }: { payload: Buffer; signature: string },
): Promise<void> {
  const webhook = await withProvider(deps).provider.readWebhook(payload, signature);
  if (webhook?.customerId === undefined) return;
  await deps.storeWebhook({ ...webhook, customerId: webhook.customerId });
}
