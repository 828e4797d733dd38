import type { Handlers } from '@tautan/kit/rpc';
import type { BillingDefinition } from '@tautan/proto';
import { NOW } from './people.js';

export const SUBSCRIPTION_ID = 'sub_01jd3x8q4v5w6y7z8a9b0c1d2e';

const aPlan = (name: string) => ({
  name,
  price: { amount: 149_000, currency: 'IDR' },
  interval: 'month',
  limits: { links: 1, qrCodes: 2, domains: 3, members: 4, webhookEndpoints: 5, clicks: 6, analyticsRetentionDays: 7 },
  qrLogoEnabled: true,
  rateLimits: { read: 8, write: 9 },
});

/** A subscription as returned by the billing service. */
export const aSubscription = (overrides: object = {}) => ({
  id: SUBSCRIPTION_ID,
  plan: 'PRO',
  status: 'active',
  currency: 'IDR',
  currentPeriodStart: NOW,
  currentPeriodEnd: NOW,
  cancelAtPeriodEnd: false,
  ...overrides,
});

export const anInvoice = (overrides: object = {}) => ({
  id: 'inv_01jd3x8q4v5w6y7z8a9b0c1d2e',
  date: NOW,
  description: '1 × Tautan PRO',
  amount: 9.5,
  currency: 'USD',
  status: 'paid',
  ...overrides,
});

export const billing = (): Handlers<BillingDefinition> => ({
  ListPlans: async () => ({ plans: ['FREE', 'PRO', 'BUSINESS'].map(aPlan) }),
  GetPlan: async () => aPlan('PRO'),
  GetSubscription: async () => aSubscription(),
  CreateCheckout: async () => ({ checkoutUrl: 'https://pay.example/cs_1', sessionId: 'cs_1', expiresAt: NOW }),
  GetCheckout: async () => ({ status: 'unknown', applied: false }),
  CreatePortal: async () => ({ portalUrl: 'https://pay.example/portal', expiresAt: NOW }),
  ResumeSubscription: async () => aSubscription(),
  CancelSubscription: async () => aSubscription({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' }),
  DowngradeSubscription: async (_call, { plan }) => aSubscription({ plan: 'BUSINESS', pendingPlan: plan }),
  ListInvoices: async () => ({ invoices: [anInvoice(), anInvoice({ invoiceUrl: 'https://pay.example/in_1' })] }),
  ReceiveProviderWebhook: async () => ({}),
});
