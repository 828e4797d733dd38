/** Billing records of the API, with the fields that the CLI uses. */
export interface Plan {
  name: string;
  price: { amount: number; currency: string };
  interval: string;
  /** By the name of the limit; null: unlimited. */
  limits: Record<string, number | null>;
  qrLogoEnabled: boolean;
  /** Requests per second. */
  rateLimits: { read: number; write: number };
}

export interface Subscription {
  plan: string;
  status: 'none' | 'active' | 'past_due' | 'canceled';
  currentPeriodEnd: string | null;
  cancelAtPeriodEnd: boolean;
  /** The plan after the current period; null where it stays. */
  pendingPlan: string | null;
}

/** Usage of one limit; a limit of null means unlimited. */
export interface LimitUsage {
  used: number;
  limit: number | null;
}

/** Usage by the name of the limit, beside the plan and the month (UTC, `YYYY-MM`). */
export interface Usage {
  period: string;
  plan: string;
  [limit: string]: string | LimitUsage;
}

export interface Checkout {
  checkoutUrl: string;
  expiresAt: string;
}

export interface Portal {
  portalUrl: string;
  expiresAt: string;
}

export interface Invoice {
  id: string;
  date: string;
  description: string;
  /** In whole units of the currency, with decimals where it has them; negative for a credit. */
  amount: number;
  currency: string;
  status: 'paid' | 'failed' | 'refunded' | 'pending';
  invoiceUrl: string | null;
}
