import type { ErrorCode, Principal } from '@tautan/kit';
import type { CallOptions } from '@tautan/kit/rpc';
import type Koa from 'koa';
import type { Caller } from './callers.js';
import type { Outcome } from './envelope.js';
import type { Route } from './routes/route.js';

/** What the chain knows of a request; each step adds its part. */
export interface State {
  requestId: string;
  /** Where the request came from: the address as seen through trusted proxies. */
  client: { ip: string; userAgent: string | null };
  /** The operation; absent for an unknown path or method. */
  route?: Route;
  /** Whose request it is; absent on public operations. */
  caller?: Caller;
  principal?: Principal;
  /** What a person showed. */
  credential?: string;
  /** When the answer is due, milliseconds since 1970. */
  deadline?: number;
  /** The body as it came; empty without one. */
  body?: Buffer;
  /** ULID that all attempts under one Idempotency-Key share. */
  operationId?: string;
  /** Aborted when the request must not go on. */
  signal?: AbortSignal;
  /** What will be sent in the envelope. */
  answer?: Answer;
  /** How it ended, for log and metrics. */
  code: ErrorCode | 'OK' | 'CUT';
}

export interface Answer {
  status: number;
  outcome: Outcome;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void> | void;

/** Shortest time that a call is given, milliseconds, so that a late step is answered TIMEOUT by the peer's own word. */
const LEAST_MS = 50;

/** The options of a call made for a request: who, under which id, and what is left of its time. */
export function callOptions({ requestId, principal, deadline, signal }: State): CallOptions {
  return {
    requestId,
    ...(principal && { principal }),
    ...(signal && { signal }),
    ...(deadline !== undefined && { timeoutMs: Math.max(LEAST_MS, deadline - Date.now()) }),
  };
}
