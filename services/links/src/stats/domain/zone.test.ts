import { expect, test } from '@jest/globals';
import { Zone } from './zone.js';

const at = (text: string): number => Date.parse(`${text}Z`);

test('a zone is found by its name, and offsets are not names', () => {
  expect(Zone.of('Asia/Jakarta')?.name).toBe('Asia/Jakarta');
  for (const name of ['', '+07:00', 'Asia/Nowhere', '1']) expect(Zone.of(name)).toBeUndefined();
});

test.each([
  ['UTC', '2030-01-01T00:00', '2030-01-01T00:00'],
  ['Asia/Jakarta', '2030-01-01T07:00', '2030-01-01T00:00'],
  ['Asia/Kathmandu', '2030-01-01T05:45', '2030-01-01T00:00'],
  ['America/St_Johns', '2029-12-31T20:30', '2030-01-01T00:00'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00'],
  ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00'],
  ['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00'],
])('in %s, %s is %s in UTC', (name, local, instant) => {
  const zone = Zone.of(name)!;
  expect(zone.instantOf(at(local))).toBe(at(instant));
  expect(zone.localOf(at(instant))).toBe(at(local));
});

test('a local time that occurs twice maps to its first occurrence, and a skipped one to the clock change', () => {
  const zone = Zone.of('Europe/Berlin')!;
  expect(zone.instantOf(at('2026-10-25T02:30'))).toBe(at('2026-10-25T00:30'));
  expect([at('2026-10-25T00:30'), at('2026-10-25T01:30')].map((instant) => zone.localOf(instant))).toEqual([
    at('2026-10-25T02:30'),
    at('2026-10-25T02:30'),
  ]);
  expect(zone.instantOf(at('2026-03-29T02:30'))).toBe(at('2026-03-29T01:00'));
});

test('the offsets of times far apart are correct, in any order', () => {
  const zone = Zone.of('America/New_York')!;
  const offsetOf = (year: number, month: number): number =>
    zone.localOf(Date.UTC(year, month - 1, 1)) - Date.UTC(year, month - 1, 1);
  const hours = [
    [2026, 7],
    [2026, 6],
    [2026, 1],
    [2026, 12],
    [2010, 7],
    [2026, 7],
    [2027, 1],
    [2025, 12],
  ].map(([year, month]) => offsetOf(year!, month!) / 3_600_000);
  expect(hours).toEqual([-4, -4, -5, -5, -4, -4, -5, -5]);
});
