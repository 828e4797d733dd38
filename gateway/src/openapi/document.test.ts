import { describe, expect, test } from '@jest/globals';
import { defaultPlans } from '@tautan/proto';
import { errorCatalog } from '@tautan/kit';
import { Validator } from '@seriousme/openapi-schema-validator';
import { accessMatrix, accessOf } from '../access.js';
import type { Route } from '../routes/route.js';
import { operations } from '../routes/table.js';
import { openApiDocument } from './document.js';
import { jsonSchema, type JsonSchema } from '@tautan/proto';
import { openApiRoute } from './route.js';

const table: Route[] = [...operations, openApiRoute(operations, { plans: defaultPlans })];
const document = openApiDocument(table, { baseUrl: 'https://api.example.com', plans: defaultPlans }) as {
  openapi: string;
  paths: Record<string, Record<string, JsonSchema>>;
  webhooks: { event: { post: JsonSchema } };
  security: object[];
  info: { description: string };
  servers: { url: string }[];
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, JsonSchema> };
};

/** Returns the responses of an operation with their references resolved. */
function responsesOf({ path, method }: Pick<Route, 'path' | 'method'>): Record<string, JsonSchema> {
  const { responses } = document.paths[path]![method.toLowerCase()] as { responses: Record<string, JsonSchema> };
  const resolved = Object.entries(responses).map(([status, { $ref, ...own }]) => {
    const shared = typeof $ref === 'string' ? document.components.responses[$ref.split('/').at(-1)!]! : own;
    return [status, shared] as const;
  });
  return Object.fromEntries(resolved);
}

test('is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
});

test('contains every operation with a unique id', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `${String(operationId)} ${method.toUpperCase()} ${path}`,
    ),
  );
  expect(described.sort()).toEqual(table.map(({ id, method, path }) => `${id} ${method} ${path}`).sort());
  expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
});

test('resolves every reference', () => {
  for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = path!
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    expect([path, typeof target]).toEqual([path, 'object']);
  }
});

test('lists every error code', () => {
  const errorSchema = document.components.schemas['Error'] as { properties: { code: { enum: string[] } } };
  expect(errorSchema.properties.code.enum).toEqual(Object.keys(errorCatalog));
});

test('contains exactly the operations of the access matrix', () => {
  expect(table.map(({ id }) => id).sort()).toEqual(Object.keys(accessMatrix).sort());
});

describe.each(table.map((route) => [route.id, route] as const))('%s', (_id, { request, success, ...route }) => {
  test('has an example body that its schema accepts', () => {
    if (!request.body) return expect(request.bodyExample).toBeUndefined();
    expect(request.body.parse(request.bodyExample)).toMatchObject(request.bodyExample!);
  });

  test('has an example response that stays unchanged when its schema parses it', () => {
    if (!success.data) return expect(success.status === 302 || success.other!.length > 0).toBe(true);
    expect(success.data.parse(success.example)).toEqual(success.example);
  });

  test('lists the error codes that its route declares, and its success status', () => {
    const responses = responsesOf(route);
    for (const code of route.errors) expect(JSON.stringify(responses)).toMatch(new RegExp(` ${code}[,"]`));
    expect(Object.keys(responses)).toContain(String(success.status));
  });

  test('documents the credentials and role of the access matrix', () => {
    const { credentials, role } = accessOf(route);
    const documented = document.paths[route.path]![route.method.toLowerCase()]!;
    const schemes = ((documented['security'] ?? document.security) as object[]).flatMap((scheme) =>
      Object.keys(scheme),
    );
    const expected = { api_key: 'apiKey', user: 'session' };
    expect(schemes.filter((scheme) => scheme !== 'bearer').sort()).toEqual(
      credentials.map((kind) => expected[kind]).sort(),
    );
    expect(schemes.includes('bearer')).toBe(credentials.length > 0);
    expect(documented['x-required-role'] ?? 'anyone').toBe(role);
    expect(documented['x-person-only'] ?? false).toBe(credentials.length === 1);
    expect(documented['description']).toContain(role === 'anyone' ? '**Access:**' : `\`${role}\``);
    expect(JSON.stringify(responsesOf(route)).includes('PERSON_ONLY')).toBe(credentials.length === 1);
  });

  test('describes all JSON responses as objects', () => {
    for (const { content = {} } of Object.values(responsesOf(route)) as {
      content?: Record<string, { schema: JsonSchema }>;
    }[]) {
      const schema = content['application/json']?.schema;
      if (schema && !('$ref' in schema))
        expect([schema['type'], Object.keys(schema['properties'] as object).length > 0]).toEqual(['object', true]);
    }
  });

  test('describes its parameters, with examples unless their values are obvious', () => {
    const { parameters } = document.paths[route.path]![route.method.toLowerCase()] as { parameters: JsonSchema[] };
    const shared = (document.components as unknown as { parameters: Record<string, JsonSchema> }).parameters;
    for (const { $ref, ...own } of parameters) {
      const parameter = typeof $ref === 'string' ? shared[$ref.split('/').at(-1)!]! : own;
      const { examples, enum: values, type, format } = parameter['schema'] as JsonSchema;
      const isObvious = values !== undefined || type === 'boolean' || format === 'date-time';
      expect([parameter['name'], parameter['description'], isObvious || Array.isArray(examples)]).toEqual([
        parameter['name'],
        expect.any(String),
        true,
      ]);
    }
  });
});

