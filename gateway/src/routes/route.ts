import type { ErrorCode } from '@tautan/kit';
import type { CallOptions } from '@tautan/kit/rpc';
import type { Plans } from '@tautan/proto';
import { z } from 'zod';
import { isPublic, type OperationId } from '../access.js';
import type { Caller } from '../callers.js';
import type { Cookie } from '../cookies.js';
import type { Credentials } from '../credentials.js';
import type { Page } from '../envelope.js';
import type { ServiceClients } from '../service-clients.js';

/** What a handler receives in addition to the validated request. */
export interface HandlerContext {
  clients: ServiceClients;
  /** The plans of this installation. */
  plans: Plans;
  /** Returns the options of a call to a service: principal, request id and remaining time. */
  rpc: () => CallOptions;
  /** Returns a signal that is aborted when the client disconnects. */
  disconnectSignal: () => AbortSignal;
  requestId: string;
  /** With an Idempotency-Key, the ULID that all attempts share. Spread it into requests that create a resource. */
  operation: { operationId?: string };
  /** The caller; undefined for public operations. */
  caller: Caller | undefined;
  /**
   * Access token or session secret of a user; empty for API keys. The workspaces service uses it to call the identity
   * provider on behalf of the user.
   */
  credential: string;
  /** The cache of credentials, for operations that invalidate entries. */
  credentials: Pick<Credentials, 'evictByIds' | 'evictBySecret'>;
  /** Returns the body as received, or the uploaded file, and the headers by name. */
  raw: () => { body: Buffer; header: (name: string) => string };
  browser: Browser;
}

/** The parts of a request that browser sign-in needs. */
export interface Browser {
  cookie(name: string): string | undefined;
  /** Raw query with its question mark. */
  search: string;
  /** Address to which the identity provider redirects the browser. */
  callbackUrl: string;
  /** Client of the request, for the audit log. */
  client: { ip: string; userAgent: string };
}

/** A file that is displayed inline. */
export interface InlineFile {
  /** Empty if not modified. */
  content: Buffer;
  type: string;
  filename: string;
  /** Strong, quoted (RFC 9110 section 8.8.3). */
  etag: string;
  notModified: boolean;
  cacheControl: string;
}

/** A page of the gateway. It loads no resources except the logo of the brand. */
export interface HtmlPage {
  status: number;
  html: string;
  /** Content-Security-Policy. */
  policy: string;
}

/** The result of a handler: data for the envelope, a redirect, a text, an HTML page, a file, or a streamed download. */
export type Reply =
  | ({ cookies?: Cookie[] } & (
      { data: unknown; page?: Page } | { redirect: string } | { text: string; type: string; cacheControl: string }
    ))
  | { html: HtmlPage }
  | { file: InlineFile }
  | { stream: AsyncIterable<string>; type: string; filename: string };

/** Returns the pagination data of a response that contains a whole list. */
export const wholePage = (entries: readonly unknown[]): Page => ({ limit: entries.length, hasMore: false });

/** Returns the pagination data of one page of a list; the page is the last one if `nextCursor` is undefined. */
export function cursorPage(limit: number, nextCursor: string | undefined): Page {
  const hasMore = nextCursor !== undefined;
  return { limit, hasMore, ...(hasMore && { nextCursor }) };
}

type Shape = z.ZodObject | undefined;
type Value<S extends Shape> = S extends z.ZodObject ? z.infer<S> : undefined;

/** A media type of a response that the handler itself writes, for the documentation. */
export interface OtherContent {
  type: string;
  description: string;
  /** Schema of `data`, if the handler writes JSON in the envelope. */
  data?: z.ZodType;
  /** Schema of JSON without an envelope. */
  schema?: z.ZodType;
  /** Whether the content is binary. */
  binary?: true;
}

