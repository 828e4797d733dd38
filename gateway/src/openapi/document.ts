import { errorCatalog, type ErrorCode } from '@tautan/kit';
import { limitCatalog, limitNames, listedPlanNames, type Plan, type Plans } from '@tautan/proto';
import { z } from 'zod';
import { accessOf } from '../access.js';
import { statusOf } from '../envelope.js';
import { supportsIdempotencyKey, type Route } from '../routes/route.js';
import { accessFields, accessText, defaultSecurity, securitySchemes } from './access.js';
import { eventParameters, eventWebhooks } from './events.js';
import { jsonSchema, type JsonSchema, type NamedSchemas } from '@tautan/proto';
import {
  commonHeaders,
  errorEnvelope,
  errorHeaders,
  headerRefs,
  headers,
  responses,
  type Shared,
} from './responses.js';
import { shareRepeated, type Operation, type Paths } from './share.js';

const sections: Record<string, string> = {
  Links: 'Create, find, change, import and export short links.',
  'QR codes': 'Create, find, change and render QR codes. Their scans are redirected and counted.',
  Tags: 'Labels for links and QR codes.',
  Domains: 'Custom host names for short links: add a domain, set its DNS records, verify it.',
  Statistics: 'Clicks over time, with totals, countries, devices, browsers and referrers.',
  Workspaces: 'A workspace owns all other resources.',
  Members: 'Members of the current workspace and open invitations.',
  Billing: 'Plans, the subscription of the current workspace, and its invoices.',
  'Audit log': 'Who changed what, when and from where.',
  Webhooks: 'Endpoints to which events are sent, and their deliveries. The events are described under `webhooks`.',
  'Signing in': 'Sign-in, sign-up, and the sessions of a user.',
  'API keys': 'API keys of the current workspace.',
  Description: 'This document.',
};

const errorTable = (Object.keys(errorCatalog) as ErrorCode[])
  .map((code) => `| \`${code}\` | ${statusOf(code)} | ${errorCatalog[code].description} |`)
  .join('\n');

/** The installation that serves the document. */
export interface Installation {
  /** Public address. */
  baseUrl?: string | undefined;
  plans: Plans;
}

const limitText = (limit: number | null): string => limit?.toLocaleString('en') ?? 'unlimited';

/** Returns a Markdown table of the limits of the plans that are offered to users. */
function planTable(plans: Plans): string {
  const row = (name: string, cell: (plan: Plan) => string): string =>
    `| ${name} | ${listedPlanNames.map((plan) => cell(plans[plan])).join(' | ')} |`;
  return [
    row('plan', ({ name }) => name),
    '|---|---|---|---|',
    ...limitNames.map((limit) => row(limitCatalog[limit].noun, ({ limits }) => limitText(limits[limit]))),
    row('days of statistics', ({ limits }) => limitText(limits.analyticsRetentionDays)),
    row('reads / writes per second', ({ rateLimits: { read, write } }) => `${read} / ${write}`),
  ].join('\n');
}

const introduction = (
  plans: Plans,
): string => `**Credentials.** Send an API key or a user's access token with every request: \`Authorization: Bearer <credential>\` (a key also as \`ApiKey <key>\`). Browsers use a session cookie instead; with it, requests that change something must come from a page of this service, as shown by their \`Origin\` header. An API key belongs to one workspace. Requests of a user apply to the active workspace unless \`X-Workspace-Id\` names another.

**Roles.** A \`viewer\` can read; a \`member\` can also write links, QR codes and tags; an \`admin\` and the \`owner\` can manage everything else. An API key has the role of an admin, except for operations that are for users only. Each operation documents the required role, also as \`x-required-role\`.

**Envelope.** Every JSON response except this document is \`{data, error, meta}\`; \`error\` is null on success and \`data\` is null on an error. Use \`error.code\` to distinguish errors. New fields can be added at any time.

**Lists** are paginated: while \`meta.page.hasMore\` is true, send \`meta.page.nextCursor\` as \`cursor\`. A list without pagination has no cursor, and its \`meta.page.limit\` is the number of its entries.

**Compression.** JSON responses over 1 KiB and exports are compressed with gzip if \`Accept-Encoding\` allows it, except for responses that contain a secret.

**Headers.** Every operation accepts \`X-Request-Id\`, and every operation that requires a credential accepts \`X-Workspace-Id\`. Every response of an operation has ${commonHeaders.map((name) => `\`${name}\``).join(', ')}. \`x-request-headers\` and \`x-response-headers\` describe these headers. Errors can have ${errorHeaders.map((name) => `\`${name}\``).join(' and ')}. Further headers are listed with each operation.

