import { z } from 'zod';
import { optionalField, text } from './fields.js';

const color = (description: string, example: string) =>
  text(7, 1)
    .meta({ pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', description, examples: [example] })
    .nullable()
    .optional();

const oneOf = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  z
    .enum(values)
    .nullable()
    .optional()
    .meta({ description, examples: [values[0]] });

const number = (schema: z.ZodNumber, description: string, example: number) =>
  schema
    .nullable()
    .optional()
    .meta({ description, examples: [example] });

const gradient = z.strictObject({
  type: optionalField(
    z
      .enum(['linear', 'radial'])
      .meta({ description: 'Type of the gradient. Linear by default.', examples: ['linear'] }),
  ),
  angle: optionalField(
    z
      .number()
      .min(0)
      .max(360)
      .meta({ description: 'Angle in degrees, clockwise. 0, from left to right, by default.', examples: [45] }),
  ),
  colors: z
    .array(text(7, 1))
    .min(2)
    .max(2)
    .meta({ description: 'First and last color.', examples: [['#000000', '#1a2b5c']] }),
});

/** The style of a QR code in a request. Absent fields have their defaults in a POST and are not changed by a PATCH. */
export const styleConfig = z
  .strictObject({
    foreground: color('Color of the modules. #000000 by default.', '#1a2b3c'),
    background: text(11, 1)
      .nullable()
      .optional()
      .meta({ description: 'Color of the background, or `transparent`. #ffffff by default.', examples: ['#ffffff'] }),
    size: number(z.number().int().min(64).max(2_048), 'Width and height in pixels. 600 by default.', 600),
    margin: number(z.number().int().min(0).max(16), 'Quiet zone in modules. 2 by default.', 2),
    errorCorrection: oneOf(['M', 'L', 'Q', 'H'], 'Error correction level. M by default; always H with a logo.'),
    dotStyle: oneOf(['square', 'rounded', 'dots', 'classy'], 'Shape of the modules. square by default.'),
    markerBorder: oneOf(
      ['square', 'rounded', 'circle'],
      'Shape of the outer borders of the three markers. square by default.',
    ),
    markerCenter: oneOf(['square', 'rounded', 'circle'], 'Shape of the centers of the markers. square by default.'),
    markerColor: color('Color of the markers. That of the modules by default.', '#1a2b3c'),
    gradient: gradient
      .nullable()
      .optional()
      .meta({
        description: 'Gradient of the modules, instead of `foreground`; null for none.',
        examples: [null],
      }),
    logoScale: number(
      z.number().min(0.1).max(0.3),
      "Longer side of the logo as a share of the code's width. 0.2 by default.",
      0.2,
    ),
  })
  .meta({
    id: 'QrCodeStyle',
    description:
      'Style of the code. Absent fields have their defaults in a POST and are not changed by a PATCH; null resets a field to its default. Colors that readers cannot distinguish from the background are refused: those with a contrast below 2.5:1, those at least half as bright as the background, and those whose gray value (0 to 255) is less than 80 below that of the background.',
    examples: [{ foreground: '#1a2b3c', dotStyle: 'rounded' }],
  });
