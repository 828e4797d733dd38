import type { Currency, PaidPlanName } from '@tautan/proto';
import type {
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
  ProviderWebhook,
  WorkspaceCustomer,
} from '../domain/provider-objects.js';

export interface CheckoutRequest {
  workspaceId: string;
  customerId: string;
  plan: PaidPlanName;
  currency: Currency;
  /** Idempotency key: calls with the same key and customer return the same session. */
  key: string | undefined;
  /** URLs to which the provider's page redirects after a payment or a cancellation. */
  successUrl: string;
  cancelUrl: string;
}

export interface Checkout {
  /** The provider's checkout page. */
  url: string;
  sessionId: string;
  expiresAt: Date;
}

export interface PortalRequest {
  customerId: string;
  returnUrl: string;
  /** Idempotency key: calls with the same key and customer return the same session. */
  key: string | undefined;
}

export interface Portal {
  /** The provider's portal page. */
  url: string;
  expiresAt: Date;
}

/**
 * A payment provider. Every method except `readWebhook` calls the provider, with a timeout, and rejects with
 * UPSTREAM_UNAVAILABLE if the provider fails.
 */
export interface PaymentProvider {
  /**
   * Creates the customer of a workspace and returns its id. `replaced` is the missing customer that it replaces, if
   * any. Concurrent calls with the same arguments return the same id.
   */
  createCustomer(workspaceId: string, replaced?: string): Promise<string>;
  /** Creates a checkout session. Returns null if the provider does not have the customer (any more). */
  createCheckout(request: CheckoutRequest): Promise<Checkout | null>;
  /** Returns a checkout session; null if there is none. */
  checkout(sessionId: string): Promise<ProviderCheckout | null>;
  /**
   * Creates a portal session, in which the customer can change the card and manage the subscription. Returns null if
   * the provider does not have the customer (any more).
   */
  createPortal(request: PortalRequest): Promise<Portal | null>;
  /**
   * Returns a customer's subscriptions that were paid at least once, including ended ones; none if the customer was
   * deleted, or belongs to the provider's test mode while the secret key belongs to live mode. Rejects with
   * UPSTREAM_UNAVAILABLE if the provider does not know the customer, which is also the case if the configured secret
   * key is that of another account.
   */
  subscriptions(customerId: string): Promise<ProviderSubscription[]>;
  /** Returns the customers of the newest subscriptions at the provider, across all workspaces. */
  customersOfNewestSubscriptions(): Promise<WorkspaceCustomer[]>;
  /** Cancels a subscription at the end of its period. An ended one stays unchanged. */
  cancelAtPeriodEnd(subscriptionId: string): Promise<void>;
  /**
   * Changes a subscription to the lower plan `to` at the end of its period. Until then, the current plan applies. If
   * the price of the subscription belongs to no plan, `from` (the last known plan) is used as the current plan. An
   * ended subscription stays unchanged.
   */
  downgrade(subscriptionId: string, plans: { from: PaidPlanName; to: PaidPlanName }): Promise<void>;
  /** Undoes a pending cancellation or downgrade. An ended subscription stays unchanged. */
  resume(subscriptionId: string): Promise<void>;
  /** Ends a subscription immediately; the remainder of its period is credited to the customer. */
  end(subscriptionId: string): Promise<void>;
  /** Returns an invoice; null if it is a draft or does not exist. */
  invoice(invoiceId: string): Promise<ProviderInvoice | null>;
  /**
   * Returns the newest invoices of a customer, without drafts. Then checks the customer's newest payments, and appends
   * the invoices of the fully refunded ones with the status `refunded`. An invoice may be in both parts. Returns null if
   * the provider does not know the customer.
   */
  recentInvoices(customerId: string): Promise<ProviderInvoice[] | null>;
  /** Returns the invoices of a payment if it was fully refunded; otherwise none. */
  refundedInvoices(chargeId: string): Promise<ProviderInvoice[]>;
  /**
   * Verifies and parses a signed webhook. Resolves with null for a type that is not handled. Rejects with
   * VALIDATION_ERROR naming `stripe-signature` if the signature is missing, invalid or older than five minutes, and
   * with VALIDATION_ERROR without a field if the body is not an event.
   */
  readWebhook(payload: Buffer, signature: string): Promise<ProviderWebhook | null>;
}
