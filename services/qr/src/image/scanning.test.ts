import { expect, test } from '@jest/globals';
import { findMisreads } from '../testing/scanning.js';

test('accepted styles are scannable by three readers', async () => {
  const seed = 20_261;
  // The long test covers many more styles.
  expect({ seed, ...(await findMisreads(8, seed)) }).toEqual({ seed, zxing: [], jsqr: [], zbar: [] });
}, 120_000);
