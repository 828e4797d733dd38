import { fail } from '@tautan/kit';
import { layoutOf } from './layout.js';
import { matrixOf } from './matrix.js';
import type { StyleConfig } from './style.js';

/** Characters of a slug that the link service makes. */
const SLUG = 7;

/**
 * Throws VALIDATION_ERROR naming `styleConfig.size` for a style whose modules readers could not tell apart: the address that
 * the QR code encodes is `baseUrl`, a slash and a slug of seven characters, which says how many there are.
 */
export function assertScannable(style: StyleConfig, baseUrl: string): void {
  // What a slug is made of is encoded byte by byte, whichever characters there are.
  const { side } = matrixOf(`${baseUrl}/${'x'.repeat(SLUG)}`, style.errorCorrection);
  if (layoutOf(side, style.margin, style.size)) return;
  const field = 'styleConfig.size';
  throw fail('VALIDATION_ERROR', `${field} is too small for a code of ${side} modules and its margin.`, field);
}
