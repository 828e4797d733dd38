import { fail } from '@tautan/kit';
import { z } from 'zod';
import { fullColor, isColor } from './color.js';
import { assertLegible } from './legible.js';

const color = z.string().refine(isColor).transform(fullColor);
const oneOf = <const T extends readonly string[]>(names: T) => z.enum(names);

const gradientSchema = z.strictObject({
  type: oneOf(['linear', 'radial']).default('linear'),
  angle: z.number().min(0).max(360).default(0),
  colors: z.tuple([color, color]),
});

const schema = z.strictObject({
  foreground: color.default('#000000'),
  background: z.union([z.literal('transparent'), color]).default('#ffffff'),
  size: z.int().min(64).max(2_048).default(600),
  margin: z.int().min(0).max(16).default(2),
  errorCorrection: oneOf(['L', 'M', 'Q', 'H']).default('M'),
  dotStyle: oneOf(['square', 'rounded', 'dots', 'classy']).default('square'),
  markerBorder: oneOf(['square', 'rounded', 'circle']).default('square'),
  markerCenter: oneOf(['square', 'rounded', 'circle']).default('square'),
  markerColor: color.optional(),
  gradient: gradientSchema.nullable().default(null),
  logoScale: z.number().min(0.1).max(0.3).default(0.2),
});

/** The requirement of each field, as the end of a sentence. */
const rules: Record<string, string> = {
  foreground: 'a color such as #1a2b3c',
  background: 'a color such as #1a2b3c, or transparent',
  size: 'a whole number from 64 to 2048',
  margin: 'a whole number from 0 to 16',
  errorCorrection: 'one of L, M, Q, H',
  dotStyle: 'one of square, rounded, dots, classy',
  markerBorder: 'one of square, rounded, circle',
  markerCenter: 'one of square, rounded, circle',
  markerColor: 'a color such as #1a2b3c',
  gradient: 'null or an object with type, angle and colors',
  'gradient.type': 'linear or radial',
  'gradient.angle': 'a number from 0 to 360',
  'gradient.colors': 'two colors such as #1a2b3c',
  'gradient.colors.0': 'a color such as #1a2b3c',
  'gradient.colors.1': 'a color such as #1a2b3c',
  logoScale: 'a number from 0.1 to 0.3',
};

/**
 * A complete style. Colors are #rrggbb in lower case. `size` is in pixels, 64 to 2048; `margin` in modules, 0 to 16;
 * `angle` in degrees clockwise, where 0 is left to right; `logoScale` is the logo's longer side as a fraction of the
 * code's side, without the margin.
 */
export type StyleConfig = Required<Omit<z.output<typeof schema>, 'markerColor'>> & { markerColor: string };
export type Gradient = z.output<typeof gradientSchema>;

/**
 * Parses a style. Fields that are absent or null get their defaults. With a logo, the error correction is H. Throws
 * VALIDATION_ERROR naming `styleConfig` or `styleConfig.<field>` for an invalid style, an unknown field, or colors that
 * QR code readers cannot distinguish.
 */
export function readStyle(input: unknown, hasLogo: boolean): StyleConfig {
  const fields = fieldsOf(input);
  return complete(fields, Object.keys(fields), hasLogo);
}

/**
 * Returns a style with some fields changed. Null resets a field to its default; a gradient is replaced as a whole.
 * Markers of the same color as the foreground get the new color of the foreground. Throws as `readStyle` does.
 */
export function patchStyle(current: StyleConfig, input: unknown, hasLogo: boolean): StyleConfig {
  const { markerColor, ...rest } = current;
  const base = markerColor === current.foreground ? rest : current;
  const changes = fieldsOf(input);
  return complete({ ...base, ...changes }, Object.keys(changes), hasLogo);
}

function fieldsOf(input: unknown): Record<string, unknown> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input };
  throw fail('VALIDATION_ERROR', 'styleConfig must be an object.', 'styleConfig');
}

function complete(fields: Record<string, unknown>, given: string[], hasLogo: boolean): StyleConfig {
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
  const result = schema.safeParse(set);
  if (!result.success) throw invalidStyle(result.error.issues[0]!);
  const style: StyleConfig = { ...result.data, markerColor: result.data.markerColor ?? result.data.foreground };
  assertLegible(style, given);
  return hasLogo ? { ...style, errorCorrection: 'H' } : style;
}

function invalidStyle(issue: z.core.$ZodIssue): Error {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String).join('.');
  const field = `styleConfig.${path.slice(0, 100)}`;
  const message = unknown === undefined ? `must be ${rules[path]}` : 'is an unknown field';
  return fail('VALIDATION_ERROR', `${field} ${message}.`, field);
}
