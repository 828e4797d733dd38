import http from 'node:http';
import https from 'node:https';
import { fail, type Log, type Registry } from '@tautan/kit';
import type Stripe from 'stripe';
import type { Currency, PaidPlanName, Plans } from '@tautan/proto';
import type {
  ProviderCheckout,
  ProviderInvoice,
  ProviderSubscription,
  ProviderWebhook,
  WorkspaceCustomer,
} from '../domain/provider-objects.js';
import type { Checkout, CheckoutRequest, PaymentProvider, Portal, PortalRequest } from './payment-provider.js';
import { readEvent, verifySignature } from './stripe-webhooks.js';
import {
  checkoutStatus,
  downgradeMetadata,
  idOf,
  invoiceOf,
  subscriptionOf,
  withoutCancellation,
  withoutDowngrade,
  workspaceIn,
} from './stripe-objects.js';
import { StripePrices } from './stripe-prices.js';
import { isOfTestMode, PaymentUpstream } from './upstream.js';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Origin of a substitute for Stripe; undefined for Stripe itself. */
  apiUrl: string | undefined;
  /** Timeout of a request, milliseconds. Requests are retried once. */
  timeoutMs: number;
  plans: Plans;
  /** Price ids at the provider, keyed by `<plan>/<currency>`. Other prices are found by lookup key, or created. */
  prices: Partial<Record<`${PaidPlanName}/${Currency}`, string>>;
}

interface StripeDeps {
  log: Log;
  registry: Registry;
  now: () => Date;
}

const MAX_RETRIES = 1;
/** Lifetime of a portal link, seconds. */
const PORTAL_LINK_TTL_S = 300;
/** How many of the newest invoices, and of the newest charges, a reconciliation reads. */
const RECENT_INVOICES = 20;
/** How many of the newest subscriptions are read, of one customer or of all: the provider's maximum page size. */
const MAX_SUBSCRIPTIONS = 100;

/** The payment provider Stripe, through its official library. */
export class StripeProvider implements PaymentProvider {
  #stripe: Promise<Stripe> | undefined;
  readonly #agent: http.Agent;
  readonly #upstream: PaymentUpstream;
  readonly #prices: StripePrices;

  constructor(
    private readonly settings: StripeSettings,
    private readonly deps: StripeDeps,
  ) {
    this.#agent = agentFor(settings);
    this.#upstream = new PaymentUpstream({ ...deps, connect: () => (this.#stripe ??= connect(settings, this.#agent)) });
    this.#prices = new StripePrices(this.#upstream, settings);
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  async createCustomer(workspaceId: string, replaced?: string): Promise<string> {
    const options = idempotencyOptions('customer', workspaceId, replaced);
    const customer = { metadata: { workspaceId } };
    const { id } = await this.#upstream.callRequired('create customer', ({ customers }) =>
      customers.create(customer, options),
    );
    return id;
  }

  async createCheckout(request: CheckoutRequest): Promise<Checkout | null> {
    const { workspaceId, customerId, plan, currency, key, successUrl, cancelUrl } = request;
    const session: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: workspaceId,
      line_items: [{ price: await this.#prices.of(plan, currency), quantity: 1 }],
      metadata: { workspaceId },
      subscription_data: { metadata: { workspaceId } },
      success_url: successUrl,
      cancel_url: cancelUrl,
    };
    const created = await this.#createFor(customerId, 'create checkout', ({ checkout }) =>
      checkout.sessions.create(session, idempotencyOptions('checkout', key, customerId)),
    );
    if (!created) return null;
    const { id, url, expires_at } = created;
    if (!url)
      throw fail('UPSTREAM_UNAVAILABLE', 'The payment provider returned no checkout page. Try again in a moment.');
    return { url, sessionId: id, expiresAt: new Date(expires_at * 1_000) };
  }

  async checkout(id: string): Promise<ProviderCheckout | null> {
    const query = { expand: ['invoice', 'subscription'] };
    const found = await this.#upstream.callOrNull('checkout', ({ checkout }) => checkout.sessions.retrieve(id, query));
    if (!found) return null;
    const { subscription } = found;
    const bought = typeof subscription === 'object' && subscription ? await this.#read(subscription) : null;
    return { status: checkoutStatus(found), subscription: bought };
  }

