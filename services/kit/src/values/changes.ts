import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '@tautan/proto';

/** Returns the fields that differ between two views of a record, with both values. `updatedAt` is ignored. */
export function changesBetween<V extends object>(before: V, after: V): Changes {
  const fields = (Object.keys(after) as (keyof V & string)[]).filter(
    (field) => field !== 'updatedAt' && !isDeepStrictEqual(before[field], after[field]),
  );
  return Object.fromEntries(fields.map((field) => [field, { before: before[field], after: after[field] }]));
}
