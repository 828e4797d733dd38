/** The sort keys of lists. */
export const sortKeys = ['createdAt', 'lastClickAt', 'clickCount'] as const;
export type SortKey = (typeof sortKeys)[number];

/** A total order of links: by a key, then by id, in the same direction. Null `lastClickAt` values always sort last. */
export interface Order {
  key: SortKey;
  direction: 1 | -1;
}

/** The position of a link in an order. */
export interface OrderPosition {
  value: Date | number | null;
  id: string;
}

type Bounds<T> = Partial<Record<'$gt' | '$gte' | '$lt' | '$lte', T>>;

/** A part of an order that one index scan returns: links with one value, or with a range of values. */
export type Range = { equal: Date | number | null; ids?: Bounds<string> } | { span: Bounds<Date | number> };

/** Returns the sort specification that every query of an order must use. */
export const sortOf = ({ key, direction }: Order): Record<string, 1 | -1> => ({ [key]: direction, _id: direction });

/** Returns the query conditions of a range. */
export function conditionsOf({ key }: Order, range: Range): Record<string, unknown> {
  if ('equal' in range) return { [key]: range.equal, ...(range.ids && { _id: range.ids }) };
  return Object.keys(range.span).length ? { [key]: range.span } : {};
}

const beyond = ({ direction }: Order) => (direction === 1 ? '$gt' : '$lt');
const upTo = ({ direction }: Order) => (direction === 1 ? '$lte' : '$gte');
const before = ({ direction }: Order) => (direction === 1 ? '$lt' : '$gt');

/**
 * Returns the ranges of an order after a position (or from its start), in sequence. Links with the same value as the
 * position have a range of their own, so that many equal values do not lengthen a scan.
 */
export function rangesAfter(order: Order, position?: OrderPosition): Range[] {
  const nullable = order.key === 'lastClickAt';
  const nulls: Range[] = nullable ? [{ equal: null }] : [];
  // Comparisons with a date only match dates, so nulls are a separate range, the last one.
  if (!position) return [{ span: nullable ? { $gte: new Date(0) } : {} }, ...nulls];
  const rest: Range = { equal: position.value, ids: { [beyond(order)]: position.id } };
  return position.value === null ? [rest] : [rest, { span: { [beyond(order)]: position.value } }, ...nulls];
}

/** Returns the part of a range up to and including a position, as one or two ranges in sequence. */
export function upToPosition(order: Order, range: Range, { value, id }: OrderPosition): Range[] {
  const ids = { [upTo(order)]: id };
  if ('equal' in range) return [{ equal: range.equal, ids: { ...range.ids, ...ids } }];
  return [{ span: { ...range.span, [before(order)]: value } }, { equal: value, ids }];
}
