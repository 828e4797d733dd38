import { InvalidArgumentError, Option } from 'commander';
import type { QrStyle } from '../../api/records.js';
import { decimal, wholeNumber } from '../../command.js';

/** Options for the style of a QR code. */
export interface StyleOptions {
  foreground?: string;
  background?: string;
  size?: number;
  margin?: number;
  errorCorrection?: 'L' | 'M' | 'Q' | 'H';
  dots?: 'square' | 'rounded' | 'dots' | 'classy';
  markerBorder?: 'square' | 'rounded' | 'circle';
  markerCenter?: 'square' | 'rounded' | 'circle';
  markerColor?: string;
  gradient?: NonNullable<QrStyle['gradient']> | null;
  logoScale?: number;
}

const markers = ['square', 'rounded', 'circle'];

export const styleOptions = (): Option[] => [
  new Option('--foreground <color>', 'color of the modules, such as #1a2b3c'),
  new Option('--background <color>', 'color behind the modules, or transparent'),
  wholeNumber('--size <pixels>', 'width and height', 64, 2_048),
  wholeNumber('--margin <modules>', 'width of the quiet zone', 0, 16),
  new Option('--error-correction <level>', 'how much damage the code tolerates').choices(['L', 'M', 'Q', 'H']),
  new Option('--dots <shape>', 'shape of the modules').choices(['square', 'rounded', 'dots', 'classy']),
  new Option('--marker-border <shape>', 'shape of the borders of the three markers').choices(markers),
  new Option('--marker-center <shape>', 'shape of the centers of the three markers').choices(markers),
  new Option('--marker-color <color>', 'color of the three markers'),
  new Option(
    '--gradient <colors>',
    'comma-separated: two colors, optionally linear or radial, optionally an angle in degrees; none removes the gradient',
  ).argParser(gradient),
  decimal('--logo-scale <share>', 'width of the logo relative to the code', 0.1, 0.3),
];

/** Returns the API style for the given options, or undefined if there are none. */
export function styleBody({ dots, ...options }: StyleOptions): QrStyle | undefined {
  const {
    foreground,
    background,
    size,
    margin,
    errorCorrection,
    markerBorder,
    markerCenter,
    markerColor,
    gradient,
    logoScale,
  } = options;
  const fields = {
    foreground,
    background,
    size,
    margin,
    errorCorrection,
    dotStyle: dots,
    markerBorder,
    markerCenter,
    markerColor,
    gradient,
    logoScale,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Parses "#000,#1a2b5c", "#000,#1a2b5c,radial" or "#000,#1a2b5c,linear,45". Returns null for "none". */
function gradient(text: string): StyleOptions['gradient'] {
  if (text === 'none') return null;
  const [from, to, type, angle, ...more] = text.split(',').map((part) => part.trim());
  const isType = type === undefined || type === 'linear' || type === 'radial';
  if (!from || !to || !isType || more.length > 0 || (angle !== undefined && !/^\d{1,3}$/.test(angle)))
    throw new InvalidArgumentError('Use two colors, such as #000000,#1a2b5c or #000000,#1a2b5c,linear,45.');
  return { colors: [from, to], ...(type && { type }), ...(angle !== undefined && { angle: Number(angle) }) };
}
