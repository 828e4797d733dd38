import type { RawDoc } from '../bson/raw.js';
import type { Unit } from './unit.js';

/** What a document was before: a committed state that some snapshot may still read. `raw` null: it did not exist. */
export interface Version {
  raw: RawDoc | null;
  /** Commit time. */
  ts: number;
  older: Version | null;
}

/**
 * One document through time: the newest state in the record itself, the older committed ones behind it, and its neighbours in
 * the collection's natural order. `writer` is set while the newest state belongs to a transaction that has not committed.
 */
export class DocRecord implements Version {
  writer: Unit | null = null;
  older: Version | null = null;
  next: DocRecord | null = null;
  last: DocRecord | null = null;

  constructor(
    readonly rid: number,
    public raw: RawDoc | null,
    public ts: number,
  ) {}
}

/** What a reader may see: what was committed at `ts` or before, and what its own unit wrote. */
export interface View {
  readonly ts: number;
  readonly unit: Unit | null;
}

/** Everything that is committed at the moment of reading. */
export const latest: View = { ts: Infinity, unit: null };

/** The state of a document that a view sees; null when it sees none. */
export function visible(record: DocRecord, view: View): RawDoc | null {
  if (record.writer === null ? record.ts <= view.ts : record.writer === view.unit) return record.raw;
  for (let version = record.older; version; version = version.older) if (version.ts <= view.ts) return version.raw;
  return null;
}