**Errors.** Each operation lists the codes that it can respond with under \`4XX\` and \`5XX\`, each preceded by its HTTP status. A request that does not arrive in time, or whose URL and headers exceed 16 KiB, is refused with 408 or 431, and the connection is closed.

**Query parameters** that an operation does not list are refused with \`VALIDATION_ERROR\`, whose \`field\` names the parameter. Operations that ignore unknown parameters have \`x-ignores-unknown-parameters\`.

**Null.** In the body of a POST, null for an optional field means that it is absent. In the body of a PATCH, null clears an optional field, and an absent field is not changed.

**Times** are ISO 8601 in UTC with milliseconds; times in requests can have any offset.

**Idempotency.** Send an \`Idempotency-Key\` with POST and PATCH requests to retry them safely: the first response is stored, encrypted, for 24 hours and returned again with \`Idempotency-Replayed: true\`. Every POST and PATCH that requires a credential supports it. The retry must have the same method, path, query and body; JSON is compared by value, not by key order. Responses after which you should retry (429, 5xx or, with a new credential, 401) are not stored: the retry runs the operation again, and does not create a resource twice.

**Limits.** The plan of a workspace limits what it can create and how many requests it can send; \`GET /billing/usage\` returns its usage. A request that would create more is refused with \`PLAN_LIMIT_EXCEEDED\`, whose \`field\` names the limit; clicks are a soft limit. Sign-in and sign-up are limited to 10 requests per minute per client address by default. Bodies are at most 1 MiB, logos 2 MiB, imports 5 MiB. For the limit of writes per second, a request counts as one write per 256 KiB of its body, rounded up; it is accepted unless that limit was already reached. A body has at most 10,000 values, an import 100,000.

${planTable(plans)}

**Events** are sent to webhook endpoints at least once, signed as specified by Standard Webhooks. They are described under \`webhooks\`: the \`type\` of an event selects its schema.

| code | HTTP | when |
|---|---|---|
${errorTable}
`;

/** Returns the OpenAPI 3.1 document of a table of operations (https://spec.openapis.org/oas/v3.1.0). */
export const openApiDocument = (table: readonly Route[], installation: Installation): JsonSchema =>
  JSON.parse(JSON.stringify(describe(table, installation), withoutObviousExample)) as JsonSchema;

/** Removes the examples of a schema whose values are obvious without them. */
function withoutObviousExample(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('examples' in value)) return value;
  const { examples, ...schema } = value as JsonSchema;
  const isObvious =
    'enum' in schema || 'const' in schema || schema['type'] === 'boolean' || schema['format'] === 'date-time';
  return isObvious ? schema : { ...schema, examples };
}

function describe(table: readonly Route[], { baseUrl, plans }: Installation): JsonSchema {
  const named: NamedSchemas = {};
  const shared: Shared = { schemas: named, responses: {} };
  const paths: Paths = {};
  for (const route of table) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, shared);
  jsonSchema(z.object({ error: errorEnvelope }), 'output', named);
  const repeated = shareRepeated(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tautan API',
      version: '1.0.0',
      summary: 'Short links under your own domain.',
      description: introduction(plans),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      baseUrl === undefined
        ? { url: '/', description: 'The address of this document' }
        : { url: baseUrl, description: 'The public address' },
    ],
    tags: [...new Set(table.map(({ section }) => section))].map((name) => ({
      name,
      description: sections[name] ?? name,
    })),
    security: defaultSecurity,
    'x-request-headers': Object.fromEntries(
      ['X-Request-Id', 'X-Workspace-Id'].map((name) => [name, { $ref: `#/components/parameters/${name}` }]),
    ),
    'x-response-headers': headerRefs([...commonHeaders, ...errorHeaders]),
    paths: repeated.paths,
    webhooks: eventWebhooks(named),
    components: {
      schemas: named,
      responses: { ...shared.responses, ...repeated.components.responses },
      headers,
      parameters: { ...parameters, ...eventParameters, ...repeated.components.parameters },
      securitySchemes,
    },
  };
}

const parameters = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Id of the request for logs and traces: 1 to 128 of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`. Any other value is replaced by a new id.',
    schema: { type: 'string', examples: ['import-2030-01-31.7'] },
  },
  'X-Workspace-Id': {
    name: 'X-Workspace-Id',
    in: 'header',
    description:
      'Workspace of the request, for users who belong to several. With an API key, it may only name the workspace of the key.',
    schema: { type: 'string', examples: ['ws_01jd3x8q4v5w6y7z8a9b0c1d2e'] },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of responses that the client has stored. The status is 304 if one of them is current.',
    schema: { type: 'string', examples: ['"kFQXm0bq3mM4hGdzJ0s7Yh0mJ6d1cF8QmV2uH3n5pXA"'] },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Key for safe retries: 1 to 255 printable ASCII characters, unique per request.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$', examples: ['6f1f3f0e-8a0f-4a8b-9d8f-2f2f0c7d1b5a'] },
  },
};

function operation(route: Route, shared: Shared): Operation {
  const named = shared.schemas;
  const { params, query, ignoreUnknownQuery, body, raw, upload } = route.request;
  const common = [
    ...(supportsIdempotencyKey(route) ? ['Idempotency-Key'] : []),
    ...(route.success.conditional ? ['If-None-Match'] : []),
  ];
  return {
    operationId: route.id,
    tags: [route.section],
    summary: route.summary,
    description: [route.description, accessText(accessOf(route))].filter(Boolean).join('\n\n'),
    ...accessFields(accessOf(route), route.tokenParameter),
    ...(ignoreUnknownQuery && { 'x-ignores-unknown-parameters': true }),
    parameters: [
      ...fields(params, 'path', named),
      ...fields(query, 'query', named),
      ...common.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(body, 'input', named) } },
      },
    }),
    ...(raw !== undefined && {
      requestBody: {
        required: true,
        description: raw,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    }),
    ...(upload && { requestBody: { required: true, content: { 'multipart/form-data': { schema: form(upload) } } } }),
    responses: responses(route, shared),
  };
}

const form = ({ field, description }: { field: string; description: string }): JsonSchema => ({
  type: 'object',
  required: [field],
  additionalProperties: false,
  properties: { [field]: { type: 'string', format: 'binary', description, examples: ['logo.png'] } },
});

function fields(schema: z.ZodObject | undefined, where: 'path' | 'query', named: NamedSchemas): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', named) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: where,
    ...((where === 'path' || required.includes(name)) && { required: true }),
    description,
    schema: own,
  }));
}
