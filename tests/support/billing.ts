/** A plan as the API shows it. */
export interface ApiPlan {
  name: string;
  price: { amount: number; currency: string };
  interval: string;
  limits: Record<string, number>;
  qrLogoEnabled: boolean;
  rateLimits: { read: number; write: number };
}

/** A subscription as the API shows it. */
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

/** An entry of the billing history as the API shows it. */
export interface ApiInvoice {
  id: string;
  date: string;
  description: string;
  amount: number;
  currency: string;
  status: 'paid' | 'failed' | 'refunded' | 'pending';
  invoiceUrl: string | null;
}
