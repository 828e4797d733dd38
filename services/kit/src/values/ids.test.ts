import { expect, test } from '@jest/globals';
import { firstIdAt, isId, newId, newUlid, timeOfId } from './ids.js';

test('firstIdAt sorts before every id of its millisecond, and after earlier ones', () => {
  const id = newId('aud');
  const at = timeOfId(id).getTime();
  expect(firstIdAt('aud', at) <= id).toBe(true);
  expect(firstIdAt('aud', at + 1) > id).toBe(true);
  expect(firstIdAt('aud', -1)).toBe('aud_0000000000');
});

test('ids are a prefix and a ULID in lower case, sorted by time', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('lnk'));
  expect(ids.every((id) => isId(id, 'lnk'))).toBe(true);
  expect([...ids].sort()).toEqual(ids);
  expect(newUlid()).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test.each(['lnk_', 'lnk_short', `LNK_${newUlid()}`, `lnk_${newUlid().toUpperCase()}`, `xyz_${newUlid()}`, ''])(
  '%j is not an id',
  (text) => expect(isId(text)).toBe(false),
);

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