/** An operation of the API. Router, validation and documentation derive from it. */
export interface RouteOf<P extends Shape, Q extends Shape, B extends Shape> {
  /** Name of the operation in the access matrix, logs and the documentation. */
  id: OperationId;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces: /api/v1/links/{id}. */
  path: string;
  /** Section of the documentation. */
  section: string;
  summary: string;
  description?: string;
  /**
   * Rate limit of a public operation: `auth` for sign-in attempts, `provider` for the payment provider. By default, the
   * limit of other public operations applies.
   */
  limit?: 'auth' | 'provider';
  /** Whether the response contains a secret. Such responses are not compressed. */
  secret?: true;
  /** Whether the response never changes. Such responses are compressed once. */
  constant?: true;
  /** Query parameter whose token replaces credentials. */
  tokenParameter?: string;
  /**
   * Page that reports errors to clients that prefer HTML. `sign-in` is for users who sign in, and `visitor` for
   * visitors of shared QR images.
   */
  errorPage?: 'sign-in' | 'visitor';
  /** Timeout in ms; the configured default if absent. */
  timeoutMs?: number;
  request: {
    params?: P;
    query?: Q;
    /** Ignores unknown query parameters instead of rejecting them, for URLs to which third parties may add parameters. */
    ignoreUnknownQuery?: true;
    body?: B;
    bodyExample?: Record<string, unknown>;
    /** Description of a body that is not parsed, because its signature covers the raw bytes. */
    raw?: string;
    /** The file of a form (multipart/form-data, RFC 7578), which becomes the body. */
    upload?: { field: string; description: string };
    /** Maximum size of the body or file in bytes. Default 1 MiB. */
    bodyLimit?: number;
    /** Maximum number of values in the body. Default 10,000. */
    bodyValues?: number;
  };
  success: {
    status: 200 | 201 | 202 | 302;
    description: string;
    /** Schema of the envelope's `data`; absent if the handler itself writes the response. */
    data?: z.ZodType;
    example?: unknown;
    /**
     * Pagination of a list. cursor: pages with a cursor in `meta.page`. cursor-in-meta: the same, with a copy of the
     * cursor in `meta.cursor`. whole: the response contains the whole list.
     */
    paged?: 'cursor' | 'cursor-in-meta' | 'whole';
    /** Responses that the handler itself writes, one for each media type. */
    other?: OtherContent[];
    /** Whether the response has an ETag, and the operation supports If-None-Match (RFC 9110 section 13.1.2). */
    conditional?: true;
    /** Headers besides those of every response. */
    headers?: ('Location' | 'Set-Cookie')[];
  };
  /** Error codes besides the common ones, which `codesOf` (openapi/responses.ts) adds. */
  errors: ErrorCode[];
  handle(
    request: { params: Value<P>; query: Value<Q>; body: Value<B> },
    context: HandlerContext,
  ): Promise<Reply> | Reply;
}

export type Route = RouteOf<Shape, Shape, Shape>;

/** Returns the definition unchanged. The compiler infers the types of the handler's request from the schemas. */
export const route = <P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
  definition: RouteOf<P, Q, B>,
): Route => definition;

/** Returns whether requests of an operation have a body. Without a schema, the body must have no fields. */
export const takesBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'POST' || method === 'PATCH';

/** Returns the maximum size of the body or the uploaded file of an operation in bytes. */
export const bodyLimitOf = ({ request: { bodyLimit = 1024 * 1024 } }: Pick<Route, 'request'>): number => bodyLimit;

/** Returns the schema of an operation's body; undefined for raw bodies, uploads and methods without a body. */
export function bodySchemaOf(route: Pick<Route, 'method' | 'request'>): z.ZodObject | undefined {
  const { body, raw, upload } = route.request;
  if (raw !== undefined || upload || !takesBody(route)) return undefined;
  return body ?? z.strictObject({});
}

/**
 * Returns whether an operation supports an Idempotency-Key: every POST and PATCH except public ones. A replayed sign-in
 * would give the session to anyone who guesses the key, and events of the payment provider are deduplicated by id.
 */
export const supportsIdempotencyKey = (route: Route): boolean => takesBody(route) && !isPublic(route);
