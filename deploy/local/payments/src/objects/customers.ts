import { z } from 'zod';
import { changedMetadata, expand, metadata, paging, text, type Metadata } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId, randomText } from '../ids.js';
import { cardIds, type CardId } from './cards.js';

/** https://docs.stripe.com/api/customers/object */
export interface Customer {
  id: string;
  object: 'customer';
  /** In the currency of the latest invoice. A credit is negative. */
  balance: number;
  created: number;
  currency: string | null;
  default_source: null;
  delinquent: boolean;
  description: string | null;
  email: string | null;
  /** By currency. A credit is positive. Absent until the next invoice if an earlier version created the customer. */
  invoice_credit_balance?: Record<string, number>;
  invoice_prefix: string;
  invoice_settings: {
    custom_fields: null;
    default_payment_method: CardId | null;
    footer: null;
    rendering_options: null;
  };
  livemode: false;
  metadata: Metadata;
  name: string | null;
  next_invoice_sequence: number;
  phone: string | null;
  shipping: null;
}

const email = z.email({ error: 'Invalid email address.' });
const fields = {
  ...expand,
  description: text().optional(),
  email: z.union([z.literal(''), email]).optional(),
  metadata: metadata.optional(),
  invoice_settings: z
    .strictObject({
      default_payment_method: z.enum(cardIds, {
        error: `No such PaymentMethod. This sandbox supports ${cardIds.join(', ')}.`,
      }),
    })
    .optional(),
  name: text(256).optional(),
  phone: text(20).optional(),
};

export const customerParameters = z.strictObject(fields);
export const customerListParameters = z.strictObject({ ...paging, email: email.optional() });

type Fields = z.infer<typeof customerParameters>;
const orNull = (value: string | undefined): string | null => (value === undefined || value === '' ? null : value);

const settingsOf = (card: CardId | null = null): Customer['invoice_settings'] => ({
  custom_fields: null,
  default_payment_method: card,
  footer: null,
  rendering_options: null,
});

export function createCustomer(tx: Transaction, input: Fields): Customer {
  const customer: Customer = {
    id: newId('cus', 14),
    object: 'customer',
    balance: 0,
    created: tx.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: orNull(input.description),
    email: orNull(input.email),
    invoice_credit_balance: {},
    invoice_prefix: randomText(8, '0123456789ABCDEF'),
    invoice_settings: settingsOf(input.invoice_settings?.default_payment_method),
    livemode: false,
    metadata: changedMetadata({}, input.metadata),
    name: orNull(input.name),
    next_invoice_sequence: 1,
    phone: orNull(input.phone),
    shipping: null,
  };
  tx.put('customer', customer.id, customer);
  tx.emit('customer.created', customer);
  return customer;
}

/** Updates a customer. Throws `resource_missing` if it does not exist. */
export function updateCustomer(tx: Transaction, input: Fields, id: string): Customer {
  const before = tx.find('customer', id);
  const { description, email: address, invoice_settings: settings, name, phone } = input;
  const customer: Customer = {
    ...before,
    ...(description !== undefined && { description: orNull(description) }),
    ...(address !== undefined && { email: orNull(address) }),
    ...(settings && { invoice_settings: settingsOf(settings.default_payment_method) }),
    ...(name !== undefined && { name: orNull(name) }),
    ...(phone !== undefined && { phone: orNull(phone) }),
    metadata: changedMetadata(before.metadata, input.metadata),
  };
  tx.put('customer', id, customer);
  tx.emit('customer.updated', customer, before);
  return customer;
}
