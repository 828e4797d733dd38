import { Doc } from '../language/doc.js';
import { MongoError } from '../language/errors.js';
import { compileSort, sorted } from '../language/sort.js';
import type { Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import type { Snapshot } from '../storage/snapshot.js';
import type { Range } from './bounds.js';
import type { IndexScan, Plan } from './plan.js';

/** A document with its record id. */
export interface Hit {
  id: string;
  doc: Doc;
}

/** How many index keys and documents a query has examined, and its deadline. */
export interface QueryCost {
  keys: number;
  docs: number;
  /** Milliseconds since 1970. */
  deadline: number;
}

export const newQueryCost = (deadline = Infinity): QueryCost => ({ keys: 0, docs: 0, deadline });

export const timedOut = (): MongoError => new MongoError('MaxTimeMSExpired', 'operation exceeded time limit');

/** Maximum number of ranges to merge. If a plan has more ranges, its documents are sorted in memory. */
const MAX_STREAMS = 500;

type Order = (a: Hit, b: Hit) => number;

/**
 * Returns the documents of a plan, in the order of `sort`. `project` may be called to copy only the projected fields of
 * a document, because copying and freeing a large document takes longer than reading it. The returned documents may
 * then lack the other fields.
 */
export function run(
  collection: Collection,
  plan: Plan,
  reader: Snapshot,
  cost: QueryCost,
  sort?: Document,
  project?: (raw: Buffer) => Buffer,
): Iterable<Hit> {
  // A document may have several entries in an index, or match several branches.
  const seen = plan.scans.length > 1 || plan.scans[0]!.index.multikey ? new Set<string>() : undefined;
  const ranges = plan.scans.flatMap((scan) => scan.bounds.ranges.map((range) => ({ scan, range })));
  const isSorted = !sort || (plan.sorted && ranges.length === 1);
  const copy = isSorted ? project : undefined;
  const source = { collection, reader, cost, seen, copy, countsKeys: !plan.isCollectionScan };
  const streams = ranges.map(({ scan, range }) => scanRange(source, scan, range));
  if (isSorted) return streams.length === 1 ? streams[0]! : concatenated(streams);
  const compare = compileSort(sort);
  const order: Order = (a, b) => compare(a.doc.decoded, b.doc.decoded);
  if (plan.sorted && streams.length <= MAX_STREAMS) return merged(streams, order);
  return lazilySorted(concatenated(streams), order);
}

function* concatenated(streams: Iterable<Hit>[]): Iterable<Hit> {
  for (const stream of streams) yield* stream;
}

/** Sorts when the first document is read. */
function* lazilySorted(hits: Iterable<Hit>, order: Order): Iterable<Hit> {
  yield* sorted(hits, order, ({ doc }) => doc.raw.length);
}

interface Source {
  collection: Collection;
  reader: Snapshot;
  cost: QueryCost;
  /** The record ids of the documents returned so far. */
  seen: Set<string> | undefined;
  /** Copies what is needed of a document, unless it must still be matched or compared with its index entry. */
  copy: ((raw: Buffer) => Buffer) | undefined;
  countsKeys: boolean;
}

function* scanRange(
  { collection, reader, cost, seen, copy, countsKeys }: Source,
  { index, reverse, residual }: IndexScan,
  { low, high, isPoint }: Range,
): Iterable<Hit> {
  let steps = 0;
  const entries = isPoint ? [index.entry(reader, low)] : index.walk(reader, low, high, reverse);
  for (const entry of entries) {
    if (!entry) return;
    const { key, id, changeCount, raw } = entry;
    steps += 1;
    if (countsKeys) cost.keys += 1;
    if ((steps & 1023) === 0 && Date.now() > cost.deadline) throw timedOut();
    if (seen?.has(id)) continue;
    const doc = raw ? new Doc(raw) : collection.read(reader, id, index.isId && !residual ? copy : undefined);
    // The document may have changed since its entry was read.
    if (
      !doc ||
      (key !== undefined && !index.isId && changeCount !== reader.changeCount && !index.keysFor(doc).includes(key))
    )
      continue;
    cost.docs += 1;
    if (residual && !residual.matches(doc.decoded)) continue;
    seen?.add(id);
    yield { id, doc };
  }
}

/** Merges sorted streams. */
function* merged(streams: Iterable<Hit>[], order: Order): Iterable<Hit> {
  const iterators = streams.map((hits) => hits[Symbol.iterator]());
  const heads = iterators.map((hits) => hits.next());
  for (;;) {
    let first = -1;
    for (const [i, head] of heads.entries())
      if (!head.done && (first < 0 || order(head.value, heads[first]!.value as Hit) < 0)) first = i;
    if (first < 0) return;
    yield heads[first]!.value as Hit;
    heads[first] = iterators[first]!.next();
  }
}
