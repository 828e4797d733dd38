import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  errorsOf,
  operation,
  readDescription,
  resolved,
  responseFor,
  type Document,
  type Operation,
} from './description.js';

export interface Request {
  /** Path parameters by name. */
  params?: Record<string, string>;
  /** Query string, with its question mark. */
  query?: string;
  /** A form, a text sent unchanged, or an object sent as JSON. */
  body?: FormData | string | object;
  headers?: Record<string, string>;
  /** A credential other than the API key; empty for none. */
  as?: string;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** `data` of the envelope, if the body is JSON. Typed as `never`, so that tests can assign it to any type. */
  data: never;
  error: { code: string; message: string; field?: string } | null;
}

/** Sends requests by operation id and compares every response with the OpenAPI document. */
export interface Conformance {
  call(id: string, request?: Request): Promise<Reply>;
  /** The observed responses, such as `createLink 201` or `createLink 409 SLUG_TAKEN`. */
  seen: Set<string>;
  /** Differences between responses and the document. */
  problems: string[];
  /** Returns whether a value matches the documented request body of an operation. */
  accepts(id: string, body: unknown): boolean;
}

/** Headers that all responses with these statuses must have. */
const headersByStatus: Record<number, string[]> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'] };
/** Headers that only some responses of an operation have. */
const optionalHeaders = new Set(['Idempotency-Replayed', 'Set-Cookie', 'Retry-After', 'WWW-Authenticate']);

export async function startConformance({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<Conformance> {
  const document = await readDescription(baseUrl);
  const validatorOf = validators(document);
  const seen = new Set<string>();
  const problems: string[] = [];
  const call = async (id: string, { params = {}, query = '', body, headers = {}, as = apiKey }: Request = {}) => {
    const called = operation(id);
    const { method, path } = called;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const response = await fetch(baseUrl + filled + query, {
      method,
      redirect: 'manual',
      headers: { ...(as && { authorization: `Bearer ${as}` }), ...contentTypeOf(body), ...headers },
      ...(body !== undefined && {
        body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
      }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const reply = replyOf(response, bytes.toString());
    seen.add([id, reply.status, reply.error?.code].filter(Boolean).join(' '));
    const found = differencesFrom(document, called, reply, () => validatorOf(id, reply));
    problems.push(...found.map((problem) => `${id} ${reply.status} ${reply.error?.code ?? ''}: ${problem}`));
    return reply;
  };
  return { call, seen, problems, accepts: (id, body) => validatorOf(id)(body) };
}

const contentTypeOf = (body: Request['body']): Record<string, string> =>
  body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' };

function replyOf({ status, headers }: globalThis.Response, text: string): Reply {
  const isJson = mediaTypeOf(headers) === 'application/json' && text !== '';
  const { data, error = null } = (isJson ? JSON.parse(text) : {}) as Partial<Reply>;
  return { status, headers, text, data: data as never, error };
}

const mediaTypeOf = (headers: Headers): string => (headers.get('content-type') ?? '').split(';')[0]!;

/** Compares the headers, media type, error code and body of a response with the document. */
function differencesFrom(
  document: Document,
  called: Operation,
  { status, headers, text, error }: Reply,
  validator: () => ValidateFunction,
): string[] {
  const [, documented] = responseFor(called, status) ?? [];
  if (!documented) return ['the status is not documented'];
  const response = resolved(documented);
  const expected = Object.keys({ ...document['x-response-headers'], ...response.headers });
  const required = [...expected.filter((name) => !optionalHeaders.has(name)), ...(headersByStatus[status] ?? [])];
  const absent = required.filter((name) => !headers.has(name));
  const content = response.content?.[mediaTypeOf(headers)];
  const found = absent.map((name) => `no header ${name}`);
  if (text !== '' && !content) return [...found, `the media type ${mediaTypeOf(headers)} is not documented`];
  const isDocumented = errorsOf(called).some((each) => each.code === error?.code && each.status === String(status));
  if (error && !isDocumented) found.push('the code is not documented');
  if (text === '' || mediaTypeOf(headers) !== 'application/json') return found;
  const validate = validator();
  if (validate(JSON.parse(text))) return found;
  return [
    ...found,
    ...(validate.errors ?? []).map(
      (each) => `${each.instancePath || '/'} ${each.message} ${JSON.stringify(each.params)}`,
    ),
  ];
}

/**
 * Returns a function that returns the validator of an operation's response body, or of its request body if `reply` is
 * omitted. The validators reject undocumented fields.
 */
function validators(document: Document): (id: string, reply?: Reply) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...(closed(document) as object) });
  const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
  const pointer = (...keys: string[]): string => `openapi#/${keys.map(escaped).join('/')}`;
  return (id, reply) => {
    const called = operation(id);
    const at = ['paths', called.path, called.method.toLowerCase()];
    const [key = '', documented] = (reply && responseFor(called, reply.status)) ?? [];
    const response = documented?.$ref ? documented.$ref.slice('#/'.length).split('/') : [...at, 'responses', key];
    const schema = reply
      ? pointer(...response, 'content', mediaTypeOf(reply.headers), 'schema')
      : pointer(...at, 'requestBody', 'content', 'application/json', 'schema');
    const validate = ajv.getSchema(schema);
    if (!validate) throw new Error(`OpenAPI has no schema ${schema}.`);
    return validate;
  };
}

/** Returns a copy of a document whose objects accept only documented fields, unless they declare otherwise. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [
    key,
    key.startsWith('example') ? (part as unknown) : closed(part),
  ]);
  const copy = Object.fromEntries(parts) as Record<string, unknown>;
  const isOpen = copy['type'] === 'object' && copy['properties'] && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
