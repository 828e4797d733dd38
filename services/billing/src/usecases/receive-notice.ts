import { isDuplicateKey } from '@tautan/kit/mongo';
import type { Notice, ProvidedInvoice } from '../domain/provided.js';
import { withProvider, type Deps, type FollowDeps } from './deps.js';
import { followProvider } from './follow-provider.js';

/**
 * Takes a notice of the provider: looks there how its customer stands, and acts on that; each notice once. What concerns
 * nobody here is acknowledged. Throws VALIDATION_ERROR naming `stripe-signature` for one that the provider did not send;
 * whatever else it throws makes the provider send it again.
 */
export async function receiveNotice(
  deps: Pick<Deps, 'store' | 'transact' | 'provider' | 'now'>,
  { payload, signature }: { payload: Buffer; signature: string },
): Promise<void> {
  const following = withProvider(deps);
  const notice = following.provider.readNotice(payload, signature);
  if (!notice?.customerId) return;
  const subscription = await deps.store.subscriptions.ofCustomer(notice.customerId);
  if (!subscription || (await deps.store.providerEvents.isKnown(notice.id))) return;
  const invoices = await invoicesOf(following, notice);
  await followProvider(following, subscription, { notice, invoices }).catch((error: unknown) => {
    // The same notice came twice at once, and the other one was faster.
    if (!isDuplicateKey(error)) throw error;
  });
}

async function invoicesOf({ provider }: FollowDeps, { invoiceId, chargeId }: Notice): Promise<ProvidedInvoice[]> {
  if (chargeId !== undefined) return provider.refundedInvoices(chargeId);
  const invoice = invoiceId === undefined ? null : await provider.invoice(invoiceId);
  return invoice ? [invoice] : [];
}
