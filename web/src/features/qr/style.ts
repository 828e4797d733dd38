import { changedFields } from '../../ui/changed-fields.js';

export const dotStyles = ['square', 'rounded', 'dots', 'classy'] as const;
export const markerShapes = ['square', 'rounded', 'circle'] as const;
export const corrections = ['L', 'M', 'Q', 'H'] as const;
export const gradientTypes = ['linear', 'radial'] as const;

/**
 * The complete style of a QR code. `size` is in pixels, `margin` in modules, `angle` in degrees; `logoScale` is the
 * logo's longer side as a fraction of the code's side, without the margin.
 */
export interface Style {
  foreground: string;
  background: string;
  size: number;
  margin: number;
  errorCorrection: (typeof corrections)[number];
  dotStyle: (typeof dotStyles)[number];
  markerBorder: (typeof markerShapes)[number];
  markerCenter: (typeof markerShapes)[number];
  markerColor: string;
  gradient: { type: (typeof gradientTypes)[number]; angle: number; colors: [string, string] } | null;
  logoScale: number;
}

export const defaultStyle: Style = {
  foreground: '#000000',
  background: '#ffffff',
  size: 600,
  margin: 2,
  errorCorrection: 'M',
  dotStyle: 'square',
  markerBorder: 'square',
  markerCenter: 'square',
  markerColor: '#000000',
  gradient: null,
  logoScale: 0.2,
};

export const styleFields = Object.keys(defaultStyle).map((name) => `styleConfig.${name}`);

/** Returns the style that the API stores for a QR code: with a logo, the error correction is H. */
export const storedStyle = (style: Style, hasLogo: boolean): Style =>
  hasLogo ? { ...style, errorCorrection: 'H' } : style;

/**
 * Returns the properties of a style that differ from those with which the form was loaded. If the foreground changes,
 * the color of the markers is included even if unchanged: without it, the API recolors markers that have the old
 * foreground color.
 */
export function styleChange(style: Style, loaded: Style): Partial<Style> {
  const change = changedFields(style, loaded);
  return change.foreground === undefined ? change : { ...change, markerColor: style.markerColor };
}

export type Warning = 'contrast' | 'margin' | 'transparent' | 'logo' | 'correction';

/** Minimum contrast ratio at which every camera can read a code. The API rejects ratios below 2.5. */
const GOOD_CONTRAST = 4.5;
const GOOD_MARGIN = 2;
const LARGE_LOGO = 0.25;

/** Returns warnings about properties that the API accepts but that make a QR code harder to scan. */
export function warningsOf(style: Style, hasLogo: boolean): Warning[] {
  const { foreground, background, markerColor, gradient, margin, errorCorrection, logoScale } = style;
  const ground = background === 'transparent' ? '#ffffff' : background;
  const drawn = [...(gradient?.colors ?? [foreground]), markerColor];
  const checks: [Warning, boolean][] = [
    ['contrast', drawn.some((color) => contrast(color, ground) < GOOD_CONTRAST)],
    ['transparent', background === 'transparent'],
    ['margin', margin < GOOD_MARGIN],
    ['logo', hasLogo && logoScale > LARGE_LOGO],
    ['correction', !hasLogo && errorCorrection === 'L'],
  ];
  return checks.filter(([, applies]) => applies).map(([warning]) => warning);
}

/** Returns the contrast ratio of two colors, #rrggbb, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const value = Number.parseInt(color.slice(1), 16);
  const [red, green, blue] = [value >> 16, (value >> 8) & 0xff, value & 0xff].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const MM_PER_INCH = 25.4;
export const [MIN_PIXELS, MAX_PIXELS] = [64, 2_048];

/** Returns the side, in pixels, of an image that prints `mm` millimeters wide at `dpi` dots per inch. */
export const pixelsFor = (mm: number, dpi: number): number => Math.round((mm / MM_PER_INCH) * dpi);
