import { fail } from '@tautan/kit';
import { contrast, greys, luminance } from './colour.js';
import type { StyleConfig } from './style.js';

/** The least contrast to the background, WCAG 2.2. */
const LEAST_CONTRAST = 2.5;
/** The least difference to the background as readers see it, of 255. */
const LEAST_DIFFERENCE = 80;
/** How far the lightest of the dark colours may be from the darkest one, as a share of the way to the background. */
const MOST_SPREAD = 0.4;

type Colours = Pick<StyleConfig, 'foreground' | 'background' | 'markerColor' | 'gradient'>;

/**
 * Throws VALIDATION_ERROR, naming the field, for colours that readers cannot tell apart: too little contrast to the
 * background, which counts as white where it is transparent, or half its brightness, which is where jsQR takes the inside of
 * large modules for light; a background that is darker than what is on it; dark colours
 * that are so far apart that the lightest one looks white beside the darkest. The background is named when it is
 * what was `given` and the foreground was not.
 */
export function assertLegible({ foreground, background, markerColor, gradient }: Colours, given: string[]): void {
  const ground = background === 'transparent' ? '#ffffff' : background;
  const darks = [
    { field: given.includes('background') && !given.includes('foreground') ? 'background' : 'foreground', colour: foreground }, // prettier-ignore
    { field: 'markerColor', colour: markerColor },
    ...(gradient?.colors ?? []).map((colour, at) => ({ field: `gradient.colors.${at}`, colour })),
  ];
  for (const { field, colour } of darks) {
    if (luminance(colour) > luminance(ground)) throw refused(field, 'makes the code lighter than its background');
    if (contrast(colour, ground) < LEAST_CONTRAST) throw refused(field, `gives a contrast below ${LEAST_CONTRAST}:1`);
    if (difference(colour, ground) < LEAST_DIFFERENCE)
      throw refused(field, 'is too near to the background for readers');
    if (greys(colour)[0] >= greys(ground)[0] / 2)
      throw refused(field, 'must be less than half as bright as the background, or some readers take it for light');
  }
  const drawn = gradient ? darks.slice(1) : darks;
  for (const { field, colour } of drawn) {
    const spread = Math.max(...drawn.map((other) => share(other.colour, colour, ground)));
    if (spread > MOST_SPREAD) throw refused(field, 'is too light beside the other colours for readers');
  }
}

/** How much darker than the background readers see a colour, by whichever weights make it the least. */
function difference(colour: string, ground: string): number {
  const light = greys(ground);
  return Math.min(...greys(colour).map((grey, weights) => light[weights]! - grey));
}

/** How far a colour is on the way from a darker one to the background, by whichever weights make it the most. */
function share(darker: string, colour: string, ground: string): number {
  const [dark, light] = [greys(darker), greys(ground)];
  return Math.max(
    ...greys(colour).map((grey, weights) => (grey - dark[weights]!) / (light[weights]! - dark[weights]!)),
  );
}

const refused = (field: string, why: string): Error =>
  fail('VALIDATION_ERROR', `styleConfig.${field} ${why}.`, `styleConfig.${field}`);
