import { Doc } from '../language/doc.js';
import { fail, MongoError } from '../language/errors.js';
import { compileSort } from '../language/sort.js';
import type { Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import type { CollectionIndex, IndexEntry } from '../storage/collection-index.js';
import type { Snapshot } from '../storage/snapshot.js';
import type { Range } from './bounds.js';
import type { IndexScan, Plan } from './plan.js';

/** A document found, by the key of its `_id`. */
export interface Hit {
  id: string;
  doc: Doc;
}

/** What a query has looked at, and until when it may. */
export interface Effort {
  keys: number;
  docs: number;
  /** Milliseconds since 1970 after which error 50 is thrown. */
  deadline: number;
}

export const newEffort = (deadline = Infinity): Effort => ({ keys: 0, docs: 0, deadline });

function checkDeadline(effort: Effort): void {
  if (effort.deadline < Infinity && Date.now() > effort.deadline) throw timedOut();
}

export const timedOut = (): MongoError => new MongoError('MaxTimeMSExpired', 'operation exceeded time limit');

/** The documents of a plan as the reader sees them, in the order of `sort` if it is given: the first `limit`, or all. */
export function run(
  collection: Collection,
  plan: Plan,
  reader: Snapshot,
  effort: Effort,
  sort?: Document,
  limit = Infinity,
): Iterable<Hit> {
  // A document may have several entries in one index, or satisfy several branches.
  const seen = plan.scans.length > 1 || plan.scans[0]!.index.multikey ? new Set<string>() : undefined;
  const source = { collection, reader, effort, seen, countsKeys: !plan.isCollectionScan };
  const streams = plan.scans.flatMap((scan) => scan.bounds.ranges.map((range) => scanRange(source, scan, range)));
  if (!sort || (plan.sorted && streams.length === 1)) return streams.length === 1 ? streams[0]! : concatenated(streams);
  const compare = compileSort(sort);
  const order = (a: Hit, b: Hit): number => compare(a.doc.decoded, b.doc.decoded);
  if (plan.sorted && streams.length <= maxStreams) return merged(streams, order);
  return sortedHits(concatenated(streams), order, limit);
}

const maxStreams = 500;

function* concatenated(streams: Iterable<Hit>[]): Iterable<Hit> {
  for (const stream of streams) yield* stream;
}

/** As on a server that may not use the disk. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

function* sortedHits(hits: Iterable<Hit>, order: (a: Hit, b: Hit) => number, limit: number): Iterable<Hit> {
  const all: Hit[] = [];
  let bytes = 0;
  for (const hit of hits) {
    bytes += hit.doc.raw.length;
    if (bytes > MAX_SORT_BYTES)
      fail('QueryExceededMemoryLimitNoDiskUseAllowed', `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`);
    all.push(hit);
    if (all.length < 2 * limit + 1_000) continue;
    all.sort(order).length = limit;
    bytes = all.reduce((sum, { doc }) => sum + doc.raw.length, 0);
  }
  yield* all.sort(order);
}

interface Source {
  collection: Collection;
  reader: Snapshot;
  effort: Effort;
  /** The record ids of the documents found so far. */
  seen: Set<string> | undefined;
  countsKeys: boolean;
}

function* scanRange(
  { collection, reader, effort, seen, countsKeys }: Source,
  { index, reverse, residual }: IndexScan,
  range: Range,
): Iterable<Hit> {
  let steps = 0;
  for (const { key, id, version, raw } of entriesOf(index, reader, range, reverse)) {
    steps += 1;
    if (countsKeys) effort.keys += 1;
    if ((steps & 1023) === 0) checkDeadline(effort);
    if (seen?.has(id)) continue;
    const doc = raw ? new Doc(raw) : collection.read(reader, id);
    if (!doc || (key !== undefined && version !== reader.version && !index.keysFor(doc).includes(key))) continue;
    effort.docs += 1;
    if (residual && !residual.matches(doc.decoded)) continue;
    seen?.add(id);
    yield { id, doc };
  }
}

function entriesOf(
  index: CollectionIndex,
  reader: Snapshot,
  { low, high, isPoint }: Range,
  reverse: boolean,
): Iterable<IndexEntry> {
  if (!isPoint) return index.walk(reader, low, high, reverse);
  const entry = index.entry(reader, low);
  return entry ? [entry] : [];
}

/** Takes from several ordered streams, always the first in order. */
function* merged(streams: Iterable<Hit>[], order: (a: Hit, b: Hit) => number): Iterable<Hit> {
  const iterators = streams.map((hits) => hits[Symbol.iterator]());
  const heads = iterators.map((hits) => hits.next());
  for (;;) {
    let first = -1;
    for (let i = 0; i < heads.length; i += 1) {
      const head = heads[i]!;
      if (head.done) continue;
      if (first < 0 || order(head.value, heads[first]!.value as Hit) < 0) first = i;
    }
    if (first < 0) return;
    yield heads[first]!.value as Hit;
    heads[first] = iterators[first]!.next();
  }
}