  async createPortal({ customerId: customer, returnUrl, key }: PortalRequest): Promise<Portal | null> {
    const session = await this.#createFor(customer, 'create portal', ({ billingPortal }) =>
      billingPortal.sessions.create({ customer, return_url: returnUrl }, idempotencyOptions('portal', key, customer)),
    );
    return session && { url: session.url, expiresAt: new Date((session.created + PORTAL_LINK_TTL_S) * 1_000) };
  }

  /**
   * Creates an object of a customer. Returns null if the customer is missing, and throws if another object is missing.
   */
  async #createFor<T>(customer: string, what: string, work: (stripe: Stripe) => Promise<T>): Promise<T | null> {
    const created = await this.#upstream.callOrNull(what, work);
    if (created === null && (await this.#presenceOf(customer)) === 'present') throw this.#upstream.missing(what);
    return created;
  }

  async subscriptions(customer: string): Promise<ProviderSubscription[]> {
    const query = { customer, status: 'all', limit: MAX_SUBSCRIPTIONS } as const;
    const what = 'list subscriptions';
    const data = await this.#listOf(customer, what, ({ subscriptions }) => subscriptions.list(query));
    if (!data) throw this.#upstream.missing(what);
    const read = await Promise.all(data.map((found) => this.#read(found)));
    return read.filter((found) => found !== null);
  }

  async customersOfNewestSubscriptions(): Promise<WorkspaceCustomer[]> {
    const query = { status: 'all', limit: MAX_SUBSCRIPTIONS } as const;
    const { data } = await this.#upstream.callRequired('list newest', ({ subscriptions }) => subscriptions.list(query));
    return data.flatMap(({ customer, metadata }) => {
      const workspaceId = workspaceIn(metadata);
      return workspaceId === undefined ? [] : [{ customerId: idOf(customer), workspaceId }];
    });
  }

  /** Lists objects of a customer. The list is empty if the customer is gone, and null if the customer is unknown. */
  async #listOf<T>(
    customer: string,
    what: string,
    work: (stripe: Stripe) => Promise<{ data: T[] }>,
  ): Promise<T[] | null> {
    const found = await this.#upstream.callOrNull(what, work);
    if (found) return found.data;
    const presence = await this.#presenceOf(customer);
    if (presence === 'present') throw this.#upstream.missing(what);
    return presence === 'gone' ? [] : null;
  }

  /**
   * Returns whether a customer exists. It is `gone` if it was deleted, or if it belongs to test mode while the secret
   * key belongs to live mode. Otherwise, a missing customer is `unknown`: the secret key may be that of another
   * account.
   */
  async #presenceOf(customer: string): Promise<'present' | 'gone' | 'unknown'> {
    const found = await this.#upstream.callOrNull('customer', ({ customers }) =>
      customers.retrieve(customer).catch((error: unknown) => {
        if (isOfTestMode(error)) return { deleted: true };
        throw error;
      }),
    );
    if (!found) return 'unknown';
    return found.deleted === true ? 'gone' : 'present';
  }

  async cancelAtPeriodEnd(id: string): Promise<void> {
    const [, current] = await this.#retrieve(id);
    if (!current || current.status === 'canceled') return;
    await this.#change(id, { cancel_at_period_end: true });
  }

  async downgrade(id: string, { from, to }: { from: PaidPlanName; to: PaidPlanName }): Promise<void> {
    const [found, current] = await this.#retrieve(id);
    if (!found || !current || current.status === 'canceled') return;
    const isPending = current.nextPlan !== null;
    await this.#change(id, {
      ...withoutCancellation(found),
      items: [{ id: found.items.data[0]!.id, price: await this.#prices.of(to, current.currency) }],
      // The paid period is not prorated; the next one has the price of the new plan.
      proration_behavior: 'none',
      metadata: { ...downgradeMetadata(found, { from: current.plan ?? from, to, isPending }) },
    });
  }

  async resume(id: string): Promise<void> {
    const [found, current] = await this.#retrieve(id);
    if (!found || !current || current.status === 'canceled') return;
    const { plan, nextPlan, currency } = current;
    if (plan === null || nextPlan === null) return this.#change(id, withoutCancellation(found));
    const { paidPrice } = found.metadata;
    const paid = paidPrice && (await this.#prices.sellable(paidPrice));
    await this.#change(id, {
      ...withoutCancellation(found),
      items: [{ id: found.items.data[0]!.id, price: paid || (await this.#prices.of(plan, currency)) }],
      proration_behavior: 'none',
      metadata: withoutDowngrade,
    });
  }

  async #change(id: string, change: Stripe.SubscriptionUpdateParams): Promise<void> {
    await this.#upstream.callOrNull('change subscription', ({ subscriptions }) => subscriptions.update(id, change));
  }

  async #retrieve(id: string): Promise<[Stripe.Subscription | null, ProviderSubscription | null]> {
    const found = await this.#upstream.callOrNull('subscription', ({ subscriptions }) => subscriptions.retrieve(id));
    return [found, found && (await this.#read(found))];
  }

  async #read(found: Stripe.Subscription): Promise<ProviderSubscription | null> {
    const [item] = found.items.data;
    const subscription = subscriptionOf(found, item ? await this.#prices.planOf(item.price) : null);
    if (item && subscription?.plan === null && subscription.status !== 'canceled') {
      const facts = { price: item.price.id, subscription: found.id };
      this.deps.log.error(facts, 'the price of a subscription belongs to no plan; add it to PAYMENT_PRICES');
    }
    return subscription;
  }

  async end(id: string): Promise<void> {
    const options = { prorate: true, invoice_now: true };
    await this.#upstream.callOrNull('end', ({ subscriptions }) => subscriptions.cancel(id, options));
  }

  async invoice(id: string): Promise<ProviderInvoice | null> {
    const found = await this.#upstream.callOrNull('invoice', ({ invoices }) => invoices.retrieve(id));
    return found && invoiceOf(found);
  }

  async recentInvoices(customer: string): Promise<ProviderInvoice[] | null> {
    const query = { customer, limit: RECENT_INVOICES };
    const [invoices, charges] = await Promise.all([
      this.#listOf(customer, 'list invoices', ({ invoices }) => invoices.list(query)),
      this.#listOf(customer, 'list charges', ({ charges }) => charges.list(query)),
    ]);
    if (!invoices || !charges) return null;
    const refunded = charges.filter((charge) => charge.refunded).map(({ id }) => this.refundedInvoices(id));
    const found = invoices.map(invoiceOf).filter((invoice) => invoice !== null);
    return [...found, ...(await Promise.all(refunded)).flat()];
  }

  async refundedInvoices(chargeId: string): Promise<ProviderInvoice[]> {
    const charge = await this.#upstream.callOrNull('charge', ({ charges }) => charges.retrieve(chargeId));
    if (!charge?.refunded || !charge.payment_intent) return [];
    const payment = { type: 'payment_intent', payment_intent: idOf(charge.payment_intent) } as const;
    const { data } = await this.#upstream.callRequired('list payments', ({ invoicePayments }) =>
      invoicePayments.list({ payment }),
    );
    const invoices = await Promise.all(data.map((paid) => this.invoice(idOf(paid.invoice))));
    return invoices.filter((found) => found !== null).map((found) => ({ ...found, status: 'refunded' }));
  }

  async readWebhook(payload: Buffer, signature: string): Promise<ProviderWebhook | null> {
    await verifySignature(payload, signature, { secret: this.settings.webhookSecret, now: this.deps.now() });
    return readEvent(payload);
  }
}

