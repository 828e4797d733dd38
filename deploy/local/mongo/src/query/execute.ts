import { Doc } from '../language/doc.js';
import { MongoError } from '../language/errors.js';
import type { Filter } from '../language/filter.js';
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
  const sorted = plan.kind === 'none' || plan.sorted;
  if (!sort || '$natural' in sort || (sorted && streamsOf(plan) === 1)) return stream(collection, plan, reader, effort);
  const compare = compileSort(sort);
  const order = (a: Hit, b: Hit): number => compare(a.doc.decoded, b.doc.decoded);
  if (sorted && streamsOf(plan) <= maxStreams) return merged(collection, plan, reader, effort, order);
  return sortedHits(stream(collection, plan, reader, effort), order, limit);
}

const maxStreams = 500;

function streamsOf(plan: Plan): number {
  if (plan.kind === 'index') return plan.bounds.ranges.length;
  if (plan.kind === 'union') return plan.branches.reduce((sum, { bounds }) => sum + bounds.ranges.length, 0);
  return 1;
}

/** As on a server that may not use the disk. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

function* sortedHits(hits: Iterable<Hit>, order: (a: Hit, b: Hit) => number, limit: number): Iterable<Hit> {
  const all: Hit[] = [];
  let bytes = 0;
  for (const hit of hits) {
    bytes += hit.doc.raw.length;
    if (bytes > MAX_SORT_BYTES)
      throw new MongoError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`,
      );
    all.push(hit);
    if (all.length < 2 * limit + 1_000) continue;
    all.sort(order).length = limit;
    bytes = all.reduce((sum, { doc }) => sum + doc.raw.length, 0);
  }
  yield* all.sort(order);
}

function stream(collection: Collection, plan: Plan, reader: Snapshot, effort: Effort): Iterable<Hit> {
  switch (plan.kind) {
    case 'none':
      return [];
    case 'collection':
      return scanCollection(collection, plan, reader, effort);
    case 'index':
      return scanIndex(collection, plan, reader, effort, plan.index.multikey ? new Set() : undefined);
    case 'union':
      return scanUnion(collection, plan.branches, reader, effort);
  }
}

function* scanCollection(
  collection: Collection,
  { reverse, residual }: { reverse: boolean; residual: Filter | undefined },
  reader: Snapshot,
  effort: Effort,
): Iterable<Hit> {
  const { idIndex } = collection;
  for (const { id } of idIndex.walk(reader, undefined, undefined, reverse)) {
    const doc = collection.read(reader, id);
    if (!doc) continue;
    effort.docs += 1;
    if ((effort.docs & 1023) === 0) checkDeadline(effort);
    if (!residual || residual.matches(doc.decoded)) yield { id, doc };
  }
}

function* scanIndex(
  collection: Collection,
  scan: IndexScan,
  reader: Snapshot,
  effort: Effort,
  seen: Set<string> | undefined,
): Iterable<Hit> {
  const { ranges } = scan.bounds;
  for (let i = 0; i < ranges.length; i += 1) {
    yield* scanRange(collection, scan, ranges[scan.reverse ? ranges.length - 1 - i : i]!, reader, effort, seen);
  }
}

function* scanRange(
  collection: Collection,
  { index, reverse, residual }: IndexScan,
  range: Range,
  reader: Snapshot,
  effort: Effort,
  seen: Set<string> | undefined,
): Iterable<Hit> {
  for (const { key, id, version, raw } of entriesOf(index, reader, range, reverse)) {
    effort.keys += 1;
    if ((effort.keys & 1023) === 0) checkDeadline(effort);
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

function* scanUnion(collection: Collection, branches: IndexScan[], reader: Snapshot, effort: Effort): Iterable<Hit> {
  const seen = new Set<string>();
  for (const branch of branches) yield* scanIndex(collection, branch, reader, effort, seen);
}

/** Takes from several ordered streams, always the first in order; a document that several have comes once. */
function* merged(
  collection: Collection,
  plan: Plan,
  reader: Snapshot,
  effort: Effort,
  order: (a: Hit, b: Hit) => number,
): Iterable<Hit> {
  const seen = new Set<string>();
  const scans = plan.kind === 'union' ? plan.branches : [plan as IndexScan];
  const streams = scans.flatMap((scan) =>
    scan.bounds.ranges.map((range) => scanRange(collection, scan, range, reader, effort, seen)[Symbol.iterator]()),
  );
  const heads = streams.map((hits) => hits.next());
  for (;;) {
    let first = -1;
    for (let i = 0; i < heads.length; i += 1) {
      const head = heads[i]!;
      if (head.done) continue;
      if (first < 0 || order(head.value, heads[first]!.value as Hit) < 0) first = i;
    }
    if (first < 0) return;
    yield heads[first]!.value as Hit;
    heads[first] = streams[first]!.next();
  }
}
