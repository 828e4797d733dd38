import type { ErrorCode } from '@tautan/kit';
import type { CallOptions } from '@tautan/kit/rpc';
import type { z } from 'zod';
import type { Page } from '../envelope.js';
import type { Peers } from '../peers.js';

/** What a handler works with besides the validated request. */
export interface Call {
  peers: Peers;
  /** Options of a call to a peer: principal, request id, what is left of the time. */
  rpc: () => CallOptions;
  /** Is aborted when the client is gone, so that a stream made for it can end. */
  left: () => AbortSignal;
  requestId: string;
  /** Set under an Idempotency-Key: the same ULID for every attempt. */
  operationId: string | undefined;
}

/** What a handler answers: data for the envelope; or a text of its own; or a download that is written as it comes. */
export type Reply =
  | { data: unknown; page?: Page }
  | { text: string; type: string; cacheControl: string }
  | { stream: AsyncIterable<string>; type: string; filename: string };

type Shape = z.ZodObject | undefined;
type Value<S extends Shape> = S extends z.ZodObject ? z.infer<S> : undefined;

/** A body or answer of another media type than JSON in the envelope, for the documentation. */
export interface OtherContent {
  type: string;
  description: string;
}

/** One operation of the API: one row gives the router, the validation, and the documentation. */
export interface RouteOf<P extends Shape, Q extends Shape, B extends Shape> {
  /** Name of the operation in logs, metrics and the documentation. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces: /api/v1/links/{id}. */
  path: string;
  /** Section of the documentation. */
  section: string;
  summary: string;
  description?: string;
  /** public: nobody is asked for a credential. */
  access: 'public' | 'api_key';
  /** Milliseconds until the answer is given up; the configured default without one. */
  timeoutMs?: number;
  request: {
    params?: P;
    query?: Q;
    body?: B;
    bodyExample?: Record<string, unknown>;
    /** Largest body, bytes. Default 1 MiB. */
    bodyLimit?: number;
  };
  success: {
    status: 200 | 201;
    description: string;
    /** The envelope's `data`; absent where the answer has no envelope. */
    data?: z.ZodType;
    example?: unknown;
    /** Whether `meta.page` is there. */
    paged?: boolean;
    /** Answers without an envelope. */
    other?: OtherContent[];
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

/** Whether an operation takes an Idempotency-Key: what makes or changes something and is not naturally repeatable. */
export const isIdempotent = ({ method, access }: Route): boolean =>
  access !== 'public' && (method === 'POST' || method === 'PATCH');