test('describes every field of every body and record, with an example unless its values are obvious', () => {
  const undescribed: string[] = [];
  const visit = (schema: JsonSchema, at: string): void => {
    const { properties = {}, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
    for (const [name, field] of Object.entries(properties)) {
      const refers = [field, ...((field['anyOf'] ?? []) as JsonSchema[])].some((one) => '$ref' in one);
      const isObvious =
        'enum' in field || 'const' in field || field['type'] === 'boolean' || field['format'] === 'date-time';
      const needsExample = !('properties' in field) && !('items' in field) && !refers && !isObvious;
      if (!('$ref' in field) && typeof field['description'] !== 'string')
        undescribed.push(`${at}.${name}: description`);
      if (needsExample && !Array.isArray(field['examples'])) undescribed.push(`${at}.${name}: example`);
      visit(field, `${at}.${name}`);
    }
    if (items) visit(items, `${at}[]`);
  };
  const contents = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === 'schema') visit(value as JsonSchema, 'body');
    return value;
  }) as typeof document;
  for (const [name, schema] of Object.entries(contents.components.schemas)) visit(schema, name);
  // Exempt: the field `data` of an envelope, because the description of the response explains `data`.
  expect(undescribed.filter((line) => !/^body\.data: description$/.test(line))).toEqual([]);
});

test('contains each error response once', () => {
  const written = Object.values(document.components.responses).map((response) => JSON.stringify(response));
  expect(new Set(written).size).toBe(written.length);
  for (const { path, method } of table) {
    const { responses } = document.paths[path]![method.toLowerCase()] as { responses: Record<string, JsonSchema> };
    const own = Object.entries(responses).filter(([, response]) => !('$ref' in response));
    expect(own.filter(([status]) => !status.startsWith('2') && status !== '302')).toEqual([]);
  }
});

test('documents the status codes of requests that arrive too slowly or whose head is too large', () => {
  expect(document.info.description).toContain('is refused with 408 or 431');
});

test('an event requires no credential, because it is signed', () => {
  expect(document.webhooks.event.post['security']).toEqual([]);
});

test('the server is the base URL, or relative to the document if there is none', () => {
  expect(document.servers.map(({ url }) => url)).toEqual(['https://api.example.com']);
  const withoutBaseUrl = openApiDocument(table, { plans: defaultPlans }) as typeof document;
  expect(withoutBaseUrl.servers.map(({ url }) => url)).toEqual(['/']);
});

test('X-Request-Id has no pattern, because no value is rejected', () => {
  const { parameters } = document.components as unknown as { parameters: Record<string, { schema: JsonSchema }> };
  expect(parameters['X-Request-Id']!.schema['pattern']).toBeUndefined();
  expect(parameters['Idempotency-Key']!.schema['pattern']).toBeDefined();
});

test('every string in a body has a pattern, a format or an enumeration', () => {
  const unconstrained: string[] = [];
  const visit = (schema: JsonSchema, at: string): void => {
    const {
      type,
      properties = {},
      items,
      anyOf = [],
      ...rest
    } = schema as {
      type?: unknown;
      properties?: Record<string, JsonSchema>;
      items?: JsonSchema;
      anyOf?: JsonSchema[];
    } & JsonSchema;
    const isText = [type].flat().includes('string');
    if (isText && !['pattern', 'format', 'enum', 'const'].some((keyword) => keyword in rest)) unconstrained.push(at);
    for (const [name, field] of Object.entries(properties)) visit(field, `${at}.${name}`);
    if (items) visit(items, `${at}[]`);
    for (const one of anyOf) visit(one, at);
  };
  for (const { request, id } of table) if (request.body) visit(jsonSchema(request.body, 'input', {}), id);
  expect(unconstrained).toEqual([]);
});
