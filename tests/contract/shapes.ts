import { schemaAt, type JsonSchema } from '../support/description.js';

/** The documented shape of a field: `status active|invited`, `totals: {clicks, uniques}`, `results: [{index}]`. */
export interface Field {
  values?: string[];
  fields?: Shape;
}
export type Shape = Record<string, Field>;

/** Parses a record in the contract's notation, with or without braces: `id, actor {type user|api_key, id}, tags[]`. */
export function shapeOf(notation: string): Shape {
  const inner = notation.replace(/^\[?\{(.*)\}\]?$/s, '$1');
  const fields = split(inner).map((field) => /^(\w+)\??(.*)$/s.exec(field.trim()));
  return Object.fromEntries(fields.filter((match) => match !== null).map(([, name, rest]) => [name!, fieldOf(rest!)]));
}

function fieldOf(rest: string): Field {
  const [, nested] = /(\{[^…]*\})/s.exec(rest) ?? [];
  const [, values] = /^\s*:?\s*\(?([\w.]+(?:\|[\w.]+)+)/.exec(rest) ?? [];
  return { ...(nested && { fields: shapeOf(nested) }), ...(values && !nested && { values: values.split('|') }) };
}

/** Splits at commas outside of brackets. */
function split(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('{[('.includes(character)) depth += 1;
    if ('}])'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/**
 * Returns the differences of a schema from a documented shape: missing fields (`- totals.bots`), additional fields
 * (`+ summary`) and fields with other values (`≠ status: a|b`).
 */
export function differences(shape: Shape, schema: JsonSchema, at = ''): string[] {
  const { properties = {} } = schemaAt(schema);
  const missing = Object.keys(shape).filter((name) => !(name in properties));
  const additional = Object.keys(properties).filter((name) => !(name in shape));
  const inner = Object.entries(shape).flatMap(([name, field]) => {
    const property = properties[name];
    return property ? differencesOf(field, property, `${at}${name}`) : [];
  });
  return [...missing.map((name) => `- ${at}${name}`), ...additional.map((name) => `+ ${at}${name}`), ...inner];
}

function differencesOf({ values, fields }: Field, property: JsonSchema, at: string): string[] {
  const schema = schemaAt(property);
  if (fields) return differences(fields, schema.items ?? schema, `${at}.`);
  const listed = schema.enum?.filter((value) => typeof value === 'string');
  if (!values || !listed) return values ? [`≠ ${at}: any`] : [];
  return [...listed].sort().join() === [...values].sort().join() ? [] : [`≠ ${at}: ${listed.join('|')}`];
}
