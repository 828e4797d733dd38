import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '@tautan/proto';

/** Fields that differ between two views of one thing, with both values. `updatedAt` follows from the others. */
export function changesBetween<V extends object>(before: V, after: V): Changes {
  const fields = (Object.keys(after) as (keyof V & string)[]).filter(
    (field) => field !== 'updatedAt' && !isDeepStrictEqual(before[field], after[field]),
  );
  return Object.fromEntries(fields.map((field) => [field, { before: before[field], after: after[field] }]));
}
