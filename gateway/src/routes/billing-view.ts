import {
  currencies,
  invoiceRecord,
  planRecord,
  subscriptionRecord,
  type InvoiceMessage,
  type InvoiceRecord,
  type PlanMessage,
  type PlanRecord,
  type SubscriptionMessage,
  type SubscriptionRecord,
} from '@tautan/proto';
import { wireFields, wireValue } from './wire-fields.js';

const planFields = wireFields(planRecord);
const limitsOf = wireFields(planRecord.shape.limits);

/** Returns the record of a plan. A limit that is absent from the message becomes null (unlimited). */
export const planView = ({ price, limits, rateLimits, ...plan }: PlanMessage): PlanRecord => ({
  ...planFields(plan),
  price: { amount: price!.amount, currency: wireValue(currencies, 'price.currency', price!.currency) },
  interval: 'month',
  limits: limitsOf(limits!),
  rateLimits: { read: rateLimits!.read, write: rateLimits!.write },
});

/** Returns the record of a subscription. */
export const subscriptionView: (subscription: SubscriptionMessage) => SubscriptionRecord =
  wireFields(subscriptionRecord);

/** Returns the record of an invoice. */
export const invoiceView: (invoice: InvoiceMessage) => InvoiceRecord = wireFields(invoiceRecord);
