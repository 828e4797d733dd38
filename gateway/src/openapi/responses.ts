import { errorCatalogue, fail, type ErrorCode } from '@tautan/kit';
import { z } from 'zod';
import { accessOf } from '../access.js';
import { envelope, failed, statusOf, type Page } from '../envelope.js';
import { isIdempotent, takesBody, wholePage, type OtherContent, type Route } from '../routes/route.js';
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
const metaOf = (paged: Paged) => (paged === undefined ? meta : paged === 'twice' ? cursorMeta : pagedMeta);

const examplePage: Page = { limit: 50, hasMore: true, nextCursor: 'eyJ2IjoxfQ' };

const codes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];
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

const okEnvelope = (data: z.ZodType, paged: Paged) =>
  z.object({
    data,
    error: z.null().meta({ description: 'Null on success.', examples: [null] }),
    meta: metaOf(paged),
  });

const limitHeaders = ['RateLimit', 'X-RateLimit'].flatMap((prefix) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => `${prefix}-${name}`),
);
const headerRefs = (names: string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const header = (description: string, type: string, example: unknown): JsonSchema => ({
  description,
  schema: { type, examples: [example] },
});

/** Headers of responses. */
export const headers: Record<string, JsonSchema> = {
  'X-Request-Id': header('Id of the request.', 'string', REQUEST_ID),
  'Retry-After': header(
    'Seconds to wait before a retry, 1 to 3,600; with 502 only if the provider sent one.',
    'integer',
    1,
  ),
  'WWW-Authenticate': header('Authentication scheme, and the error of the token (RFC 6750).', 'string', 'Bearer'),
  Location: header('Address of the redirect.', 'string', '/docs'),
  ETag: header('Version of the content, for If-None-Match.', 'string', '"kFQXm0bq3mM4hGdzJ0s7Yh0mJ6d1cF8QmV2uH3n5pXA"'),
  'Set-Cookie': header(
    'Session cookie, or its deletion; HttpOnly, SameSite=Lax.',
    'string',
    'tautan_session=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
  ),
  'Idempotency-Replayed': header('Present if this is the stored response to an earlier request.', 'string', 'true'),
  ...Object.fromEntries(
    limitHeaders.map((name) => {
      if (name.endsWith('Limit'))
        return [name, header('Maximum requests per second; per minute for sign-in.', 'integer', 100)];
      if (name.endsWith('Remaining')) return [name, header('Requests left in the current window.', 'integer', 99)];
      return [name, header('Seconds until the current window ends.', 'integer', 1)];
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
  if (isIdempotent(route)) add('IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH');
  return codes.filter((code) => own.has(code));
}

/** Components that operations share: schemas and error responses by name. */
export interface Shared {
  schemas: NamedSchemas;
  responses: NamedSchemas;
}

/** Error responses of Node's parser, before an operation is known. */
const parserErrors = {
  408: ['RequestTimeout', 'TIMEOUT', 'The request did not arrive in time.'],
  431: ['HeadersTooLarge', 'PAYLOAD_TOO_LARGE', 'The address and headers exceed 16 KiB.'],
} as const;

/** Returns all responses of an operation by status. Error responses are added to `shared` and referred to. */
export function responses(route: Route, shared: Shared): Record<string, JsonSchema> {
  const refer = (name: string, response: () => JsonSchema): JsonSchema => {
    shared.responses[name] ??= response();
    return { $ref: `#/components/responses/${name}` };
  };
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(route)) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  const errors = [...byStatus].map(([status, group]) => [status, refer(group.join('.'), () => refusals(group))]);
  const unread = Object.entries(parserErrors).map(([status, [name, code, message]]) => [
    status,
    refer(name, () => parserRefusal(code, message)),
  ]);
  const known = route.success.conditional && { 304: refer('NotModified', notModified) };
  return {
    [route.success.status]: success(route, shared.schemas),
    ...known,
    ...(Object.fromEntries([...errors, ...unread]) as NamedSchemas),
  };
}

const notModified = (): JsonSchema => ({
  description: 'The stored response is current.',
  headers: headerRefs(['X-Request-Id', ...limitHeaders, 'ETag']),
});

const parserRefusal = (code: ErrorCode, message: string): JsonSchema => ({
  description: `\`${code}\`: ${message} The connection is closed.`,
  headers: headerRefs(['X-Request-Id']),
  content: errorContent([code]),
});

function success(
  { success: { description, data, example, paged, other = [], headers: own = [], conditional }, ...route }: Route,
  named: NamedSchemas,
): JsonSchema {
  const replayed = isIdempotent(route as Route) ? ['Idempotency-Replayed'] : [];
  const content = data
    ? {
        'application/json': {
          schema: jsonSchema(okEnvelope(data, paged), 'output', named),
          example: {
            data: example,
            error: null,
            meta: {
              requestId: REQUEST_ID,
              timestamp: NOW,
              ...(paged && { page: paged === 'whole' ? wholePage(example as unknown[]) : examplePage }),
              ...(paged === 'twice' && { cursor: examplePage.nextCursor }),
            },
          },
        },
      }
    : Object.fromEntries(
        other.map((content) => [
          content.type,
          { schema: { ...otherSchema(content, named), description: content.description } },
        ]),
      );
  return {
    description,
    headers: headerRefs(['X-Request-Id', ...limitHeaders, ...replayed, ...own, ...(conditional ? ['ETag'] : [])]),
    content,
  };
}

/** Returns the schema of a response of another media type, or of JSON without an example. */
function otherSchema({ data, schema, binary }: OtherContent, named: NamedSchemas): JsonSchema {
  if (data) return jsonSchema(okEnvelope(data, undefined), 'output', named);
  if (schema) return jsonSchema(schema, 'output', named);
  return { type: 'string', ...(binary && { format: 'binary' }) };
}

function refusals(group: ErrorCode[]): JsonSchema {
  const status = statusOf(group[0]!);
  const special = [429, 502].includes(status) ? ['Retry-After'] : status === 401 ? ['WWW-Authenticate'] : [];
  return {
    description: group.map((code) => `\`${code}\`: ${errorCatalogue[code].description}`).join(' '),
    headers: headerRefs(['X-Request-Id', ...limitHeaders, ...special]),
    content: errorContent(group),
  };
}

const errorContent = (group: readonly ErrorCode[]): JsonSchema => ({
  'application/json': {
    schema: { $ref: '#/components/schemas/ErrorEnvelope' },
    examples: Object.fromEntries(group.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
  },
});

/** An example of each error, by its code. */
export const errorExamples: Record<string, JsonSchema> = Object.fromEntries(
  codes.map((code) => [code, { value: exampleOf(code) }]),
);

function exampleOf(code: ErrorCode): unknown {
  const outcome = failed(fail(code, errorCatalogue[code].description));
  return { ...(JSON.parse(envelope(outcome, REQUEST_ID)) as object), meta: { requestId: REQUEST_ID, timestamp: NOW } };
}