const usesPlainHttp = ({ apiUrl }: StripeSettings): boolean =>
  apiUrl !== undefined && new URL(apiUrl).protocol === 'http:';

const agentFor = (settings: StripeSettings): http.Agent =>
  new (usesPlainHttp(settings) ? http : https).Agent({ keepAlive: true });

/** Creates a client. The library is loaded only now, because that takes 60 ms and 19 MB. */
async function connect(settings: StripeSettings, httpAgent: http.Agent): Promise<Stripe> {
  const { Stripe } = await import('stripe');
  const { secretKey, apiUrl, timeoutMs: timeout } = settings;
  const { hostname: host = undefined, port = '' } = apiUrl === undefined ? {} : new URL(apiUrl);
  const protocol = usesPlainHttp(settings) ? 'http' : 'https';
  return new Stripe(secretKey, {
    ...(host !== undefined && { host, protocol, port: port || (protocol === 'http' ? 80 : 443) }),
    httpAgent,
    timeout,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    appInfo: { name: 'Tautan' },
  });
}

/**
 * Returns options that make requests with the same name, key and customer idempotent at Stripe. `customer` is the
 * customer in the request or, if the request creates a customer, the one to be replaced. It is part of the idempotency
 * key, because Stripe accepts a key only with the parameters of its first use, and because a replacement must be a
 * different customer.
 */
const idempotencyOptions = (name: string, key: string | undefined, customer?: string): Stripe.RequestOptions =>
  key === undefined ? {} : { idempotencyKey: ['tautan', name, key, ...(customer ? [customer] : [])].join('-') };
