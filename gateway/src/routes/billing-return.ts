import { faultCode } from '@tautan/kit';
import { z } from 'zod';
import { checkoutPage, portalReturnPage, unavailablePage, unknownCheckoutPage } from '../pages/billing-return.js';
import { nonEmptyText } from './fields.js';
import { route } from './route.js';

/** Format of Stripe's checkout session ids. */
const sessionId = /^cs_[A-Za-z0-9_]{1,200}$/;
const unavailable = new Set(['UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT']);

/**
 * The page that the payment provider redirects browsers to. The query is not trusted: the result is requested from the
 * provider.
 */
export const returnPage = route({
  id: 'showBillingReturn',
  method: 'GET',
  path: '/app/billing/return',
  section: 'Billing',
  summary: 'Show the result of a checkout',
  description:
    'The page that checkouts and the customer portal return to unless a `returnUrl` was given. It shows the status of the checkout session at the payment provider: paid, processing, canceled, expired or failed. It shows no data of the workspace except the plan. While the result is pending, the page refreshes itself for up to five minutes.',
  timeoutMs: 10_000,
  request: {
    ignoreUnknownQuery: true,
    query: z.object({
      session: nonEmptyText(255)
        .optional()
        .meta({ description: 'Id of the checkout session.', examples: ['cs_123'] }),
      from: z
        .enum(['portal'])
        .optional()
        .meta({ description: 'Page that the browser returns from.', examples: ['portal'] }),
      refreshes: z
        .number()
        .int()
        .min(1)
        .max(1_000)
        .optional()
        .meta({ description: 'Number of times that the page has refreshed itself.', examples: [1] }),
    }),
  },
  success: {
    status: 200,
    description: 'The page. The status is 503 while the payment provider is unavailable.',
    other: [{ type: 'text/html', description: 'The page.' }],
  },
  errors: ['VALIDATION_ERROR'],
  handle: async ({ query: { session = '', from, refreshes = 0 } }, { clients, rpc }) => {
    if (from === 'portal') return { html: portalReturnPage() };
    if (!sessionId.test(session)) return { html: unknownCheckoutPage() };
    const visit = { session, refreshes };
    try {
      return { html: checkoutPage(await clients.billing.call('GetCheckout', { sessionId: session }, rpc()), visit) };
    } catch (error) {
      if (unavailable.has(faultCode(error) ?? '')) return { html: unavailablePage(visit) };
      throw error;
    }
  },
});
