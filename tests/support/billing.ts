import type { LimitName } from '@tautan/proto';

/** The usage of a workspace, as returned by the API. */
export type ApiUsage = { period: string; plan: string } & Record<LimitName, { used: number; limit: number | null }>;

/** A plan as returned by the API. */
export interface ApiPlan {
  name: string;
  price: { amount: number; currency: string };
  interval: string;
  limits: Record<string, number | null>;
  qrLogoEnabled: boolean;
  rateLimits: { read: number; write: number };
}

/** A subscription as returned by the API. */
export interface ApiSubscription {
  id: string;
  plan: string;
  status: 'none' | 'active' | 'past_due' | 'canceled';
  currency: string;
  currentPeriodStart: string | null;
  currentPeriodEnd: string | null;
  cancelAtPeriodEnd: boolean;
  pendingPlan: string | null;
}

export interface ApiCheckout {
  checkoutUrl: string;
  sessionId: string;
  expiresAt: string;
}

export interface ApiPortal {
  portalUrl: string;
  expiresAt: string;
}

/** An entry of the billing history as returned by the API. */
export interface ApiInvoice {
  id: string;
  date: string;
  description: string;
  amount: number;
  currency: string;
  status: 'paid' | 'failed' | 'refunded' | 'pending';
  invoiceUrl: string | null;
}
