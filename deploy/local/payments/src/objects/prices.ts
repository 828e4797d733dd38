import { z } from 'zod';
import { invalid } from '../api/errors.js';
import {
  boolean,
  changedMetadata,
  currency,
  expand,
  id,
  integer,
  metadata,
  paging,
  text,
  type Metadata,
} from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import { intervals, type Interval } from './periods.js';

/** https://docs.stripe.com/api/products/object */
export interface Product {
  id: string;
  object: 'product';
  active: boolean;
  created: number;
  description: string | null;
  images: string[];
  livemode: false;
  metadata: Metadata;
  name: string;
}

/** https://docs.stripe.com/api/prices/object; amounts in the currency's smallest unit. */
export interface Price {
  id: string;
  object: 'price';
  active: boolean;
  billing_scheme: 'per_unit';
  created: number;
  currency: string;
  livemode: false;
  lookup_key: string | null;
  metadata: Metadata;
  nickname: string | null;
  product: string;
  recurring: {
    interval: Interval;
    interval_count: number;
    meter: null;
    trial_period_days: null;
    usage_type: 'licensed';
  };
  type: 'recurring';
  unit_amount: number;
  unit_amount_decimal: string;
}

const productData = z.strictObject({
  name: text(250).min(1),
  description: text().optional(),
  metadata: metadata.optional(),
});
const amount = { currency, unit_amount: integer() };
const recurring = z.strictObject({
  interval: z.enum(intervals, { error: `Invalid interval: must be one of ${intervals.join(', ')}.` }),
  interval_count: integer(1, 36).optional(),
});

/** An inline price of an existing product. */
export const priceData = z.strictObject({ ...amount, recurring, product: id });
/** An inline price of an existing or inline product. */
export const priceDataWithProduct = z.strictObject({
  ...amount,
  recurring,
  product: id.optional(),
  product_data: productData.optional(),
});

export const productParameters = z.strictObject({ ...expand, ...productData.shape, id: id.optional() });
export const productListParameters = z.strictObject({ ...paging, active: boolean.optional() });
export const priceParameters = z.strictObject({
  ...expand,
  ...priceDataWithProduct.shape,
  lookup_key: text(200).optional(),
  metadata: metadata.optional(),
  nickname: text(250).optional(),
});
export const priceListParameters = z.strictObject({
  ...paging,
  active: boolean.optional(),
  currency: currency.optional(),
  lookup_keys: z.array(text(200)).max(10).optional(),
  product: id.optional(),
});

/** Creates a product. Throws `resource_already_exists` if the id is in use. */
export function createProduct(tx: Transaction, input: z.infer<typeof productParameters>): Product {
  const product: Product = {
    id: input.id ?? newId('prod', 14),
    object: 'product',
    active: true,
    created: tx.now,
    description: input.description ?? null,
    images: [],
    livemode: false,
    metadata: changedMetadata({}, input.metadata),
    name: input.name,
  };
  if (tx.get('product', product.id))
    throw invalid(`Product already exists: ${product.id}`, 'id', 'resource_already_exists');
  tx.put('product', product.id, product);
  return product;
}

/**
 * Creates a price. `param` is the name of the parameter that contains it, for error messages. Throws if both or neither
 * of `product` and `product_data` are given, if the product does not exist, or if the lookup key is in use.
 */
export function createPrice(tx: Transaction, input: z.infer<typeof priceParameters>, param = ''): Price {
  const { product, product_data: data, lookup_key: key = null } = input;
  if ((product === undefined) === (data === undefined))
    throw invalid('You must specify either `product` or `product_data`.', within(param, 'product'));
  if (key !== null && tx.all('price').some((price) => price.lookup_key === key))
    throw invalid(`A price already uses the lookup key \`${key}\`.`, 'lookup_key', 'resource_already_exists');
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: tx.now,
    currency: input.currency,
    livemode: false,
    lookup_key: key,
    metadata: changedMetadata({}, input.metadata),
    nickname: input.nickname ?? null,
    product: data ? createProduct(tx, data).id : tx.find('product', product!, within(param, 'product')).id,
    recurring: {
      interval: input.recurring.interval,
      interval_count: input.recurring.interval_count ?? 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    type: 'recurring',
    unit_amount: input.unit_amount,
    unit_amount_decimal: `${input.unit_amount}`,
  };
  tx.put('price', price.id, price);
  return price;
}

/** Returns the existing price of an item, or creates its inline price. Throws if it has neither or both. */
export function priceOf(
  tx: Transaction,
  {
    price,
    price_data: data,
  }: { price?: string | undefined; price_data?: z.infer<typeof priceDataWithProduct> | undefined },
  param: string,
): Price {
  if ((price === undefined) === (data === undefined))
    throw invalid('You must specify either `price` or `price_data`.', within(param, 'price'));
  return data ? createPrice(tx, data, within(param, 'price_data')) : tx.find('price', price!, within(param, 'price'));
}

const within = (param: string, name: string): string => (param === '' ? name : `${param}[${name}]`);
