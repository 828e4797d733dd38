import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Schemas that a document defines once and refers to by name. */
export type NamedSchemas = Record<string, JsonSchema>;

/**
 * Returns the JSON Schema (2020-12, as in OpenAPI 3.1) of a zod schema. Schemas with an id are added to `named` and
 * referred to as `#/components/schemas/<id>`.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', named: NamedSchemas): JsonSchema {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, override: (it) => simplify(it.jsonSchema, io) });
  const refer = (part: unknown): JsonSchema =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
  for (const [id, definition] of Object.entries($defs)) {
    const { id: _id, ...rest } = refer(definition);
    named[id] = rest;
  }
  return refer(own);
}

/**
 * Allows additional fields in output. Replaces `anyOf` of one type and null with `type: [<type>, 'null']`; an enum
 * keeps its `anyOf`, but its description and examples move to the outer schema.
 */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (io === 'output') dropSafeIntegerBounds(schema);
  const [first, second, ...more] = schema.anyOf ?? [];
  if (!first || second?.type !== 'null' || more.length || typeof first.type !== 'string') return;
  const { description, examples } = first;
  if (first.enum) {
    delete first.description;
    delete first.examples;
    Object.assign(schema, { ...(description && { description }), ...(examples && { examples }) }, schema);
    return;
  }
  delete schema.anyOf;
  const own = { ...schema };
  Object.assign(schema, first, own, { type: [first.type, 'null'] });
}

/** Drops the bounds that zod adds to every integer, which mean nothing to a reader of output. */
function dropSafeIntegerBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
