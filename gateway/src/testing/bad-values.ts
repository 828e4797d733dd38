import { z } from 'zod';

type Schema = z.core.JSONSchema.BaseSchema;

/** JSON Schemas of a zod object's fields, by name. */
export function fieldsOf(schema: z.ZodObject | undefined): [string, Schema][] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: Record<string, Schema> };
  return Object.entries(properties);
}

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

/** Values that no field of any type accepts. */
const alwaysInvalid: unknown[] = [{ $gt: '' }, { $ne: null }, { constructor: 1 }, { a: nested(50) }];
const unprintableTexts = ['a\u0000b', 'a\u0007b', '\ud800', 'a\rb', '\u202e'];
/** Refused unless the schema's pattern allows line breaks. */
const twoLines = 'a\nb';

/** JSON values that a field refuses, derived from its schema. */
export function badValues(schema: Schema): unknown[] {
  const variants = (schema.anyOf ?? [schema]).flatMap((variant) =>
    [variant.type].flat().map((type) => ({ ...variant, type })),
  );
  const types = variants.map((variant) => variant.type);
  const nullIfInvalid = types.includes('null') ? [] : [null];
  const own = variants.flatMap(invalidOfType);
  return [...alwaysInvalid, ...nullIfInvalid, ...own];
}

function invalidOfType({ type, enum: values, pattern, maxLength, maximum, minimum, maxItems }: Schema): unknown[] {
  switch (type) {
    case 'string':
      if (values) return [5, true, [], '', 'nonsense', ...inOtherCase(values)];
      return [
        5,
        true,
        [],
        '',
        'x'.repeat((maxLength ?? 64) + 1),
        'x'.repeat(100_000),
        ...unprintableTexts,
        ...forbiddenLineBreak(pattern),
      ];
    case 'integer':
    case 'number':
      return ['5', true, [], 1.5, -1, (maximum ?? 0) + 1, (minimum ?? 0) - 1, 1e300];
    case 'boolean':
      return ['true', 1, []];
    case 'array':
      return ['x', 5, true, Array<string>((maxItems ?? 0) + 1).fill('x'), Array<number>(100_000).fill(0)];
    default:
      return [];
  }
}

const forbiddenLineBreak = (pattern: string | undefined): string[] =>
  pattern !== undefined && new RegExp(pattern, 'u').test(twoLines) ? [] : [twoLines];

/** The first value in upper case and in lower case, without results that are valid values themselves. */
function inOtherCase([first, ...others]: unknown[]): string[] {
  const text = String(first);
  return [text.toUpperCase(), text.toLowerCase()].filter((one) => one !== text && !others.includes(one));
}

/**
 * Maximum length of a generated query value in characters. It keeps the request within the 16 KiB that the gateway
 * accepts for URL and headers together.
 */
const MAX_VALUE_LENGTH = 14_000;

/** Encoded query values that a parameter refuses. */
export function badQueryValues(name: string, schema: Schema): string[] {
  const malformed = ['%', '%zz', '%E0%A4', '%ED%A0%80', 'a%00b', 'a%0Ab'];
  const { type, enum: values, maxLength = 12_288 } = (schema.items as Schema | undefined) ?? schema;
  const long = 'x'.repeat(Math.min(maxLength + 1, MAX_VALUE_LENGTH));
  if (type === 'integer')
    return [...malformed, '', '0', '-1', '1.5', 'ten', '1e9', '0x10', '99999999999999999999', long];
  if (values) return [...malformed, '', 'nonsense', '$where', '[object Object]', long];
  return [...malformed, long, ...(name === 'q' ? [] : [''])];
}
