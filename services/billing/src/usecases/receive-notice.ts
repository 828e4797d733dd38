import { withProvider, type Deps } from './deps.js';

/**
 * Stores a signed notice of the provider, once, to be acted on afterwards: a slow or failing provider never fails this. Notices
 * that concern no customer of this installation are ignored. Throws VALIDATION_ERROR, naming `stripe-signature` if the provider
 * did not send it. Any error makes the provider send the notice again.
 */
export async function receiveNotice(
  deps: Pick<Deps, 'provider' | 'keepNotice'>,
  { payload, signature }: { payload: Buffer; signature: string },
): Promise<void> {
  const notice = withProvider(deps).provider.readNotice(payload, signature);
  if (notice?.customerId === undefined) return;
  await deps.keepNotice({ ...notice, customerId: notice.customerId });
}
