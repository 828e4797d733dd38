import { errorCatalog, type ErrorCode } from '@tautan/kit';
import { z } from 'zod';
import { accessOf } from '../access.js';
import { statusOf, type Page } from '../envelope.js';
import { supportsIdempotencyKey, takesBody, wholePage, type OtherContent, type Route } from '../routes/route.js';
import { jsonSchema, type JsonSchema, type NamedSchemas } from '@tautan/proto';

const REQUEST_ID = 'req_01jd3x8q4v5w6y7z8a9b0c1d2e';
const NOW = '2030-01-31T12:00:00.000Z';

const meta = z
  .object({
    requestId: z.string().meta({ description: 'Id of the request, also in X-Request-Id.', examples: [REQUEST_ID] }),
    timestamp: z.string().meta({ format: 'date-time', description: 'Time of the response.', examples: [NOW] }),
  })
  .meta({ id: 'Meta', description: 'Metadata of the response.' });

const page = z
  .object({
    limit: z
      .number()
      .int()
      .meta({ description: 'Page size; for a list without pagination the number of entries.', examples: [50] }),
    hasMore: z.boolean().meta({ description: 'Whether there is a next page.', examples: [true] }),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: '`cursor` of the next page; absent on the last page.', examples: ['eyJ2IjoxfQ'] }),
  })
  .meta({ id: 'Page', description: 'Position of the page in the list.' });

const pagedMeta = meta
  .extend({ page })
  .meta({ id: 'PagedMeta', description: 'Metadata of the response and its page.' });

const cursorMeta = pagedMeta
  .extend({
    cursor: z
      .string()
      .optional()
      .meta({ description: 'Same as `page.nextCursor`.', examples: ['eyJ2IjoxfQ'] }),
  })
  .meta({ id: 'CursorMeta', description: 'Metadata of the response and its page.' });

type Paged = Route['success']['paged'];
const metaOf = (paged: Paged) => (paged === undefined ? meta : paged === 'cursor-in-meta' ? cursorMeta : pagedMeta);

const examplePage: Page = { limit: 50, hasMore: true, nextCursor: 'eyJ2IjoxfQ' };

const codes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]];
export const errorEnvelope = z
  .object({
    data: z.null().meta({ description: 'Null on an error.', examples: [null] }),
    error: z
      .object({
        code: z.enum(codes).meta({ description: 'Error code, for programs.', examples: ['VALIDATION_ERROR'] }),
        message: z
          .string()
          .meta({ description: 'Error message, for developers and users.', examples: ['url is required.'] }),
        field: z
          .string()
          .optional()
          .meta({ description: 'Invalid field, as a dotted path.', examples: ['links.3.url'] }),
      })
      .meta({ id: 'Error', description: 'An error.' }),
    meta,
  })
  .meta({ id: 'ErrorEnvelope', description: 'The body of every error response.' });

const noError = z.null().meta({ id: 'NoError', description: 'Null on success.', examples: [null] });
const okEnvelope = (data: z.ZodType, paged: Paged) =>
  z.object({
    data,
    error: noError,
    meta: metaOf(paged),
  });

