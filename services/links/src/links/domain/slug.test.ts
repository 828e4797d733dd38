import { describe, expect, test } from '@jest/globals';
import { checkSlug, generateSlug } from './slug.js';

describe('a slug', () => {
  test.each(['a', 'A-b_9', 'x'.repeat(64), '-', 'apis'])('can be %s', (slug) => expect(checkSlug(slug)).toBe(slug));

  test.each([
    '',
    'x'.repeat(65),
    'a b',
    'a/b',
    'ä',
    'a.b',
    'a\u0000',
    'API',
    'Q',
    'favicon.ICO',
    '.well-known',
    'export',
    'bulk',
    'Import',
    'stats',
    'healthz',
    '$ne',
    `lnk_${'0'.repeat(26)}`,
    `TAG_${'0'.repeat(25)}A`,
  ])('cannot be %j', (slug) => {
    expect(() => checkSlug(slug)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'slug' }));
  });

  test('is generated from all characters of the alphabet with equal probability', () => {
    const counts = new Map<string, number>();
    const lengths = new Set<number>();
    for (let i = 0; i < 60_000; i += 1) {
      const slug = generateSlug();
      lengths.add(slug.length);
      for (const character of slug) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...lengths]).toEqual([7]);
    expect([...counts.keys()].sort().join('')).toBe('23456789abcdefghjkmnpqrstuvwxyz');
    // 420,000 characters, 13,548 of each on average, with a standard deviation of 115.
    for (const count of counts.values()) expect(Math.abs(count - 13_548)).toBeLessThan(700);
  });
});
