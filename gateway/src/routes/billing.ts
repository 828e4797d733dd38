import { fail } from '@tautan/kit';
import {
  checkoutExample,
  checkoutRecord,
  invoiceExample,
  invoiceRecord,
  planExample,
  planRecord,
  portalExample,
  portalRecord,
  subscriptionExample,
  subscriptionRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { returnPage } from './billing-return.js';
import { downgrade, newCheckout, newPortal } from './billing-schemas.js';
import { invoiceView, planView, subscriptionView } from './billing-view.js';
import { pageCursor, pageSize } from './fields.js';
import { cursorPage, route, type Route } from './route.js';

const section = 'Billing';
const path = '/api/v1/billing';
/** Timeout in ms of operations that call the payment provider several times, each time with up to two attempts. */
const PAYMENT_PROVIDER_TIMEOUT_MS = 25_000;

const reads: Route[] = [
  route({
    id: 'listPlans',
    method: 'GET',
    path: `${path}/plans`,
    section,
    summary: 'List plans',
    description:
      'Returns the plans that are offered to users, cheapest first, with prices in IDR and without pagination. No credential is required.',
    request: {},
    success: {
      status: 200,
      description: 'The offered plans.',
      data: z.array(planRecord),
      example: [planExample],
      paged: 'whole',
    },
    errors: ['SERVICE_UNAVAILABLE', 'TIMEOUT'],
    handle: async (_request, { clients, rpc }) => {
      const { plans } = await clients.billing.call('ListPlans', {}, rpc());
      return { data: plans.map(planView) };
    },
  }),
  route({
    id: 'getPlan',
    method: 'GET',
    path: `${path}/plan`,
    section,
    summary: 'Get the current plan',
    description:
      'Returns the effective plan of the workspace, with all limits of the plan. It is the plan of the subscription, else the plan that an operator assigned, else the default plan of the installation.',
    request: {},
    success: { status: 200, description: 'The plan.', data: planRecord, example: planExample },
    errors: [],
    handle: async (_request, { clients, rpc }) => ({
      data: planView(await clients.billing.call('GetPlan', {}, rpc())),
    }),
  }),
  route({
    id: 'getSubscription',
    method: 'GET',
    path: `${path}/subscription`,
    section,
    summary: 'Get the current subscription',
    description: 'Returns the subscription of the workspace. Its status is `none` before the first payment.',
    request: {},
    success: {
      status: 200,
      description: 'The subscription.',
      data: subscriptionRecord,
      example: subscriptionExample,
    },
    errors: [],
    handle: async (_request, { clients, rpc }) => ({
      data: subscriptionView(await clients.billing.call('GetSubscription', {}, rpc())),
    }),
  }),
  ...(
    [
      ['listBillingHistory', 'history', 'List the billing history', 'Returns invoices, newest first.'],
      ['listInvoices', 'invoices', 'List invoices', 'The same as `GET /billing/history`.'],
    ] as const
  ).map(([id, name, summary, description]) =>
    route({
      id,
      method: 'GET',
      path: `${path}/${name}`,
      section,
      summary,
      description,
      request: { query: z.object({ cursor: pageCursor, limit: pageSize(200, 50) }) },
      success: {
        status: 200,
        description: 'A page of invoices.',
        data: z.array(invoiceRecord),
        example: [invoiceExample],
        paged: 'cursor',
      },
      errors: [],
      handle: async ({ query }, { clients, rpc }) => {
        const { invoices, nextCursor } = await clients.billing.call('ListInvoices', query, rpc());
        return { data: invoices.map(invoiceView), page: cursorPage(query.limit, nextCursor) };
      },
    }),
  ),
];

const changes: Route[] = [
  route({
    id: 'createCheckout',
    method: 'POST',
    path: `${path}/checkout`,
    section,
    summary: 'Buy a plan',
    description:
      'Creates a checkout session at the payment provider. The workspace gets the plan as soon as the provider reports the payment, usually within seconds. A current subscription is replaced, and its unused part is credited. If the plan is not above the current one, or a payment is overdue, the response is `SUBSCRIPTION_STATE`.',
    timeoutMs: PAYMENT_PROVIDER_TIMEOUT_MS,
    request: { body: newCheckout, bodyExample: { plan: 'PRO', currency: 'IDR' } },
    success: { status: 201, description: 'The checkout session.', data: checkoutRecord, example: checkoutExample },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async ({ body }, { clients, rpc, operation }) => ({
      data: await clients.billing.call('CreateCheckout', { ...body, ...operation }, rpc()),
    }),
  }),
  route({
    id: 'createPortal',
    method: 'POST',
    path: `${path}/portal`,
    section,
    summary: 'Open the customer portal',
    description:
      "Creates a session of the payment provider's customer portal, where a user can change the card, download invoices, and cancel or resume the subscription. `portalUrl` must be opened within five minutes. Before the first checkout, the response is `SUBSCRIPTION_STATE`.",
    timeoutMs: PAYMENT_PROVIDER_TIMEOUT_MS,
    request: { body: newPortal, bodyExample: { returnUrl: 'https://go.example/settings/billing' } },
    success: { status: 201, description: 'The session.', data: portalRecord, example: portalExample },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async ({ body }, { clients, rpc, operation }) => ({
      data: await clients.billing.call('CreatePortal', { ...body, ...operation }, rpc()),
    }),
  }),
  route({
    id: 'cancelSubscription',
    method: 'POST',
    path: `${path}/cancel`,
    section,
    summary: 'Cancel the subscription',
    description:
      'Cancels the subscription at the end of its period, in Tautan and at the payment provider. Until then, `POST /billing/resume` undoes the cancellation. Afterwards, the `plan` of the subscription is FREE. Canceling again changes nothing.',
    timeoutMs: PAYMENT_PROVIDER_TIMEOUT_MS,
    request: {},
    success: {
      status: 200,
      description: 'The subscription.',
      data: subscriptionRecord,
      example: { ...subscriptionExample, cancelAtPeriodEnd: true, pendingPlan: 'FREE' },
    },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async (_request, { clients, rpc }) => ({
      data: subscriptionView(await clients.billing.call('CancelSubscription', {}, rpc())),
    }),
  }),
  route({
    id: 'downgradeSubscription',
    method: 'POST',
    path: `${path}/downgrade`,
    section,
    summary: 'Change to a lower plan',
    description:
      'Changes to a lower plan at the end of the period. Until then, `pendingPlan` is the lower plan, and `POST /billing/resume` undoes the change. `FREE` cancels the subscription. A plan that is not lower is refused with `VALIDATION_ERROR`.',
    timeoutMs: PAYMENT_PROVIDER_TIMEOUT_MS,
    request: { body: downgrade, bodyExample: { plan: 'PRO' } },
    success: {
      status: 200,
      description: 'The subscription.',
      data: subscriptionRecord,
      example: { ...subscriptionExample, plan: 'BUSINESS', pendingPlan: 'PRO' },
    },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async ({ body }, { clients, rpc }) => ({
      data: subscriptionView(await clients.billing.call('DowngradeSubscription', body, rpc())),
    }),
  }),
];

const resume = route({
  id: 'resumeSubscription',
  method: 'POST',
  path: `${path}/resume`,
  section,
  summary: 'Resume the subscription',
  description:
    'Undoes a cancellation or a pending downgrade, in Tautan and at the payment provider. The subscription then renews on its current plan. If there is nothing to undo, the subscription is returned unchanged. Without a subscription that is active or past due, the response is `SUBSCRIPTION_STATE`.',
  timeoutMs: PAYMENT_PROVIDER_TIMEOUT_MS,
  request: {},
  success: { status: 200, description: 'The subscription.', data: subscriptionRecord, example: subscriptionExample },
  errors: ['SUBSCRIPTION_STATE'],
  handle: async (_request, { clients, rpc }) => ({
    data: subscriptionView(await clients.billing.call('ResumeSubscription', {}, rpc())),
  }),
});

const received = z.object({
  received: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
});

const providerWebhook = route({
  id: 'receiveProviderWebhook',
  method: 'POST',
  path: `${path}/provider-webhook`,
  section,
  summary: 'Receive an event from the payment provider',
  description:
    'For the payment provider only: receives Stripe events with a `Stripe-Signature` header. An event is refused with `VALIDATION_ERROR` if its signature is missing, invalid or more than five minutes old. The event is stored before the response is sent and applied afterwards. The provider retries every request that is not answered with 200; events are deduplicated by id.',
  limit: 'provider',
  request: { raw: 'A Stripe event, byte for byte as it was signed.' },
  success: { status: 200, description: 'The event was stored.', data: received, example: { received: true } },
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
  handle: async (_request, { clients, rpc, raw }) => {
    const { body, header } = raw();
    const signature = header('stripe-signature');
    // Reject unsigned requests without a call to the billing service.
    if (signature === '')
      throw fail('VALIDATION_ERROR', 'The Stripe-Signature header is required.', 'stripe-signature');
    await clients.billing.call('ReceiveProviderWebhook', { payload: body, signature }, rpc());
    return { data: { received: true } };
  },
});

export const billingRoutes: Route[] = [...reads, ...changes, resume, providerWebhook, returnPage];
