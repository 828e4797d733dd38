import type Stripe from 'stripe';
import { currencies, paidPlanNames, type Currency, type PaidPlanName } from '@tautan/proto';
import { paidPlanNamed } from '../domain/plans.js';
import { idOf, MINOR_UNITS } from './stripe-objects.js';
import type { StripeSettings } from './stripe-provider.js';
import type { PaymentUpstream } from './upstream.js';

/** Format of this service's lookup keys. A key contains the amount, so that a new amount requires a new price. */
const KEY = /^tautan_([a-z]+)_[a-z]{3}_\d+$/;

/**
 * The Stripe prices of the plans. Without a setting, a price is found by its lookup key, or created if it is missing.
 */
export class StripePrices {
  readonly #found = new Map<string, string>();

  constructor(
    private readonly upstream: PaymentUpstream,
    private readonly settings: Pick<StripeSettings, 'plans' | 'prices'>,
  ) {}

  /** Returns the id of a plan's monthly price. */
  async of(plan: PaidPlanName, currency: Currency): Promise<string> {
    const configured = this.settings.prices[`${plan}/${currency}`];
    if (configured !== undefined) return configured;
    const key = this.#keyOf(plan, currency);
    const price = this.#found.get(key) ?? (await this.#find(key)) ?? (await this.#create(key, plan, currency));
    this.#found.set(key, price);
    return price;
  }

  /**
   * Returns the plan of a price: the plan whose setting names the price, the plan in the price's lookup key (whatever
   * the amount in the key), or the plan of its product if all of this service's prices for the product belong to one
   * plan. Returns null for any other price.
   */
  async planOf(price: Stripe.Price): Promise<PaidPlanName | null> {
    const known = this.#planByIdOrKey(price);
    if (known) return known;
    const product = idOf(price.product);
    const siblings = (await this.#current()).filter((one) => idOf(one.product) === product);
    const plans = new Set(siblings.map((one) => this.#planByIdOrKey(one)));
    return plans.size === 1 ? ([...plans][0] ?? null) : null;
  }

  /** Returns the id of a price if it is still active, so that it can be sold; undefined otherwise. */
  async sellable(id: string): Promise<string | undefined> {
    const price = await this.upstream.callOrNull('price', ({ prices }) => prices.retrieve(id));
    return price?.active ? price.id : undefined;
  }

  #planByIdOrKey({ id, lookup_key: key }: Stripe.Price): PaidPlanName | undefined {
    const setting = Object.entries(this.settings.prices).find(([, configured]) => configured === id)?.[0];
    return paidPlanNamed(setting?.split('/')[0] ?? KEY.exec(key ?? '')?.[1]?.toUpperCase());
  }

  /** Returns the existing prices that the settings name, and those with the lookup keys of the current amounts. */
  async #current(): Promise<Stripe.Price[]> {
    const ids = Object.values(this.settings.prices);
    const keys = paidPlanNames.flatMap((plan) => currencies.map((currency) => this.#keyOf(plan, currency)));
    const [{ data }, ...configured] = await Promise.all([
      this.upstream.callRequired('list prices', ({ prices }) => prices.list({ lookup_keys: keys })),
      ...ids.map((id) => this.upstream.callOrNull('price', ({ prices }) => prices.retrieve(id))),
    ]);
    return [...data, ...configured.filter((price) => price !== null)];
  }

  #amountOf(plan: PaidPlanName, currency: Currency): number {
    return Math.round(this.settings.plans[plan].prices[currency] * MINOR_UNITS);
  }

  #keyOf(plan: PaidPlanName, currency: Currency): string {
    return `tautan_${plan}_${currency}_${this.#amountOf(plan, currency)}`.toLowerCase();
  }

  async #find(key: string): Promise<string | undefined> {
    const query = { lookup_keys: [key], active: true, limit: 1 };
    const { data } = await this.upstream.callRequired('find price', ({ prices }) => prices.list(query));
    return data[0]?.id;
  }

  async #create(key: string, plan: PaidPlanName, currency: Currency): Promise<string> {
    const price: Stripe.PriceCreateParams = {
      lookup_key: key,
      currency: currency.toLowerCase(),
      unit_amount: this.#amountOf(plan, currency),
      recurring: { interval: 'month' },
      product_data: { name: `Tautan ${plan}` },
    };
    // Idempotent, so that concurrent replicas create only one.
    const options = { idempotencyKey: `tautan-price-${key}` };
    const { id } = await this.upstream.callRequired('create price', ({ prices }) => prices.create(price, options));
    return id;
  }
}
