import { expect, test } from '@jest/globals';
import { checkCreatedAt } from './times.js';

const now = new Date('2030-06-01T00:00:00Z');

test('accepts creation times between the year 2000 and now', () => {
  expect(checkCreatedAt('2000-01-01T00:00:00Z', now).getUTCFullYear()).toBe(2000);
  for (const text of ['1999-12-31T23:59:59Z', '2030-06-01T00:00:00.001Z']) {
    expect(() => checkCreatedAt(text, now)).toThrow(expect.objectContaining({ field: 'createdAt' }));
  }
});
