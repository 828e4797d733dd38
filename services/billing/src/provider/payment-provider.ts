import type { Currency, PaidPlan } from '../domain/plans.js';
import type { Notice, ProvidedInvoice, ProvidedSubscription } from '../domain/provided.js';

export interface CheckoutOrder {
  workspaceId: string;
  customerId: string;
  plan: PaidPlan;
  currency: Currency;
  /** Repetitions under one key are one session. */
  key: string | undefined;
}

export interface Checkout {
  /** Page of the provider where it is paid. */
  url: string;
  sessionId: string;
  expiresAt: Date;
}

/**
 * Where money is taken. Every method but `readNotice` asks the provider, within bounded time, and rejects with
 * UPSTREAM_UNAVAILABLE when it does not answer as it should.
 */
export interface PaymentProvider {
  /** Makes a customer for a workspace, and answers its id. Two at about the same time are one. */
  createCustomer(workspaceId: string): Promise<string>;
  createCheckout(order: CheckoutOrder): Promise<Checkout>;
  /** What a customer subscribes to, or did, of this service's plans: those that were paid at least once. */
  subscriptions(customerId: string): Promise<ProvidedSubscription[]>;
  /** Lets a subscription end with its period. One that has ended already stays as it is. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<void>;
  /** Lets a subscription go on after its period, on a lower plan. One that has ended already stays as it is. */
  continueOn(subscriptionId: string, plan: PaidPlan): Promise<void>;
  /** Ends a subscription at once; what is left of its period is credited to the customer. */
  end(subscriptionId: string): Promise<void>;
  /** An invoice; null while it is a draft, and for one that there is not. */
  invoice(invoiceId: string): Promise<ProvidedInvoice | null>;
  /** The invoices that a payment was for, where all of it was given back; else none. */
  refundedInvoices(chargeId: string): Promise<ProvidedInvoice[]>;
  /**
   * Verifies a signed notice and reads it; null for one of a kind that nothing here depends on. Throws VALIDATION_ERROR for
   * a signature that is wrong, or older than five minutes.
   */
  readNotice(payload: Buffer, signature: string): Notice | null;
}
