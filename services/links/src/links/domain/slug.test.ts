import { describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { checkSlug, generateSlug } from './slug.js';

describe('a slug', () => {
  test.each(['a', 'A-b_9', 'x'.repeat(64), '-', 'apis'])('accepts %s', (slug) => expect(checkSlug(slug)).toBe(slug));

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
    newId('lnk'),
    newId('tag').toUpperCase(),
  ])('rejects %j', (slug) => {
    expect(() => checkSlug(slug)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'slug' }));
  });

  test('is generated from all letters with equal probability', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 3_000; i += 1) {
      const slug = generateSlug();
      expect(slug).toHaveLength(7);
      for (const letter of slug) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect([...counts.keys()].sort().join('')).toBe('23456789abcdefghjkmnpqrstuvwxyz');
    // 21,000 letters, 677 of each on average, with a standard deviation of 26.
    for (const count of counts.values()) expect(Math.abs(count - 677)).toBeLessThan(160);
  });
});
