import http from 'node:http';
import https from 'node:https';
import { fail, type Log, type Registry } from '@tautan/kit';
import Stripe from 'stripe';
import type { Currency, PaidPlan, Plans } from '../domain/plans.js';
import type { Notice, ProvidedInvoice, ProvidedSubscription } from '../domain/provided.js';
import type { Checkout, CheckoutOrder, PaymentProvider } from './payment-provider.js';
import { StripePrices } from './stripe-prices.js';
import { continuing, invoiceOf, noticeOf, subscriptionOf, type SubscriptionMetadata } from './stripe-objects.js';
import { PaymentUpstream } from './upstream.js';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Origin of Stripe, or of what stands in for it; undefined for Stripe's own. */
  apiUrl: string | undefined;
  /** Longest wait for one answer, milliseconds; each call is tried twice at most. */
  timeoutMs: number;
  /** Where the provider's page sends people back to. */
  successUrl: string;
  cancelUrl: string;
  plans: Plans;
  /** Ids of prices at the provider, by `<plan>/<currency>`; what is missing is made there. */
  prices: Partial<Record<`${PaidPlan}/${Currency}`, string>>;
}

interface Surroundings {
  log: Log;
  registry: Registry;
  now: () => Date;
}

const TRIES_MORE = 1;
/** Oldest signature that is taken, seconds. */
const TOLERANCE_S = 300;
/** Subscriptions of one customer that are looked at, the newest; the provider answers no more at once. */
const MOST_SUBSCRIPTIONS = 100;

/** The payment provider by the official library of Stripe. */
export class StripeProvider implements PaymentProvider {
  readonly #stripe: Stripe;
  readonly #agent: http.Agent;
  readonly #upstream: PaymentUpstream;
  readonly #prices: StripePrices;

  constructor(
    private readonly settings: StripeSettings,
    private readonly around: Surroundings,
  ) {
    this.#agent = agentFor(settings);
    this.#stripe = connect(settings, this.#agent);
    this.#upstream = new PaymentUpstream(around.log, around.registry);
    this.#prices = new StripePrices(this.#stripe, this.#upstream, settings);
  }

  /** Ends its connections. */
  close(): void {
    this.#agent.destroy();
  }

  async createCustomer(workspaceId: string): Promise<string> {
    const options = { idempotencyKey: `tautan-customer-${workspaceId}` };
    const customer = { metadata: { workspaceId } };
    const { id } = await this.#upstream.need('create customer', () => this.#stripe.customers.create(customer, options));
    return id;
  }

  async createCheckout({ workspaceId, customerId, plan, currency, key }: CheckoutOrder): Promise<Checkout> {
    const { successUrl, cancelUrl } = this.settings;
    const metadata: SubscriptionMetadata = { workspaceId, plan };
    const order: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: workspaceId,
      line_items: [{ price: await this.#prices.of(plan, currency), quantity: 1 }],
      metadata: { ...metadata },
      subscription_data: { metadata: { ...metadata } },
      success_url: successUrl,
      cancel_url: cancelUrl,
    };
    const options = key === undefined ? {} : { idempotencyKey: `tautan-checkout-${key}` };
    const { id, url, expires_at } = await this.#upstream.need('create checkout', () =>
      this.#stripe.checkout.sessions.create(order, options),
    );
    if (!url) throw fail('UPSTREAM_UNAVAILABLE', 'The payment provider made no page to pay at; try again in a moment.');
    return { url, sessionId: id, expiresAt: new Date(expires_at * 1_000) };
  }

  async subscriptions(customer: string): Promise<ProvidedSubscription[]> {
    const query = { customer, status: 'all', limit: MOST_SUBSCRIPTIONS } as const;
    const { data } = await this.#upstream.need('list subscriptions', () => this.#stripe.subscriptions.list(query));
    return data.map(subscriptionOf).filter((found) => found !== null);
  }

  async cancelAtPeriodEnd(id: string): Promise<void> {
    await this.#upstream.ask('cancel', () => this.#stripe.subscriptions.update(id, { cancel_at_period_end: true }));
  }

  async continueOn(id: string, plan: PaidPlan): Promise<void> {
    const found = await this.#upstream.ask('subscription', () => this.#stripe.subscriptions.retrieve(id));
    const current = found && subscriptionOf(found);
    if (!current || current.status === 'canceled') return;
    const change: Stripe.SubscriptionUpdateParams = {
      cancel_at_period_end: false,
      items: [{ id: found.items.data[0]!.id, price: await this.#prices.of(plan, current.currency) }],
      // What was paid for stays as it is until the period ends; the next one costs what the new plan does.
      proration_behavior: 'none',
      metadata: { ...continuing(current, plan) },
    };
    await this.#upstream.ask('change plan', () => this.#stripe.subscriptions.update(id, change));
  }

  async end(id: string): Promise<void> {
    const options = { prorate: true, invoice_now: true };
    await this.#upstream.ask('end', () => this.#stripe.subscriptions.cancel(id, options));
  }

  async invoice(id: string): Promise<ProvidedInvoice | null> {
    const found = await this.#upstream.ask('invoice', () => this.#stripe.invoices.retrieve(id));
    return found && invoiceOf(found);
  }

  async refundedInvoices(chargeId: string): Promise<ProvidedInvoice[]> {
    const charge = await this.#upstream.ask('charge', () => this.#stripe.charges.retrieve(chargeId));
    if (!charge?.refunded || !charge.payment_intent) return [];
    const payment = { type: 'payment_intent', payment_intent: idOf(charge.payment_intent) } as const;
    const { data } = await this.#upstream.need('list payments', () => this.#stripe.invoicePayments.list({ payment }));
    const invoices = await Promise.all(data.map((paid) => this.invoice(idOf(paid.invoice))));
    return invoices.filter((found) => found !== null).map((found) => ({ ...found, status: 'refunded' }));
  }

  readNotice(payload: Buffer, signature: string): Notice | null {
    const { webhookSecret } = this.settings;
    const now = this.around.now().getTime();
    try {
      return noticeOf(Stripe.webhooks.constructEvent(payload, signature, webhookSecret, TOLERANCE_S, undefined, now));
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      throw fail('VALIDATION_ERROR', 'The signature is missing, wrong or too old.', 'stripe-signature');
    }
  }
}

const idOf = (reference: string | { id: string }): string => (typeof reference === 'string' ? reference : reference.id);

const isPlain = ({ apiUrl }: StripeSettings): boolean => apiUrl !== undefined && new URL(apiUrl).protocol === 'http:';

const agentFor = (settings: StripeSettings): http.Agent =>
  new (isPlain(settings) ? http : https).Agent({ keepAlive: true });

function connect(settings: StripeSettings, httpAgent: http.Agent): Stripe {
  const { secretKey, apiUrl, timeoutMs: timeout } = settings;
  const { hostname: host = undefined, port = '' } = apiUrl === undefined ? {} : new URL(apiUrl);
  const protocol = isPlain(settings) ? 'http' : 'https';
  return new Stripe(secretKey, {
    ...(host !== undefined && { host, protocol, port: port || (protocol === 'http' ? 80 : 443) }),
    httpAgent,
    timeout,
    maxNetworkRetries: TRIES_MORE,
    telemetry: false,
    appInfo: { name: 'Tautan' },
  });
}
