import { z } from 'zod';
import {
  checkoutExample,
  checkoutRecord,
  downgrade,
  invoiceExample,
  invoiceRecord,
  invoiceView,
  newCheckout,
  planExamples,
  planRecord,
  planView,
  subscriptionExample,
  subscriptionRecord,
  subscriptionView,
} from './billing-schemas.js';
import { pageCursor, pageSize } from './fields.js';
import { cursorPage, route, wholeListPage, type Route } from './route.js';

const section = 'Billing';
const path = '/api/v1/billing';
/** The provider is asked several times, and each of them may be tried twice, milliseconds. */
const PROVIDER_MS = 25_000;

const reads: Route[] = [
  route({
    id: 'listPlans',
    method: 'GET',
    path: `${path}/plans`,
    section,
    summary: 'List plans',
    description: 'All plans, cheapest first, with prices in IDR; not paged. No credential is needed.',
    request: {},
    success: {
      status: 200,
      description: 'All plans.',
      data: z.array(planRecord),
      example: [planExamples.PRO],
      paged: 'whole',
    },
    errors: ['SERVICE_UNAVAILABLE', 'TIMEOUT'],
    handle: async (_request, { peers, rpc }) => {
      const { plans } = await peers.billing.call('ListPlans', {}, rpc());
      return { data: plans.map(planView), page: wholeListPage };
    },
  }),
  route({
    id: 'getPlan',
    method: 'GET',
    path: `${path}/plan`,
    section,
    summary: 'Get the current plan',
    description: 'The plan of the workspace with all its limits: the one that is paid for, or that it was given.',
    request: {},
    success: { status: 200, description: 'The plan.', data: planRecord, example: planExamples.PRO },
    errors: [],
    handle: async (_request, { peers, rpc }) => ({ data: planView(await peers.billing.call('GetPlan', {}, rpc())) }),
  }),
  route({
    id: 'getSubscription',
    method: 'GET',
    path: `${path}/subscription`,
    section,
    summary: 'Get the current subscription',
    description: 'What the workspace pays for; of status `none` where it never paid for anything.',
    request: {},
    success: {
      status: 200,
      description: 'The subscription.',
      data: subscriptionRecord,
      example: subscriptionExample,
    },
    errors: [],
    handle: async (_request, { peers, rpc }) => ({
      data: subscriptionView(await peers.billing.call('GetSubscription', {}, rpc())),
    }),
  }),
  ...(
    [
      ['listBillingHistory', 'history', 'List the billing history', 'Invoices, newest first.'],
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
      handle: async ({ query }, { peers, rpc }) => {
        const { invoices, nextCursor } = await peers.billing.call('ListInvoices', query, rpc());
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
      "Makes a page at the payment provider where the plan can be paid. It is the workspace's once the provider has told so; a higher plan then replaces the one before, whose rest is credited. With a subscription to the same or a higher plan it is `SUBSCRIPTION_STATE`.",
    timeoutMs: PROVIDER_MS,
    request: { body: newCheckout, bodyExample: { plan: 'PRO', currency: 'IDR' } },
    success: { status: 201, description: 'Where to pay.', data: checkoutRecord, example: checkoutExample },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async ({ body }, { peers, rpc, operationId }) => {
      const request = { ...body, ...(operationId !== undefined && { operationId }) };
      return { data: await peers.billing.call('CreateCheckout', request, rpc()) };
    },
  }),
  route({
    id: 'cancelSubscription',
    method: 'POST',
    path: `${path}/cancel`,
    section,
    summary: 'Cancel the subscription',
    description:
      'It ends with its period, at the payment provider too; then the plan is FREE. To cancel again changes nothing.',
    timeoutMs: PROVIDER_MS,
    request: {},
    success: {
      status: 200,
      description: 'The subscription.',
      data: subscriptionRecord,
      example: { ...subscriptionExample, cancelAtPeriodEnd: true, pendingPlan: 'FREE' },
    },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async (_request, { peers, rpc }) => ({
      data: subscriptionView(await peers.billing.call('CancelSubscription', {}, rpc())),
    }),
  }),
  route({
    id: 'downgradeSubscription',
    method: 'POST',
    path: `${path}/downgrade`,
    section,
    summary: 'Change to a lower plan',
    description:
      'The plan changes when the period ends; until then it is `pendingPlan`. To a plan that is not lower it is `VALIDATION_ERROR`; to FREE it is a cancellation.',
    timeoutMs: PROVIDER_MS,
    request: { body: downgrade, bodyExample: { plan: 'PRO' } },
    success: {
      status: 200,
      description: 'The subscription.',
      data: subscriptionRecord,
      example: { ...subscriptionExample, plan: 'BUSINESS', pendingPlan: 'PRO' },
    },
    errors: ['SUBSCRIPTION_STATE'],
    handle: async ({ body }, { peers, rpc }) => ({
      data: subscriptionView(await peers.billing.call('DowngradeSubscription', body, rpc())),
    }),
  }),
];

const received = z.object({
  received: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
});

const notices = route({
  id: 'receiveProviderNotice',
  method: 'POST',
  path: `${path}/provider-webhook`,
  section,
  summary: 'Receive a notice of the payment provider',
  description:
    "For the payment provider alone: Stripe's events, signed in `Stripe-Signature`. One that is not is `VALIDATION_ERROR`; whatever is not answered with 200 comes again.",
  timeoutMs: PROVIDER_MS,
  request: { raw: 'An event of Stripe, as it was signed.' },
  success: { status: 200, description: 'It was taken.', data: received, example: { received: true } },
  errors: ['VALIDATION_ERROR', 'UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
  handle: async (_request, { peers, rpc, raw }) => {
    const { body, header } = raw();
    await peers.billing.call('ReceiveNotice', { payload: body, signature: header('stripe-signature') }, rpc());
    return { data: { received: true } };
  },
});

export const billingRoutes: Route[] = [...reads, ...changes, notices];
