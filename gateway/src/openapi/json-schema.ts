import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Schemas that are named once in the document and referred to. */
export type Named = Record<string, JsonSchema>;

/** JSON Schema (2020-12, as OpenAPI 3.1 has it) of a zod schema; the ones with an id go to `named`. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', named: Named): JsonSchema {
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

/** Answers may grow fields; and "a type or null" reads better as one type with null. */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  const [first, second, ...more] = schema.anyOf ?? [];
  if (!first || second?.type !== 'null' || more.length || typeof first.type !== 'string' || first.enum) return;
  delete schema.anyOf;
  const own = { ...schema };
  Object.assign(schema, first, own, { type: [first.type, 'null'] });
}
