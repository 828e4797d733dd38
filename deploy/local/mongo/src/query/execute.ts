import { Doc } from '../bson/doc.js';
import { MongoError } from '../language/errors.js';
import type { Filter } from '../language/filter.js';
import { compileSort } from '../language/sort.js';
import type { Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import { visible, type DocRecord, type View } from '../storage/record.js';
import type { Range } from './bounds.js';
import type { IndexScan, Plan } from './plan.js';

/** A document found, and the record to write to. */
export interface Hit {
  record: DocRecord;
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

/** The documents of a plan as the view sees them, in the order asked for when `sort` is given. */
export function run(collection: Collection, plan: Plan, view: View, effort: Effort, sort?: Document): Iterable<Hit> {
  const sorted = plan.kind === 'none' || plan.sorted;
  if (!sort || '$natural' in sort || (sorted && streamsOf(plan) === 1)) return stream(collection, plan, view, effort);
  const compare = compileSort(sort);
  const order = (a: Hit, b: Hit): number => compare(a.doc.decoded, b.doc.decoded);
  if (sorted && streamsOf(plan) <= maxStreams) return merged(plan, view, effort, order);
  return sortedHits(stream(collection, plan, view, effort), order);
}

const maxStreams = 500;

function streamsOf(plan: Plan): number {
  if (plan.kind === 'index') return plan.bounds.ranges.length;
  if (plan.kind === 'union') return plan.branches.reduce((sum, { bounds }) => sum + bounds.ranges.length, 0);
  return 1;
}

function* sortedHits(hits: Iterable<Hit>, order: (a: Hit, b: Hit) => number): Iterable<Hit> {
  yield* [...hits].sort(order);
}

function stream(collection: Collection, plan: Plan, view: View, effort: Effort): Iterable<Hit> {
  switch (plan.kind) {
    case 'none':
      return [];
    case 'collection':
      return scanCollection(collection, plan, view, effort);
    case 'index':
      return scanIndex(plan, view, effort, plan.index.multikey ? new Set() : undefined);
    case 'union':
      return scanUnion(plan.branches, view, effort);
  }
}

function* scanCollection(
  collection: Collection,
  { reverse, residual }: { reverse: boolean; residual: Filter | undefined },
  view: View,
  effort: Effort,
): Iterable<Hit> {
  for (
    let record = reverse ? collection.last : collection.first;
    record;
    record = reverse ? record.last : record.next
  ) {
    const raw = visible(record, view);
    if (raw === null) continue;
    effort.docs += 1;
    if ((effort.docs & 1023) === 0) checkDeadline(effort);
    const doc = new Doc(raw);
    if (!residual || residual.matches(doc.decoded)) yield { record, doc };
  }
}

function* scanIndex(scan: IndexScan, view: View, effort: Effort, seen: Set<DocRecord> | undefined): Iterable<Hit> {
  const { ranges } = scan.bounds;
  for (let i = 0; i < ranges.length; i += 1) {
    yield* scanRange(scan, ranges[scan.reverse ? ranges.length - 1 - i : i]!, view, effort, seen);
  }
}

function* scanRange(
  { index, reverse, residual }: IndexScan,
  { low, high }: Range,
  view: View,
  effort: Effort,
  seen: Set<DocRecord> | undefined,
): Iterable<Hit> {
  const walk = index.tree.walk(low, high, reverse);
  while (walk.next()) {
    const { record } = walk;
    effort.keys += 1;
    if ((effort.keys & 1023) === 0) checkDeadline(effort);
    const raw = visible(record, view);
    if (raw === null || !index.holds(record, raw, walk.key) || seen?.has(record)) continue;
    effort.docs += 1;
    const doc = new Doc(raw);
    if (residual && !residual.matches(doc.decoded)) continue;
    seen?.add(record);
    yield { record, doc };
  }
}

function* scanUnion(branches: IndexScan[], view: View, effort: Effort): Iterable<Hit> {
  const seen = new Set<DocRecord>();
  for (const branch of branches) yield* scanIndex(branch, view, effort, seen);
}

/** Takes from several ordered streams, always the first in order; a document that several have comes once. */
function* merged(plan: Plan, view: View, effort: Effort, order: (a: Hit, b: Hit) => number): Iterable<Hit> {
  const seen = new Set<DocRecord>();
  const scans = plan.kind === 'union' ? plan.branches : [plan as IndexScan];
  const streams = scans.flatMap((scan) =>
    scan.bounds.ranges.map((range) => scanRange(scan, range, view, effort, seen)[Symbol.iterator]()),
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
