import { expect, test } from '@jest/globals';
import { misread } from '../testing/scanning.js';

/** Styles that are drawn and read: some tenth of a second each. SCAN_STYLES for more. */
const STYLES = Number(process.env['SCAN_STYLES'] ?? 60);

test('what is accepted is read, whatever is asked for', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
  const { zxing, jsqr, zbar } = await misread(STYLES, seed);
  expect({ seed, zxing, zbar }).toEqual({ seed, zxing: [], zbar: [] });
  // jsQR takes some data for a marker once in a while, in any code: the others are the judges of those.
  expect({ seed, jsqr: jsqr.slice(Math.ceil(STYLES / 100)) }).toEqual({ seed, jsqr: [] });
}, 600_000);
