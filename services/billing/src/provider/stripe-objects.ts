import { isId } from '@tautan/kit';
import type Stripe from 'stripe';
import { currencies } from '@tautan/proto';
import type { InvoiceStatus, PaidPlanName } from '@tautan/proto';
import { paidPlanNamed, rank } from '../domain/plans.js';
import type { ProviderCheckout, ProviderInvoice, ProviderSubscription } from '../domain/provider-objects.js';

// Converts Stripe's objects. Stripe represents amounts in hundredths, in IDR as in USD, and times in seconds.

/**
 * Metadata of a subscription. The plan of a subscription is that of its price. A downgrade is the exception: it sets
 * the lower price immediately, but `plan` applies until the end of the paid period. Without a downgrade, only
 * `workspaceId` is set.
 */
export interface SubscriptionMetadata {
  workspaceId: string;
  /** The plan of the period in which the downgrade was requested. */
  plan: PaidPlanName;
  /** The price of that period, which a resumption restores. */
  paidPrice: string;
  /** The plan after that period. */
  nextPlan: PaidPlanName;
  /** Start, not end, of that period, Unix seconds. It identifies the period. */
  nextPlanAfter: string;
}

export const MINOR_UNITS = 100;

/** Returns the id in a reference to an object. Stripe sends the id alone, or expands it to the whole object. */
export const idOf = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id;

/** Returns the workspace in the metadata of an object; undefined if there is none. */
export const workspaceIn = (metadata: Stripe.Metadata | null | undefined): string | undefined => {
  const workspaceId = metadata?.['workspaceId'];
  return workspaceId !== undefined && isId(workspaceId, 'ws') ? workspaceId : undefined;
};

const dateOf = (seconds: number): Date => new Date(seconds * 1_000);

const statuses: Record<string, ProviderSubscription['status']> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'canceled',
};

/**
 * Converts a subscription. `planOfPrice` is the plan that its price belongs to; null for none. Returns null for a
 * subscription that was never paid (incomplete), and for one in an unsupported currency.
 */
export function subscriptionOf(
  found: Stripe.Subscription,
  planOfPrice: PaidPlanName | null,
): ProviderSubscription | null {
  const status = statuses[found.status];
  const currency = currencies.find((name) => name === found.currency.toUpperCase());
  const [item] = found.items.data;
  if (!status || !currency || !item) return null;
  const paid = paidDuringDowngrade(found, planOfPrice);
  return {
    id: found.id,
    status,
    plan: paid ?? planOfPrice,
    nextPlan: paid && planOfPrice,
    currency,
    periodStart: dateOf(item.current_period_start),
    periodEnd: dateOf(item.current_period_end),
    cancelAtPeriodEnd: endsWithPeriod(found),
    createdAt: dateOf(found.created),
  };
}

/**
 * Returns whether a subscription ends at the end of its current period. In flexible billing mode, which is Stripe's
 * default, a cancellation in the customer portal sets only `cancel_at`.
 */
const endsWithPeriod = ({ cancel_at: at, cancel_at_period_end: ends, items }: Stripe.Subscription): boolean =>
  ends || (at !== null && at <= items.data[0]!.current_period_end);

/**
 * Returns the parameter that undoes a cancellation: `cancel_at` or `cancel_at_period_end`. Stripe does not accept both
 * at once.
 */
export const withoutCancellation = ({
  cancel_at: at,
  cancel_at_period_end: ends,
}: Stripe.Subscription): Pick<Stripe.SubscriptionUpdateParams, 'cancel_at' | 'cancel_at_period_end'> =>
  at !== null && !ends ? { cancel_at: '' } : { cancel_at_period_end: false };

/** Returns the plan paid for the current period if a downgrade to `planOfPrice` is pending; null otherwise. */
function paidDuringDowngrade({ metadata, items }: Stripe.Subscription, planOfPrice: PaidPlanName | null) {
  const paid = paidPlanNamed(metadata['plan']);
  const isOfThisPeriod = metadata['nextPlanAfter'] === String(items.data[0]!.current_period_start);
  if (!paid || !planOfPrice || metadata['nextPlan'] !== planOfPrice || !isOfThisPeriod) return null;
  return rank(paid) > rank(planOfPrice) ? paid : null;
}

/**
 * Returns the metadata of a downgrade. `from` is the plan of the current period. `isPending` says whether a downgrade
 * is already pending.
 */
export const downgradeMetadata = (
  { metadata, items }: Stripe.Subscription,
  { from, to, isPending }: { from: PaidPlanName; to: PaidPlanName; isPending: boolean },
): Omit<SubscriptionMetadata, 'workspaceId'> => {
  const { current_period_start: start, price } = items.data[0]!;
  const paidPrice = (isPending && metadata['paidPrice']) || price.id;
  return { plan: from, paidPrice, nextPlan: to, nextPlanAfter: String(start) };
};

/** Metadata that undoes a downgrade. Stripe deletes keys that are set to the empty string. */
export const withoutDowngrade = { plan: '', paidPrice: '', nextPlan: '', nextPlanAfter: '' };

/** Converts an invoice; null for a draft. */
export function invoiceOf(found: Stripe.Invoice): ProviderInvoice | null {
  const status = invoiceStatus(found);
  if (!status) return null;
  return {
    providerId: found.id,
    date: dateOf(found.created),
    description: found.description ?? found.lines.data[0]?.description ?? '',
    amount: found.total / MINOR_UNITS,
    currency: found.currency.toUpperCase(),
    status,
    url: found.hosted_invoice_url ?? null,
  };
}

/** Returns the status of a checkout session whose `invoice` is expanded. */
export function checkoutStatus({
  status,
  payment_status: payment,
  invoice,
}: Stripe.Checkout.Session): ProviderCheckout['status'] {
  if (status === 'expired') return 'expired';
  if (status !== 'complete') return 'open';
  if (payment !== 'unpaid') return 'paid';
  return typeof invoice === 'object' && invoice && invoiceStatus(invoice) === 'failed' ? 'failed' : 'processing';
}

function invoiceStatus({ status, attempted }: Stripe.Invoice): InvoiceStatus | undefined {
  if (status === 'paid') return 'paid';
  if (status === 'open') return attempted ? 'failed' : 'pending';
  return status === 'uncollectible' || status === 'void' ? 'failed' : undefined;
}
