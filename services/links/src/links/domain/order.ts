/** What a list can be sorted by. */
export const sortKeys = ['createdAt', 'lastClickAt', 'clickCount'] as const;
export type SortKey = (typeof sortKeys)[number];

/** A total order of links: by a key, then by id, both in one direction. `lastClickAt` puts null last either way. */
export interface Order {
  key: SortKey;
  direction: 1 | -1;
}

/** The place of a link in an order. */
export interface Place {
  value: Date | number | null;
  id: string;
}

type Bounds<T> = Partial<Record<'$gt' | '$gte' | '$lt' | '$lte', T>>;

/** A stretch of an order that one index scan answers exactly: links of one value, or of a span of values. */
export type Range = { equal: Date | number | null; ids?: Bounds<string> } | { span: Bounds<Date | number> };

/** The sort of an order, as every query of it must have it. */
export const sortOf = ({ key, direction }: Order): Record<string, 1 | -1> => ({ [key]: direction, _id: direction });

/** A range as conditions of a query. */
export function conditionsOf({ key }: Order, range: Range): Record<string, unknown> {
  if ('equal' in range) return { [key]: range.equal, ...(range.ids && { _id: range.ids }) };
  return Object.keys(range.span).length ? { [key]: range.span } : {};
}

const beyond = ({ direction }: Order) => (direction === 1 ? '$gt' : '$lt');
const upTo = ({ direction }: Order) => (direction === 1 ? '$lte' : '$gte');
const before = ({ direction }: Order) => (direction === 1 ? '$lt' : '$gt');

/**
 * The ranges that make up an order behind a place (from its start without one), one after the other. Links of one value
 * are a range of their own, so that no number of equal values makes a scan longer.
 */
export function rangesAfter(order: Order, place?: Place): Range[] {
  const nullable = order.key === 'lastClickAt';
  const nulls: Range[] = nullable ? [{ equal: null }] : [];
  // Comparing with a date matches dates alone: the nulls have a range of their own, the last.
  if (!place) return [{ span: nullable ? { $gte: new Date(0) } : {} }, ...nulls];
  const rest: Range = { equal: place.value, ids: { [beyond(order)]: place.id } };
  return place.value === null ? [rest] : [rest, { span: { [beyond(order)]: place.value } }, ...nulls];
}

/** The part of a range up to a place in it, the place included. */
export function upToPlace(order: Order, range: Range, { value, id }: Place): Range[] {
  const ids = { [upTo(order)]: id };
  if ('equal' in range) return [{ equal: range.equal, ids: { ...range.ids, ...ids } }];
  return [{ span: { ...range.span, [before(order)]: value } }, { equal: value, ids }];
}
