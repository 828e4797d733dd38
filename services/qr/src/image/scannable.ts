import { fail } from '@tautan/kit';
import { layoutOf } from './layout.js';
import { matrixOf } from './matrix.js';
import type { StyleConfig } from './style.js';

/** Length of generated slugs. */
const SLUG_LENGTH = 7;

/**
 * Returns a check that throws VALIDATION_ERROR naming `styleConfig.size` for a style whose modules would be too small
 * for readers. The encoded URL is `baseUrl`, a slash and a slug of seven characters, which determines the number of
 * modules.
 */
export function scannableCheck(baseUrl: string): (style: StyleConfig) => void {
  const sides = new Map<StyleConfig['errorCorrection'], number>();
  const sideOf = (level: StyleConfig['errorCorrection']): number => {
    // A lower-case letter takes one byte, and no other slug character takes more.
    const side = sides.get(level) ?? matrixOf(`${baseUrl}/${'x'.repeat(SLUG_LENGTH)}`, level).side;
    sides.set(level, side);
    return side;
  };
  return ({ errorCorrection, margin, size }) => {
    const side = sideOf(errorCorrection);
    if (layoutOf(side, margin, size)) return;
    const field = 'styleConfig.size';
    throw fail('VALIDATION_ERROR', `${field} is too small for a QR code ${side} modules wide, plus its margin.`, field);
  };
}
