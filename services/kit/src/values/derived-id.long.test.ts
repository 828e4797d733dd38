import { describe, expect, test } from '@jest/globals';
import { derivedId } from './derived-id.js';
import { isId, newId } from './ids.js';

describe('a derived id', () => {
  test('has the format of an id, is determined by its parts, and sorts by time', () => {
    const event = newId('evt');
    const id = derivedId('whd', event, event, 'whe_1');
    expect(isId(id, 'whd')).toBe(true);
    expect(derivedId('whd', event, event, 'whe_1')).toBe(id);
    expect(derivedId('whd', event, event, 'whe_2')).not.toBe(id);
    expect(id.slice(4, 14)).toBe(event.slice(4, 14));
    const times = [0, 1, 31, 32, 1_000_000, 1_767_225_600_000, 2 ** 48 - 1];
    const ids = times.map((time) => derivedId('evt', time, 'x'));
    expect(ids.every((each) => isId(each, 'evt'))).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
  });

  test('is unique among a hundred thousand', () => {
    const ids = new Set(
      Array.from({ length: 100_000 }, (_, i) => derivedId('evt', 1_767_225_600_000, 'batch', `${i}`)),
    );
    expect(ids.size).toBe(100_000);
  });
});
