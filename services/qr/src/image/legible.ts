import { fail } from '@tautan/kit';
import { contrast, grayValues, luminance } from './color.js';
import type { StyleConfig } from './style.js';

/** Minimum contrast ratio with the background, computed as in WCAG 2.2. */
const MIN_CONTRAST = 2.5;
/** Minimum difference between the gray values (0 to 255) of the background and a color. */
const MIN_DIFFERENCE = 80;
/**
 * Maximum distance between the lightest and the darkest of the dark colors, as a fraction of the distance between the
 * darkest one and the background.
 */
const MAX_SPREAD = 0.4;

type Colors = Pick<StyleConfig, 'foreground' | 'background' | 'markerColor' | 'gradient'>;

/**
 * Throws VALIDATION_ERROR, naming the field, if QR code readers may take a color of the code for its background (white
 * if transparent). One reason suffices to refuse a color: the color is lighter than the background, has too little
 * contrast with the background or too similar a gray value, is at least half as bright as the background (jsQR
 * considers such a color light inside large modules), or is so much lighter than the darkest color that it looks white
 * beside the darkest one. Names the background instead of the foreground if the background was `given` and the
 * foreground was not.
 */
export function assertLegible({ foreground, background, markerColor, gradient }: Colors, given: string[]): void {
  const ground = background === 'transparent' ? '#ffffff' : background;
  const darks = [
    {
      field: given.includes('background') && !given.includes('foreground') ? 'background' : 'foreground',
      color: foreground,
    },
    { field: 'markerColor', color: markerColor },
    ...(gradient?.colors ?? []).map((color, at) => ({ field: `gradient.colors.${at}`, color })),
  ];
  for (const { field, color } of darks) {
    const { darker, other, halfAsBright } = wordsFor(field);
    if (luminance(color) > luminance(ground)) throw refused(field, `must be ${darker} than the ${other}`);
    if (contrast(color, ground) < MIN_CONTRAST)
      throw refused(field, `must have a contrast ratio of at least ${MIN_CONTRAST}:1 with the ${other}`);
    if (difference(color, ground) < MIN_DIFFERENCE)
      throw refused(field, `is too close to the ${other} for QR code readers`);
    if (grayValues(color)[0] >= grayValues(ground)[0] / 2) throw refused(field, halfAsBright);
  }
  const drawn = gradient ? darks.slice(1) : darks;
  for (const { field, color } of drawn) {
    const spread = Math.max(...drawn.map((other) => spreadBetween(other.color, color, ground)));
    if (spread > MAX_SPREAD)
      throw refused(field, `is too ${wordsFor(field).light} compared to the other colors for QR code readers`);
  }
}

/** Returns the words of the messages about a field, which differ for the background. */
const wordsFor = (field: string) =>
  field === 'background'
    ? {
        darker: 'lighter',
        light: 'dark',
        other: 'foreground',
        halfAsBright:
          'must be more than twice as bright as the foreground; otherwise, some QR code readers consider the foreground light',
      }
    : {
        darker: 'darker',
        light: 'light',
        other: 'background',
        halfAsBright:
          'must be less than half as bright as the background; otherwise, some QR code readers consider the color light',
      };

/** Returns the gray difference between a color and the background, by BT.709 or BT.601, whichever is smaller. */
function difference(color: string, ground: string): number {
  const light = grayValues(ground);
  return Math.min(...grayValues(color).map((gray, at) => light[at]! - gray));
}

/**
 * Returns the gray difference between a color and a darker one, as a fraction of that between the darker one and the
 * background, by BT.709 or BT.601, whichever is larger.
 */
function spreadBetween(darker: string, color: string, ground: string): number {
  const [dark, light] = [grayValues(darker), grayValues(ground)];
  return Math.max(...grayValues(color).map((gray, at) => (gray - dark[at]!) / (light[at]! - dark[at]!)));
}

const refused = (field: string, why: string): Error =>
  fail('VALIDATION_ERROR', `styleConfig.${field} ${why}.`, `styleConfig.${field}`);
