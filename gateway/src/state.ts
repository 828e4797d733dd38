import type { ErrorCode, Fault, Principal } from '@tautan/kit';
import type { CallOptions } from '@tautan/kit/rpc';
import type Koa from 'koa';
import type { Caller } from './callers.js';
import type { Outcome } from './envelope.js';
import type { Route } from './routes/route.js';

/** The state of a request; each middleware adds its part. */
export interface State {
  requestId: string;
  /** Client address, resolved through trusted proxies, and user agent. */
  client: { ip: string; userAgent: string | null };
  /** The operation; absent for an unknown path or method. */
  route?: Route;
  /** The caller; absent on public operations. */
  caller?: Caller;
  principal?: Principal;
  /** The user's credential. */
  credential?: string;
  /** Deadline of the response, Unix milliseconds. */
  deadline?: number;
  /** The raw body of a POST or PATCH, or the uploaded file; empty if the request has no body. */
  body?: Buffer;
  /** ULID shared by all attempts with the same Idempotency-Key. */
  operationId?: string;
  /** Aborted when the request must stop. */
  signal?: AbortSignal;
  /** The response in the envelope; absent for redirects, texts, pages, files and downloads. */
  answer?: Answer;
  /** The result code, for log and metrics. */
  code: ErrorCode | 'OK';
  /** Set if the operation is not configured. The code of the response is then SERVICE_UNAVAILABLE. */
  reason?: Fault['reason'];
  /** The code of an error that ended a download after its first byte. */
  downloadError?: ErrorCode;
}

/** The status of a response and the content of its envelope. */
export interface Answer {
  status: number;
  outcome: Outcome;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void> | void;

/** Minimum timeout of a call in ms, so that a call just before the deadline can still receive a response. */
const MIN_TIMEOUT_MS = 50;

/** Returns the options of an RPC for a request: principal, request id and remaining time. */
export function callOptions({ requestId, principal, deadline, signal }: State): CallOptions {
  return {
    requestId,
    ...(principal && { principal }),
    ...(signal && { signal }),
    ...(deadline !== undefined && { timeoutMs: Math.max(MIN_TIMEOUT_MS, deadline - Date.now()) }),
  };
}
