import type { Currency, PaidPlanName } from '@tautan/proto';
import type { Notice, ProvidedCheckout, ProvidedInvoice, ProvidedSubscription } from '../domain/provided.js';

export interface CheckoutOrder {
  workspaceId: string;
  customerId: string;
  plan: PaidPlanName;
  currency: Currency;
  /** Repetitions under one key are one session. */
  key: string | undefined;
  /** Where the provider's page leads to. */
  successUrl: string;
  cancelUrl: string;
}

export interface Checkout {
  /** Page of the provider where it is paid. */
  url: string;
  sessionId: string;
  expiresAt: Date;
}

export interface PortalOrder {
  customerId: string;
  returnUrl: string;
  /** Repetitions under one key are one session. */
  key: string | undefined;
}

export interface Portal {
  /** The customer's page at the provider. */
  url: string;
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
  /** Returns a checkout session; null if there is none. */
  checkout(sessionId: string): Promise<ProvidedCheckout | null>;
  /** Opens the customer's own page, where the card is changed and the subscription managed. */
  createPortal(order: PortalOrder): Promise<Portal>;
  /** Returns a customer's subscriptions that were paid at least once, ended ones included. */
  subscriptions(customerId: string): Promise<ProvidedSubscription[]>;
  /** Lets a subscription end with its period. One that has ended already stays as it is. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<void>;
  /**
   * Changes a subscription to the lower plan `to` at the end of its period. `from` is its plan as known here, used if its price
   * belongs to no plan. An ended subscription stays as it is.
   */
  downgrade(subscriptionId: string, plans: { from: PaidPlanName; to: PaidPlanName }): Promise<void>;
  /** Undoes a cancellation and a downgrade that are pending. An ended subscription stays as it is. */
  resume(subscriptionId: string): Promise<void>;
  /** Ends a subscription at once; what is left of its period is credited to the customer. */
  end(subscriptionId: string): Promise<void>;
  /** An invoice; null while it is a draft, and for one that there is not. */
  invoice(invoiceId: string): Promise<ProvidedInvoice | null>;
  /** Returns the newest invoices of a customer, drafts left out. */
  recentInvoices(customerId: string): Promise<ProvidedInvoice[]>;
  /** The invoices that a payment was for, where all of it was given back; else none. */
  refundedInvoices(chargeId: string): Promise<ProvidedInvoice[]>;
  /**
   * Verifies a signed notice and reads it. Returns null for a type that is not acted on. Throws VALIDATION_ERROR, naming
   * `stripe-signature` if the signature is wrong or older than five minutes.
   */
  readNotice(payload: Buffer, signature: string): Notice | null;
}
