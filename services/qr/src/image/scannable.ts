import { fail } from '@tautan/kit';
import { layoutOf } from './layout.js';
import { matrixOf } from './matrix.js';
import type { StyleConfig } from './style.js';

/** Characters of a slug that the link service makes. */
const SLUG = 7;

/**
 * Returns a check that throws VALIDATION_ERROR naming `styleConfig.size` for a style whose modules readers could not tell apart:
 * the address that the QR code encodes is `baseUrl`, a slash and a slug of seven characters, which says how many there are.
 */
export function scannableCheck(baseUrl: string): (style: StyleConfig) => void {
  const sides = new Map<StyleConfig['errorCorrection'], number>();
  const sideOf = (level: StyleConfig['errorCorrection']): number => {
    // What a slug is made of is encoded byte by byte, whichever characters there are.
    const side = sides.get(level) ?? matrixOf(`${baseUrl}/${'x'.repeat(SLUG)}`, level).side;
    sides.set(level, side);
    return side;
  };
  return ({ errorCorrection, margin, size }) => {
    const side = sideOf(errorCorrection);
    if (layoutOf(side, margin, size)) return;
    const field = 'styleConfig.size';
    throw fail('VALIDATION_ERROR', `${field} is too small for a code of ${side} modules and its margin.`, field);
  };
}
