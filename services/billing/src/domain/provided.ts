import type { Currency, PaidPlan } from './plans.js';

// What the payment provider has, in the terms of this service.

export interface ProvidedSubscription {
  /** The provider's id. */
  id: string;
  status: 'active' | 'past_due' | 'canceled';
  plan: PaidPlan;
  /** A lower plan, which is the plan of every period that began after a time; null for none. */
  next: { plan: PaidPlan; after: Date } | null;
  currency: Currency;
  periodStart: Date;
  periodEnd: Date;
  cancelAtPeriodEnd: boolean;
  createdAt: Date;
}

/** Whether its lower plan is the one of the period that runs. */
export const hasMoved = ({ next, periodStart }: ProvidedSubscription): boolean =>
  next !== null && periodStart > next.after;

/** The plan of the period that runs. */
export const planOf = (provided: ProvidedSubscription): PaidPlan =>
  hasMoved(provided) ? provided.next!.plan : provided.plan;

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

/** A notice of the provider: what happened to whom. What it says of the state is not looked at. */
export interface Notice {
  /** Unique; a repetition has the same one. */
  id: string;
  type: string;
  /** The customer whom it concerns; undefined where it concerns none. */
  customerId: string | undefined;
  /** The invoice that it is about. */
  invoiceId?: string;
  /** The payment that it is about. */
  chargeId?: string;
}
