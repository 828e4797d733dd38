import type { Currency, InvoiceStatus, PaidPlanName, SubscriptionStatus } from '@tautan/proto';

// The payment provider's objects, in the terms of this service.

export interface ProviderSubscription {
  /** The subscription's id at the provider. */
  id: string;
  status: Exclude<SubscriptionStatus, 'none'>;
  /**
   * The plan of the current period: the plan of the subscription's price or, if a downgrade has already lowered the
   * price, the higher plan that was paid for this period. Null if the price belongs to no plan.
   */
  plan: PaidPlanName | null;
  /** The plan of the next period if it is lower; null otherwise. */
  nextPlan: PaidPlanName | null;
  currency: Currency;
  periodStart: Date;
  periodEnd: Date;
  cancelAtPeriodEnd: boolean;
  createdAt: Date;
}

/** A checkout session. */
export interface ProviderCheckout {
  /** `processing`: completed, but the payment is pending. */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  /** The purchased subscription; null if it was never paid. */
  subscription: ProviderSubscription | null;
}

export interface ProviderInvoice {
  /** The invoice's id at the provider. */
  providerId: string;
  date: Date;
  description: string;
  /** In the major unit of the currency: 4.5 is $4.50. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
  status: InvoiceStatus;
  /** The page on which the invoice can be viewed and paid; null if there is none. */
  url: string | null;
}

/** A customer, and the workspace that it was created for. */
export interface WorkspaceCustomer {
  customerId: string;
  workspaceId: string;
}

/** Statuses in order of precedence: a status is never replaced by an earlier one in this list. */
export const invoiceStatusPrecedence = [
  'pending',
  'failed',
  'paid',
  'refunded',
] as const satisfies readonly InvoiceStatus[];

/**
 * The type of a provider webhook, and the ids of the objects that it refers to. The state of the object in its payload
 * is never used, because it may be stale.
 */
export interface ProviderWebhook {
  /** Unique; a webhook that is sent again has the same id. */
  id: string;
  type: string;
  /** The customer; undefined if there is none. */
  customerId: string | undefined;
  /** The workspace, if any, in the metadata of the payload's object. It never changes. */
  workspaceId?: string;
  /** The invoice, if any. */
  invoiceId?: string;
  /** The payment, if any. */
  chargeId?: string;
}
