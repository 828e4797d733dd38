import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { readConfig } from '../config/config.js';
import { Sealing, sealingSettings } from './sealing.js';

const [older, newer] = [randomBytes(32), randomBytes(32)];

test('a sealed value only opens in its own context', () => {
  const sealing = new Sealing([newer]);
  const sealed = sealing.seal('rahasia 🗝', 'session 1');
  expect(sealing.open(sealed, 'session 1')).toBe('rahasia 🗝');
  expect(sealing.open(sealed, 'session 2')).toBeUndefined();
  expect(sealed.includes('rahasia')).toBe(false);
  expect(sealing.seal('rahasia 🗝', 'session 1').equals(sealed)).toBe(false);
  expect(sealing.open(sealing.seal('', 'session 1'), 'session 1')).toBe('');
});

test('a value with any changed byte, or truncated anywhere, does not open', () => {
  const sealing = new Sealing([newer]);
  const sealed = sealing.seal('rahasia', 'x');
  for (let i = 0; i < sealed.length; i += 1) {
    const damaged = Buffer.from(sealed);
    damaged[i] = damaged[i]! ^ 1;
    expect(sealing.open(damaged, 'x')).toBeUndefined();
    expect(sealing.open(sealed.subarray(0, i), 'x')).toBeUndefined();
  }
});

test('after a rotation, old values still open, and new ones are encrypted under the new key', () => {
  const before = new Sealing([older]).seal('rahasia', 'x');
  const rotated = new Sealing([newer, older]);
  expect(rotated.open(before, 'x')).toBe('rahasia');
  expect(new Sealing([older]).open(rotated.seal('rahasia', 'x'), 'x')).toBeUndefined();
  expect([rotated.isCurrent(before), rotated.isCurrent(rotated.seal('rahasia', 'x'))]).toEqual([false, true]);
});

test('keys of zeros and keys that are not 32 bytes in base64 are rejected with an error that names the setting', () => {
  const read = (text: string) => readConfig(z.object(sealingSettings), { ENCRYPTION_KEYS: text });
  expect(read(`${newer.toString('base64')}, ${older.toString('base64')}`).ENCRYPTION_KEYS).toEqual([newer, older]);
  const valid = newer.toString('base64');
  const spellings = (['base64', 'base64url'] as const).flatMap((encoding) => {
    const unpadded = newer.toString(encoding).replace('=', '');
    return [unpadded, `${unpadded}=`];
  });
  for (const text of spellings) expect(read(text).ENCRYPTION_KEYS).toEqual([newer]);
  for (const text of ['c2hvcnQ=', `${valid},c2hvcnQ=`, `!${valid}`, `${valid}?`, `${valid}==`]) {
    expect(() => read(text)).toThrow('ENCRYPTION_KEYS: must be keys of 32 random bytes each, in base64');
  }
  const zeros = Buffer.alloc(32).toString('base64');
  for (const text of [zeros, 'A'.repeat(43), `${valid}, ${zeros}`]) {
    expect(() => read(text)).toThrow('ENCRYPTION_KEYS: must not be all zeros');
  }
  expect(() => readConfig(z.object(sealingSettings), {})).toThrow('ENCRYPTION_KEYS: must be set');
});
