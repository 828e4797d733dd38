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

/** What a handler works with besides the validated request. */
export interface Call {
  clients: ServiceClients;
  /** The plans of this installation. */
  plans: Plans;
  /** Options of a call to a peer: principal, request id, what is left of the time. */
  rpc: () => CallOptions;
  /** Is aborted when the client is gone, so that a stream made for it can end. */
  left: () => AbortSignal;
  requestId: string;
  /** Under an Idempotency-Key the ULID that all its attempts share, to spread into requests that create something. */
  operation: { operationId?: string };
  /** Who asks; absent on public operations. */
  caller: Caller | undefined;
  /** What a person showed, an access token or a session's secret, to ask the identity provider with; else empty. */
  credential: string;
  /** What is remembered of credentials, for operations after which that is no longer right. */
  credentials: Pick<Credentials, 'drop' | 'forget'>;
  /** The request as it came, of an operation that takes its body as it is. */
  raw: () => { body: Buffer; header: (name: string) => string };
  browser: Browser;
}

/** What concerns a sign-in by browser. */
export interface Browser {
  cookie(name: string): string | undefined;
  /** The request's query as it came, with its question mark. */
  search: string;
  /** Where the identity provider sends the browser back to. */
  callbackUrl: string;
  /** Where the request came from, for the audit log. */
  client: { ip: string; userAgent: string };
}

/** A file as a whole, to be shown where it is asked for. */
export interface Shown {
  /** Empty where the client has it. */
  content: Buffer;
  type: string;
  filename: string;
  /** Strong, quoted (RFC 9110 section 8.8.3). */
  etag: string;
  notModified: boolean;
  cacheControl: string;
}

/** A page of the gateway, which loads nothing else. */
export interface HtmlPage {
  status: number;
  html: string;
  /** Its Content-Security-Policy. */
  policy: string;
}

/** What a handler answers: data for the envelope; a way to go; a text or a file of its own; or a download written as it comes. */
export type Reply =
  | ({ cookies?: Cookie[] } & (
      { data: unknown; page?: Page } | { redirect: string } | { text: string; type: string; cacheControl: string }
    ))
  | { page: HtmlPage }
  | { shown: Shown }
  | { stream: AsyncIterable<string>; type: string; filename: string };

/** Returns the page of a list that is returned whole. */
export const wholePage = (entries: readonly unknown[]): Page => ({ limit: entries.length, hasMore: false });

/** The page of a list with a cursor; without a next one it is the last. */
export function cursorPage(limit: number, nextCursor: string | undefined): Page {
  const hasMore = nextCursor !== undefined;
  return { limit, hasMore, ...(hasMore && { nextCursor }) };
}

type Shape = z.ZodObject | undefined;
type Value<S extends Shape> = S extends z.ZodObject ? z.infer<S> : undefined;

/** A body or answer of another media type than JSON in the envelope, for the documentation. */
export interface OtherContent {
  type: string;
  description: string;
  /** `data` of JSON in the envelope. */
  data?: z.ZodType;
  /** The schema of JSON without an envelope. */
  schema?: z.ZodType;
  /** Bytes, not text. */
  binary?: true;
}

/** One operation of the API: one row gives the router, the validation, and the documentation. */
export interface RouteOf<P extends Shape, Q extends Shape, B extends Shape> {
  /** Name of the operation in the access matrix, logs, metrics and the documentation. */
  id: OperationId;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces: /api/v1/links/{id}. */
  path: string;
  /** Section of the documentation. */
  section: string;
  summary: string;
  description?: string;
  /** The limit of a public operation: `auth` for attempts to sign in, `provider` for the payment provider. Default: public. */
  limit?: 'auth' | 'provider';
  /** Its response holds a secret: it is never compressed. */
  secret?: true;
  /** Its response is the same every time: it is compressed once. */
  constant?: true;
  /** A query parameter that stands in for credentials: with it nobody is asked who they are. */
  tokenIn?: string;
  /** Opened in browsers: errors are a page for whoever prefers HTML, of a failed sign-in or for visitors of short links. */
  errorPage?: 'sign-in' | 'visitor';
  /** Milliseconds until the answer is given up; the configured default without one. */
  timeoutMs?: number;
  request: {
    params?: P;
    query?: Q;
    /** Ignores unknown query parameters, which are refused otherwise: others write this address and may add their own. */
    ignoreUnknownQuery?: true;
    body?: B;
    bodyExample?: Record<string, unknown>;
    /** What the body is, where it is taken as it is: JSON that somebody signed. */
    raw?: string;
    /** The one file that a form carries (multipart/form-data, RFC 7578); it is then the body. */
    upload?: { field: string; description: string };
    /** Largest body, or largest file, bytes. Default 1 MiB. */
    bodyLimit?: number;
    /** Maximum number of values in the body. Default 10,000. */
    bodyValues?: number;
  };
  success: {
    status: 200 | 201 | 202 | 302;
    description: string;
    /** The envelope's `data`; absent where the answer has no envelope. */
    data?: z.ZodType;
    example?: unknown;
    /** Whether `meta.page` is there: of a list with a cursor (`twice`: in `meta.cursor` too), or of one that is always whole. */
    paged?: 'cursor' | 'twice' | 'whole';
    /** Answers without an envelope. */
    other?: OtherContent[];
    /** Whether it has an ETag, and answers 304 to whoever has it (RFC 9110 section 13.1.2). */
    conditional?: true;
    /** Headers besides those that every answer has. */
    headers?: ('Location' | 'Set-Cookie')[];
  };
  /** Codes that this operation can answer besides those that every one of its kind can. */
  errors: ErrorCode[];
  handle(request: { params: Value<P>; query: Value<Q>; body: Value<B> }, call: Call): Promise<Reply> | Reply;
}

export type Route = RouteOf<z.ZodObject, z.ZodObject, z.ZodObject>;

/** Types a row's handler by its schemas. */
export const route = <P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
  row: RouteOf<P, Q, B>,
): Route => row as unknown as Route;

/** Whether requests of an operation have a body: one without a schema takes no field. */
export const takesBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'POST' || method === 'PATCH';

/** Largest body of an operation, bytes; of an upload, its largest file. */
export const bodyLimitOf = ({ request: { bodyLimit = 1024 * 1024 } }: Pick<Route, 'request'>): number => bodyLimit;

/** The schema of an operation's body; undefined where it is taken as it is, and for methods without one. */
export function bodySchemaOf(route: Pick<Route, 'method' | 'request'>): z.ZodObject | undefined {
  const { body, raw, upload } = route.request;
  if (raw !== undefined || upload || !takesBody(route)) return undefined;
  return body ?? z.strictObject({});
}

/**
 * Whether an operation takes an Idempotency-Key: every POST and PATCH but the public ones. Those sign in, where whoever
 * guesses a key would be given the session, or come from the payment provider, which is deduplicated by the event's id.
 */
export const isIdempotent = (route: Route): boolean => takesBody(route) && !isPublic(route);
