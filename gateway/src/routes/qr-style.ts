import { z } from 'zod';
import { optionalField, text } from './fields.js';

const colour = (description: string, example: string) =>
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
    z.enum(['linear', 'radial']).meta({ description: 'Its form; linear when absent.', examples: ['linear'] }),
  ),
  angle: optionalField(
    z
      .number()
      .min(0)
      .max(360)
      .meta({ description: 'Degrees clockwise; 0, from left to right, when absent.', examples: [45] }),
  ),
  colors: z
    .array(text(7, 1))
    .min(2)
    .max(2)
    .meta({ description: 'From and to.', examples: [['#000000', '#1a2b5c']] }),
});

/** The style of a QR code as it is given; what is absent has its default, or stays as it is. */
export const styleConfig = z
  .strictObject({
    foreground: colour('Colour of the modules; #000000.', '#1a2b3c'),
    background: text(11, 1)
      .nullable()
      .optional()
      .meta({ description: 'Colour behind them, or `transparent`; #ffffff.', examples: ['#ffffff'] }),
    size: number(z.number().int().min(64).max(2_048), 'Width and height, pixels; 600.', 600),
    margin: number(z.number().int().min(0).max(16), 'Quiet zone, modules; 2.', 2),
    errorCorrection: oneOf(['M', 'L', 'Q', 'H'], 'How much damage it bears; M, always H with a logo.'),
    dotStyle: oneOf(['square', 'rounded', 'dots', 'classy'], 'Form of the modules; square.'),
    markerBorder: oneOf(['square', 'rounded', 'circle'], 'Form of the frames of the three markers; square.'),
    markerCenter: oneOf(['square', 'rounded', 'circle'], 'Form of their centres; square.'),
    markerColor: colour('Colour of the markers; that of the modules.', '#1a2b3c'),
    gradient: gradient
      .nullable()
      .optional()
      .meta({
        description: 'Colours of the modules instead of the foreground; null for none.',
        examples: [null],
      }),
    logoScale: number(z.number().min(0.1).max(0.3), "The logo's side as a share of the code's; 0.2.", 0.2),
  })
  .meta({
    description:
      'How it looks. Fields that are absent have their defaults, on update they stay; null is the default. Colours that readers cannot tell from the background (a contrast below 2.5:1, or at least half of its brightness) are refused.',
    examples: [{ foreground: '#1a2b3c', dotStyle: 'rounded' }],
  });
