import type { Currency, PaidPlanName } from '@tautan/proto';

// What the payment provider has, in the terms of this service.

export interface ProvidedSubscription {
  /** The provider's id. */
  id: string;
  status: 'active' | 'past_due' | 'canceled';
  /** The plan of the current period, by its price; null if the price belongs to no plan. */
  plan: PaidPlanName | null;
  /** The plan from the next period on, if it is a lower one; null otherwise. */
  nextPlan: PaidPlanName | null;
  currency: Currency;
  periodStart: Date;
  periodEnd: Date;
  cancelAtPeriodEnd: boolean;
  createdAt: Date;
}

/** A checkout session. */
export interface ProvidedCheckout {
  /** `processing`: completed, and the payment is under way. */
  status: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  /** The subscription that was bought; null while there is none that was paid. */
  subscription: ProvidedSubscription | null;
}

export interface ProvidedInvoice {
  /** The provider's id. */
  providerId: string;
  date: Date;
  description: string;
  /** In whole units of the currency, cents as a fraction. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
  status: InvoiceStatus;
  /** A page to see, and pay, it at; null without one. */
  url: string | null;
}

/** In the order in which they follow each other: an invoice never goes back. */
export const invoiceStatuses = ['pending', 'failed', 'paid', 'refunded'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** A notice of the provider: what happened, and to which customer. The state that it carries is never used. */
export interface Notice {
  /** Unique; a repetition has the same one. */
  id: string;
  type: string;
  /** The customer that it concerns; undefined if it concerns none. */
  customerId: string | undefined;
  /** The invoice that it is about. */
  invoiceId?: string;
  /** The payment that it is about. */
  chargeId?: string;
}
