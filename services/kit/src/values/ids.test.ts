import { expect, test } from '@jest/globals';
import { firstIdAt, firstUlidAt, isId, newId, newUlid, idForOperation, timeOfId } from './ids.js';

test('firstIdAt returns a bound that sorts before all ids of its millisecond and after all ids of earlier milliseconds', () => {
  const id = newId('aud');
  const at = timeOfId(id).getTime();
  expect(firstIdAt('aud', at) <= id).toBe(true);
  expect(firstIdAt('aud', at + 1) > id).toBe(true);
  expect(firstIdAt('aud', -1)).toBe('aud_0000000000');
  expect([firstUlidAt(at) <= id.slice(4), firstUlidAt(at + 1) > id.slice(4)]).toEqual([true, true]);
});

test('ids are a prefix and a ULID in lower case, sorted by time', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('lnk'));
  expect(ids.every((id) => isId(id, 'lnk'))).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(newUlid()).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

const ULID = '01jzxv8q4e5r6t7y8w9a0bcdfg';

test.each([
  'lnk_',
  'lnk_short',
  `LNK_${ULID}`,
  `lnk_${ULID.toUpperCase()}`,
  `xyz_${ULID}`,
  `xlnk_${ULID}`,
  `lnk_${ULID}0`,
  '',
])('%j is not an id', (text) => expect(isId(text)).toBe(false));

test('an id with one prefix is not valid for another prefix', () => {
  expect(isId(newId('tag'), 'lnk')).toBe(false);
  expect(isId(newId('tag'))).toBe(true);
});

test('the time of an id is its creation time', () => {
  const before = Date.now();
  const at = timeOfId(newId('qr')).getTime();
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});

test('the id of a record is the same for every retry of an operation, and new without an operation id', () => {
  const operationId = newUlid();
  expect(idForOperation('lnk', operationId)).toBe(`lnk_${operationId}`);
  const [one, other] = [idForOperation('lnk', undefined), idForOperation('lnk', undefined)];
  expect([isId(one, 'lnk'), one === other]).toEqual([true, false]);
  for (const text of ['', 'x', `lnk_${operationId}`]) {
    expect(() => idForOperation('lnk', text)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'operationId' }),
    );
  }
});

// Uses times in the future: an id whose time is not later than that of the previous id is the previous id plus one.
test('ids of different milliseconds are random', () => {
  const later = Date.now() + 3_600_000;
  const random = Array.from({ length: 1_000 }, (_, i) => newUlid(later + i).slice(10));
  expect(new Set(random).size).toBe(random.length);
  for (let i = 0; i < 16; i += 1) expect(new Set(random.map((text) => text[i])).size).toBe(32);
});
