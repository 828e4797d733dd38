import type Stripe from 'stripe';
import type { Currency, PaidPlan } from '../domain/plans.js';
import { MINOR_UNITS } from './stripe-objects.js';
import type { StripeSettings } from './stripe-provider.js';
import type { PaymentUpstream } from './upstream.js';

/**
 * The provider's prices of the plans: those that the settings name, and for the others one that is found there by its
 * lookup key, or made. The key holds the amount: a price that was changed in the settings is another one.
 */
export class StripePrices {
  readonly #found = new Map<string, string>();

  constructor(
    private readonly stripe: Stripe,
    private readonly upstream: PaymentUpstream,
    private readonly settings: Pick<StripeSettings, 'plans' | 'prices'>,
  ) {}

  /** The id of a plan's monthly price. */
  async of(plan: PaidPlan, currency: Currency): Promise<string> {
    const named = this.settings.prices[`${plan}/${currency}`];
    if (named !== undefined) return named;
    const amount = Math.round(this.settings.plans[plan].prices[currency] * MINOR_UNITS);
    const key = `tautan_${plan}_${currency}_${amount}`.toLowerCase();
    const price = this.#found.get(key) ?? (await this.#find(key)) ?? (await this.#make(key, plan, currency, amount));
    this.#found.set(key, price);
    return price;
  }

  async #find(key: string): Promise<string | undefined> {
    const query = { lookup_keys: [key], active: true, limit: 1 };
    const { data } = await this.upstream.need('find price', () => this.stripe.prices.list(query));
    return data[0]?.id;
  }

  async #make(key: string, plan: PaidPlan, currency: Currency, unit_amount: number): Promise<string> {
    const price: Stripe.PriceCreateParams = {
      lookup_key: key,
      currency: currency.toLowerCase(),
      unit_amount,
      recurring: { interval: 'month' },
      product_data: { name: `Tautan ${plan}` },
    };
    // Replicas that make it at the same time make one.
    const options = { idempotencyKey: `tautan-price-${key}` };
    const { id } = await this.upstream.need('make price', () => this.stripe.prices.create(price, options));
    return id;
  }
}
