import { expect, test } from '@jest/globals';
import { misread } from '../testing/scanning.js';

test('what is accepted is read by three readers', async () => {
  const seed = 20_261;
  // Far more of them are read by the longer test.
  expect({ seed, ...(await misread(8, seed)) }).toEqual({ seed, zxing: [], jsqr: [], zbar: [] });
}, 120_000);
