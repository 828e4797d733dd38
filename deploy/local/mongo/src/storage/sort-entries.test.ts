import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DocRecord } from './record.js';
import { sortedOrder } from './sort-entries.js';

const latin1 = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 12,
});

test('sorts entries by key and then by record, whatever the keys have in common', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(latin1, fc.integer({ min: 1, max: 5 }))), latin1, (entries, prefix) => {
      const keys = entries.map(([key]) => prefix + key);
      const records = entries.map(([, rid]) => new DocRecord(rid, null, 0));
      const shown = (at: number): string => `${keys[at]} ${records[at]!.rid}`;
      const expected = keys
        .map((_, at) => at)
        .sort((a, b) => (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : records[a]!.rid - records[b]!.rid));
      expect([...sortedOrder(keys, records)].map(shown)).toEqual(expected.map(shown));
    }),
  );
});
