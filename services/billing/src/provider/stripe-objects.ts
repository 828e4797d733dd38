import type Stripe from 'stripe';
import { currencies, paidPlanNamed, type PaidPlan } from '../domain/plans.js';
import {
  planOf,
  type InvoiceStatus,
  type Notice,
  type ProvidedInvoice,
  type ProvidedSubscription,
} from '../domain/provided.js';

// Stripe's objects in the terms of this service. Stripe counts in hundredths of IDR and of USD, and in seconds.

/** What a subscription at the provider says of itself in its metadata. */
export interface SubscriptionMetadata {
  workspaceId: string;
  plan: PaidPlan;
  nextPlan?: PaidPlan;
  /** The beginning of the period that it was asked for in, seconds since 1970: those after it are on the next plan. */
  nextPlanAfter?: string;
}

export const MINOR_UNITS = 100;

const dateOf = (seconds: number): Date => new Date(seconds * 1_000);

const statuses: Record<string, ProvidedSubscription['status']> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'past_due',
  canceled: 'canceled',
};

/** A subscription; null for one that was never paid (incomplete), and one that is not to a plan of this service. */
export function subscriptionOf(found: Stripe.Subscription): ProvidedSubscription | null {
  const status = statuses[found.status];
  const plan = paidPlanNamed(found.metadata['plan']);
  const currency = currencies.find((name) => name === found.currency.toUpperCase());
  const [item] = found.items.data;
  if (!status || !plan || !currency || !item) return null;
  return {
    id: found.id,
    status,
    plan,
    next: nextOf(found.metadata),
    currency,
    periodStart: dateOf(item.current_period_start),
    periodEnd: dateOf(item.current_period_end),
    cancelAtPeriodEnd: found.cancel_at_period_end,
    createdAt: dateOf(found.created),
  };
}

function nextOf({ nextPlan, nextPlanAfter }: Stripe.Metadata): ProvidedSubscription['next'] {
  const plan = paidPlanNamed(nextPlan);
  const after = Number(nextPlanAfter);
  return plan && after > 0 ? { plan, after: dateOf(after) } : null;
}

/** The metadata that lets a subscription go on, at the end of its period, on another plan than that of now. */
export const continuing = (
  now: ProvidedSubscription,
  nextPlan: PaidPlan,
): Omit<SubscriptionMetadata, 'workspaceId'> => ({
  plan: planOf(now),
  nextPlan,
  nextPlanAfter: String(now.periodStart.getTime() / 1_000),
});

/** An invoice; null while it is a draft. */
export function invoiceOf(found: Stripe.Invoice): ProvidedInvoice | null {
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

function invoiceStatus({ status, attempted }: Stripe.Invoice): InvoiceStatus | undefined {
  if (status === 'paid') return 'paid';
  if (status === 'open') return attempted ? 'failed' : 'pending';
  return status === 'uncollectible' || status === 'void' ? 'failed' : undefined;
}

/** Notices that something here depends on, and what each is about besides its customer. */
const kinds: Record<string, (object: { id: string }) => Partial<Notice>> = {
  'checkout.session.completed': () => ({}),
  'checkout.session.async_payment_succeeded': () => ({}),
  'customer.subscription.created': () => ({}),
  'customer.subscription.updated': () => ({}),
  'customer.subscription.deleted': () => ({}),
  'customer.subscription.paused': () => ({}),
  'customer.subscription.resumed': () => ({}),
  'invoice.finalized': ({ id }) => ({ invoiceId: id }),
  'invoice.paid': ({ id }) => ({ invoiceId: id }),
  'invoice.payment_failed': ({ id }) => ({ invoiceId: id }),
  'invoice.voided': ({ id }) => ({ invoiceId: id }),
  'invoice.marked_uncollectible': ({ id }) => ({ invoiceId: id }),
  'charge.refunded': ({ id }) => ({ chargeId: id }),
};

/** The types of notices that an endpoint at the provider must be subscribed to. */
export const noticeTypes = Object.keys(kinds);

/** A notice; null for one of a kind that nothing here depends on. */
export function noticeOf({ id, type, data }: Stripe.Event): Notice | null {
  const about = kinds[type];
  if (!about) return null;
  const object = data.object as { id: string; customer?: string | { id: string } | null };
  const customer = object.customer ?? undefined;
  return { id, type, customerId: typeof customer === 'object' ? customer.id : customer, ...about(object) };
}