const limitHeaders = ['RateLimit', 'X-RateLimit'].flatMap((prefix) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => `${prefix}-${name}`),
);
export const headerRefs = (names: string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const header = (description: string, type: string, example: unknown): JsonSchema => ({
  description,
  schema: { type, examples: [example] },
});

/** Names of the headers that all responses of operations have. */
export const commonHeaders = ['X-Request-Id', ...limitHeaders];
/** Names of the headers that only error responses have. */
export const errorHeaders = ['Retry-After', 'WWW-Authenticate'];

/** Headers of responses. */
export const headers: Record<string, JsonSchema> = {
  'X-Request-Id': header('Id of the request.', 'string', REQUEST_ID),
  'Retry-After': header(
    'With 429, and with 502 or 503 if the delay is known: seconds to wait before a retry, 1 to 3,600.',
    'integer',
    1,
  ),
  'WWW-Authenticate': header(
    'With 401: authentication scheme, and the error of the token (RFC 6750).',
    'string',
    'Bearer',
  ),
  Location: header('URL that the response redirects to.', 'string', '/docs'),
  ETag: header('Version of the content, for If-None-Match.', 'string', '"kFQXm0bq3mM4hGdzJ0s7Yh0mJ6d1cF8QmV2uH3n5pXA"'),
  'Set-Cookie': header(
    'Cookie of a session or of a sign-in in progress, or its deletion; HttpOnly, SameSite=Lax.',
    'string',
    'tautan_session=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
  ),
  'Idempotency-Replayed': header('Present if this is the stored response to an earlier request.', 'string', 'true'),
  ...Object.fromEntries(
    limitHeaders.map((name) => {
      if (name.endsWith('Limit'))
        return [name, header('Maximum requests per second; per minute for sign-in.', 'integer', 100)];
      if (name.endsWith('Remaining')) return [name, header('Requests that are allowed now.', 'integer', 99)];
      return [name, header('Seconds until the oldest counted requests leave the sliding window.', 'integer', 1)];
    }),
  ),
};

/** Returns every error code that an operation can respond with. */
export function codesOf(route: Route): ErrorCode[] {
  const own = new Set<ErrorCode>([...route.errors, 'TOO_MANY_REQUESTS', 'INTERNAL_ERROR']);
  const add = (...more: ErrorCode[]) => more.forEach((code) => own.add(code));
  const { credentials } = accessOf(route);
  if (!route.request.ignoreUnknownQuery) add('VALIDATION_ERROR');
  if (credentials.length > 0) add('UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN');
  if (credentials.length > 0) add('UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT');
  if (credentials.length > 0 && !credentials.includes('api_key')) add('PERSON_ONLY');
  if (takesBody(route)) add('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (supportsIdempotencyKey(route)) add('IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH');
  return codes.filter((code) => own.has(code));
}

/** Components that operations share, by name: schemas, error responses and the 304 response. */
export interface Shared {
  schemas: NamedSchemas;
  responses: NamedSchemas;
}

/**
 * Returns all responses of an operation by status: the success status, `304` if the operation supports conditional
 * requests, `4XX` and `5XX`. Operations with the same error codes share a response. Shared responses are added to
 * `shared`.
 */
export function responses(route: Route, shared: Shared): Record<string, JsonSchema> {
  const refer = (name: string, response: JsonSchema): JsonSchema => {
    const content = JSON.stringify(response);
    const [known = name] = Object.entries(shared.responses).find(([, one]) => JSON.stringify(one) === content) ?? [];
    shared.responses[known] ??= response;
    return { $ref: `#/components/responses/${known}` };
  };
  const all = codesOf(route).toSorted((a, b) => statusOf(a) - statusOf(b));
  const errors = ([4, 5] as const).map((kind) => {
    const group = all.filter((code) => Math.floor(statusOf(code) / 100) === kind);
    return [`${kind}XX`, refer(`${route.id}.${kind}XX`, errorResponse(group))] as const;
  });
  const unchanged = route.success.conditional && { 304: refer('NotModified', notModified) };
  return { [route.success.status]: success(route, shared.schemas), ...unchanged, ...Object.fromEntries(errors) };
}

const notModified: JsonSchema = {
  description: 'The response that the client has stored is current.',
  headers: headerRefs(['ETag']),
};

function success(
  { success: { description, data, paged, other = [], headers: own = [], conditional }, ...route }: Route,
  named: NamedSchemas,
): JsonSchema {
  const special = [
    ...(supportsIdempotencyKey(route as Route) ? ['Idempotency-Replayed'] : []),
    ...own,
    ...(conditional ? ['ETag'] : []),
  ];
  const content = data
    ? { 'application/json': { schema: jsonSchema(okEnvelope(data, paged), 'output', named) } }
    : Object.fromEntries(
        other.map((content) => [
          content.type,
          { schema: { ...otherSchema(content, named), description: content.description } },
        ]),
      );
  return { description, ...(special.length > 0 && { headers: headerRefs(special) }), content };
}

/** Returns an example of the body of a successful response; undefined unless it is JSON in the envelope. */
export function exampleOf({ success: { data, example, paged } }: Route): unknown {
  if (!data) return undefined;
  return {
    data: example,
    error: null,
    meta: {
      requestId: REQUEST_ID,
      timestamp: NOW,
      ...(paged && { page: paged === 'whole' ? wholePage(example as unknown[]) : examplePage }),
      ...(paged === 'cursor-in-meta' && { cursor: examplePage.nextCursor }),
    },
  };
}

/** Returns the schema of a body that the handler itself writes: JSON (with or without the envelope), text or binary. */
function otherSchema({ data, schema, binary }: OtherContent, named: NamedSchemas): JsonSchema {
  if (data) return jsonSchema(okEnvelope(data, undefined), 'output', named);
  if (schema) return jsonSchema(schema, 'output', named);
  return { type: 'string', ...(binary && { format: 'binary' }) };
}

const errorResponse = (group: ErrorCode[]): JsonSchema => ({
  description: group.map((code) => `${statusOf(code)} ${code}`).join(', '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
});
