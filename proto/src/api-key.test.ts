import { describe, expect, test } from '@jest/globals';
import { hashApiKey, isWellFormedApiKey, generateApiKey } from './api-key.js';

// A key without its checksum. The checksum in a test below was computed by another implementation of CRC-32 (Python's
// zlib).
const withoutChecksum = `tau_live_${'0'.repeat(26)}`;

describe('an API key', () => {
  test('has the documented format', () => {
    const { key, prefix } = generateApiKey();
    expect(key).toMatch(/^tau_live_[0-9A-Za-z]{32}$/);
    expect(key.startsWith(prefix)).toBe(true);
    expect(prefix).toHaveLength(15);
  });

  test('is well-formed when it is generated', () => {
    for (let i = 0; i < 1_000; i += 1) expect(isWellFormedApiKey(generateApiKey().key)).toBe(true);
  });

  test('is unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey().key)).size).toBe(1_000);
  });

  test('has a checksum that stays the same across releases', () => {
    expect(isWellFormedApiKey(`${withoutChecksum}0z37SD`)).toBe(true);
  });

  test('is not well-formed if any single character is changed', () => {
    const { key } = generateApiKey();
    for (let i = 0; i < key.length; i += 1) {
      const other = key[i] === 'a' ? 'b' : 'a';
      expect(isWellFormedApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
  });

  test.each([
    '',
    'tau_live_',
    withoutChecksum,
    `${generateApiKey().key} `,
    `${generateApiKey().key}\n`,
    'tau_live_' + 'é'.repeat(32),
  ])('is not well-formed: %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });

  test('is hashed with SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
