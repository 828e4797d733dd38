import { expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import fc from 'fast-check';
import { packIds, packUlid, ulidOf, unpackIds } from './packed-ids.js';

test('packs ids into 16 bytes each, and unpacks them', () => {
  const ids = Array.from({ length: 5 }, () => newId('lnk'));
  expect(packIds(ids)).toHaveLength(80);
  expect(unpackIds(packIds(ids))).toEqual(ids);
});

test('packs the number that a ULID encodes in base 32', () => {
  expect(ulidOf(Buffer.alloc(16, 0xff))).toBe('7zzzzzzzzzzzzzzzzzzzzzzzzz');
  expect(ulidOf(Buffer.from('01'.padStart(32, '0'), 'hex'))).toBe('1'.padStart(26, '0'));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const ulid = ulidOf(bytes);
      expect(ulid).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      expect([...packUlid(ulid)]).toEqual([...bytes]);
    }),
  );
});
