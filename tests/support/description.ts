/** A JSON Schema with the keywords that the tests read. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  examples?: unknown[];
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: JsonSchema;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: JsonSchema }>;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  tags: string[];
  security?: object[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response>;
  'x-required-role'?: string | null;
  'x-person-only'?: boolean;
  'x-ignores-unknown-parameters'?: boolean;
}

export interface Document {
  'x-response-headers': Record<string, unknown>;
  paths: Record<string, Record<string, Operation>>;
  webhooks: {
    event: { post: { requestBody: { content: { 'application/json': { schema: { oneOf: { $ref: string }[] } } } } } };
  };
  components: Record<string, Record<string, unknown>>;
}

let document: Document;

/** Reads the OpenAPI document that a gateway serves; the functions below look things up in it. */
export async function readDescription(baseUrl: string): Promise<Document> {
  return (document = (await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json()) as Document);
}

/** Returns the target of a reference, or the value itself. */
export function resolved<T extends { $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const path = value.$ref.slice('#/'.length).split('/');
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as T;
}

/** Returns the schema that a `$ref` refers to; for a nullable schema, the one without null. */
export function schemaAt(schema: JsonSchema): JsonSchema {
  const target = resolved(schema);
  const [first, second] = target.anyOf ?? [];
  return first && second?.type === 'null' ? schemaAt(first) : target;
}

export const operations = (): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );

/** Returns an operation by its id. Throws if there is none. */
export function operation(id: string): Operation {
  const found = operations().find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`OpenAPI has no operation ${id}.`);
  return found;
}

/** Returns the documented error codes of an operation with their statuses. */
export const errorsOf = ({ responses }: Operation): { status: string; code: string }[] =>
  ['4XX', '5XX'].flatMap((range) =>
    (responses[range] ? resolved(responses[range]).description.split(', ') : []).map((error) => {
      const [status, code] = error.split(' ') as [string, string];
      return { status, code };
    }),
  );

/** Returns the headers that responses of all operations can have. */
export const responseHeaders = (): string[] => Object.keys(document['x-response-headers']);

/** Returns the response that documents a status, and its key in `responses`: the status, or a range such as `4XX`. */
export const responseFor = ({ responses }: Operation, status: number): [key: string, response: Response] | undefined =>
  Object.entries(responses).find(([key]) => key === String(status) || key === `${Math.floor(status / 100)}XX`);

/** Returns whether an operation needs no credential. */
export const isPublic = ({ security }: Operation): boolean => security?.length === 0;

/** Returns the schema component with this name. Throws if there is none. */
export function schemaNamed(name: string): JsonSchema {
  const schema = document.components['schemas']![name] as JsonSchema | undefined;
  if (!schema) throw new Error(`OpenAPI has no schema ${name}.`);
  return schema;
}

/** Returns the query parameters of an operation. */
export const queryOf = ({ parameters }: Operation): Parameter[] =>
  parameters.map(resolved).filter((parameter) => parameter.in === 'query');

/** Returns the schema of a JSON or form body, or one without fields if there is none. */
export const bodyOf = ({ requestBody }: Operation): JsonSchema => {
  const [content] = Object.values(requestBody?.content ?? {});
  return content ? schemaAt(content.schema) : { properties: {} };
};

/** Returns the schema of `data` in an operation's successful response, or of its entries if it is a list. */
export function dataOf({ responses }: Operation): JsonSchema {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const data = schemaAt(resolved(success).content!['application/json']!.schema).properties!['data']!;
  return schemaAt(schemaAt(data).items ?? data);
}

export function webhookTypes(): string[] {
  const { schema } = document.webhooks.event.post.requestBody.content['application/json'];
  return schema.oneOf.map(({ $ref }) => $ref.split('/').at(-1)!);
}
