import type { Transaction, Kinds } from '../transaction.js';
import { invalid } from './errors.js';

type Fields = Record<string, unknown>;

/** Object types of expandable fields. */
const kinds: Record<string, keyof Kinds> = {
  charge: 'charge',
  customer: 'customer',
  invoice: 'invoice',
  latest_invoice: 'invoice',
  product: 'product',
  subscription: 'subscription',
};

/**
 * Returns an object with the ids at the paths (such as `latest_invoice` or `data.customer`) replaced by their objects:
 * https://docs.stripe.com/api/expanding_objects. Throws if a path cannot be expanded.
 */
export function expanded(tx: Transaction, object: object, paths: readonly string[] = []): object {
  return paths.reduce((whole, path) => expandPath(tx, whole, path.split('.'), path), object);
}

function expandPath(tx: Transaction, object: object, [key, ...rest]: string[], path: string): object {
  const value = key === 'line_items' ? itemsOf(tx, object) : (object as Fields)[key!];
  const found = typeof value === 'string' && kinds[key!] ? tx.get(kinds[key!]!, value) : value;
  // An expandable field without an id stays unchanged.
  if (found === null && kinds[key!]) return object;
  if (typeof found !== 'object' || found === null)
    throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  const deeper = (one: object): object => (rest.length > 0 ? expandPath(tx, one, rest, path) : one);
  return { ...object, [key!]: Array.isArray(found) ? found.map(deeper) : deeper(found) };
}

function itemsOf(tx: Transaction, object: object): unknown {
  const { id, line_items: items } = object as Fields;
  return items ?? tx.get('purchase', String(id))?.items;
}
