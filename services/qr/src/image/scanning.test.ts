import { expect, test } from '@jest/globals';
import { misread } from '../testing/scanning.js';

test('what is accepted is read by two readers', async () => {
  const seed = 20_261;
  const { zxing, jsqr, plain } = await misread(40, seed);
  expect({ seed, zxing, jsqr }).toEqual({ seed, zxing: [], jsqr: [] });
  expect(plain).toBeGreaterThan(20);
}, 120_000);
