import { createHash } from 'node:crypto';
import { fail, type Fault, type Log } from '@tautan/kit';
import type { CallOptions } from '@tautan/kit/rpc';
import { accessOf } from '../access.js';
import { canonicalBody } from '../canonical-json.js';
import type { Claims } from '../claims.js';
import type { Outcome } from '../envelope.js';
import type { ServiceClients } from '../service-clients.js';
import { supportsIdempotencyKey } from '../routes/route.js';
import { callOptions, type Answer, type Context, type Middleware } from '../state.js';
import { asFault, refusal } from './envelopes.js';

const HEADER = 'Idempotency-Key';
const acceptable = /^[\x20-\x7e]{1,255}$/;
/** Timeout for storing the response, milliseconds. The client waits while it is stored. */
const STORE_MS = 1_000;

/**
 * Runs a request with an Idempotency-Key once: its response is stored for 24 hours and returned to every retry.
 * Responses after which clients should retry (401, 429, 5xx) are not stored; the retry runs with the same operation id.
 */
export function idempotency(clients: ServiceClients, claims: Claims, log: Log): Middleware {
  return async (ctx, next) => {
    const given = ctx.req.headers['idempotency-key'];
    if (given === undefined || !supportsIdempotencyKey(ctx.state.route!)) return next();
    const key = String(given);
    if (!acceptable.test(key))
      throw fail('VALIDATION_ERROR', `${HEADER} must be 1 to 255 printable ASCII characters.`, HEADER);
    const from = performance.now();
    const request = { key, fingerprint: fingerprint(ctx), holder: claims.holder };
    const begun = await clients.idempotency.call('BeginRequest', request, options(ctx));
    const { state, operationId, answer, claimId, leaseMs } = begun;
    if (state === 'mismatch') throw fail('IDEMPOTENCY_MISMATCH', `This ${HEADER} was used with a different request.`);
    if (state === 'in_progress')
      throw fail('IDEMPOTENCY_IN_PROGRESS', `The request with this ${HEADER} is still running.`);
    if (state === 'replay' && answer) return replay(ctx, answer);
    ctx.state.operationId = operationId;
    await claims.hold({ claimId, leaseMs, from }, async (signal) => {
      ctx.state.signal = signal;
      const fault = await next().then(
        () => undefined,
        (error: unknown) => asFault(error, ctx.state.requestId, log),
      );
      // Once the signal is aborted, another request may hold the key.
      if (!signal.aborted) await settle(ctx, { key, claimId }, fault, { clients, log });
      if (fault) throw fault;
    });
  };
}

/**
 * Returns call options that scope the key by workspace. If the operation needs no workspace, the key is scoped by user,
 * because a retry may come with another workspace, or without one.
 */
function options({ state }: Context): CallOptions {
  const { principal, ...rest } = callOptions(state);
  if (!principal) return rest;
  const workspaceId = accessOf(state.route!).role === 'anyone' ? principal.id : principal.workspaceId;
  return { ...rest, principal: { ...principal, workspaceId } };
}

/** Returns the SHA-256 of method, path, query and body, with JSON in canonical form. */
function fingerprint({ method, path, querystring, state }: Context): Buffer {
  const { upload } = state.route!.request;
  const body = state.body ?? Buffer.alloc(0);
  return createHash('sha256')
    .update(`${method}\n${path}\n${querystring}\n`)
    .update(upload ? body : canonicalBody(body))
    .digest();
}

function replay(ctx: Context, { status, body }: { status: number; body: string }): void {
  const outcome = JSON.parse(body) as Outcome;
  ctx.set('Idempotency-Replayed', 'true');
  ctx.state.answer = { status, outcome };
  ctx.state.code = outcome.error?.code ?? 'OK';
}

/** Returns whether clients should retry: later, or with a new credential after a 401. */
const isRetryable = (status: number): boolean => status >= 500 || status === 429 || status === 401;

/** Stores the response or releases the claim. A failure is logged and does not affect the response. */
async function settle(
  ctx: Context,
  claim: { key: string; claimId: string },
  fault: Fault | undefined,
  { clients, log }: { clients: ServiceClients; log: Log },
): Promise<void> {
  const { status, outcome }: Answer = fault ? refusal(fault) : ctx.state.answer!;
  const within = { ...options(ctx), timeoutMs: STORE_MS };
  const settled = isRetryable(status)
    ? clients.idempotency.call('ReleaseRequest', claim, within)
    : clients.idempotency.call(
        'CompleteRequest',
        { ...claim, answer: { status, body: JSON.stringify(outcome) } },
        within,
      );
  await settled.catch((error: unknown) =>
    log.warn({ err: error, requestId: ctx.state.requestId }, 'the outcome of an idempotent request was not stored'),
  );
}
