import type { Metadata } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import { moneyText } from '../money.js';
import { dayText } from './periods.js';
import type { SubscriptionItem } from './subscriptions.js';

/** https://docs.stripe.com/api/invoice-line-item/object */
export interface InvoiceLine {
  id: string;
  object: 'line_item';
  /** Negative for credits. */
  amount: number;
  currency: string;
  description: string;
  discountable: boolean;
  discounts: never[];
  invoice: string;
  livemode: false;
  metadata: Metadata;
  parent: object;
  period: { start: number; end: number };
  pricing: object;
  quantity: number;
  subtotal: number;
}

/** Creates the lines of the invoice with the given id. */
export type MakeLines = (invoice: string) => InvoiceLine[];

/** Returns a function that creates, for each item, a line with the price of one period. */
export const periodLines =
  (tx: Transaction, items: readonly SubscriptionItem[]): MakeLines =>
  (invoice) =>
    items.map((item) => {
      const { price, quantity } = item;
      const { interval, interval_count: count } = price.recurring;
      const every = count > 1 ? `${count} ${interval}s` : interval;
      const { name } = tx.find('product', price.product);
      return lineOf(item, invoice, {
        amount: price.unit_amount * quantity,
        description: `${quantity} × ${name} (at ${moneyText(price.unit_amount, price.currency)} / ${every})`,
        period: { start: item.current_period_start, end: item.current_period_end },
        proration: false,
      });
    });

/** Returns a function that creates, for each item, a line with the credit for the rest of its period. */
export const unusedLines =
  (tx: Transaction, items: readonly SubscriptionItem[]): MakeLines =>
  (invoice) =>
    items.map((item) => {
      const { price, quantity, current_period_start: start, current_period_end: end } = item;
      const unused = Math.min(1, Math.max(0, (end - tx.now) / (end - start)));
      const { name } = tx.find('product', price.product);
      return lineOf(item, invoice, {
        amount: -Math.round(price.unit_amount * quantity * unused),
        description: `Unused time on ${name} after ${dayText(tx.now)}`,
        period: { start: tx.now, end },
        proration: true,
      });
    });

function lineOf(
  { id, price, quantity, subscription }: SubscriptionItem,
  invoice: string,
  { proration, ...line }: Pick<InvoiceLine, 'amount' | 'description' | 'period'> & { proration: boolean },
): InvoiceLine {
  return {
    ...{ id: newId('il'), object: 'line_item', ...line, currency: price.currency },
    ...{ discountable: !proration, discounts: [], invoice, livemode: false, metadata: {} },
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        ...{ invoice_item: null, proration, proration_details: null },
        ...{ subscription, subscription_item: id },
      },
    },
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: price.product },
      unit_amount_decimal: price.unit_amount_decimal,
    },
    ...{ quantity, subtotal: line.amount },
  };
}
