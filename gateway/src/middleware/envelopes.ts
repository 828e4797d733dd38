import { fail, type Log, type Fault, isFault } from '@tautan/kit';
import { envelope, failed, statusOf } from '../envelope.js';
import type { Answer, Context, Middleware } from '../state.js';

/** Writes every answer's envelope; whatever was thrown becomes an error in it. */
export function envelopes(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      refuse(ctx, asFault(error, ctx.state.requestId, log));
    }
    const { answer, requestId } = ctx.state;
    if (!answer || ctx.headerSent) return;
    ctx.status = answer.status;
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = envelope(answer.outcome, requestId);
  };
}

/** A fault as an answer. */
export const refusal = (fault: Fault): Answer => ({ status: statusOf(fault.code), outcome: failed(fault) });

function refuse(ctx: Context, fault: Fault): void {
  ctx.state.answer = refusal(fault);
  ctx.state.code = fault.code;
  if (fault.code === 'UNAUTHENTICATED' || fault.code === 'TOKEN_EXPIRED') ctx.set('WWW-Authenticate', 'Bearer');
}

/** The fault that an error stands for; what is not one is a defect: logged here, and never shown. */
export function asFault(error: unknown, requestId: string, log: Log): Fault {
  if (isFault(error)) return error;
  log.error({ err: error, requestId }, 'a request met a defect');
  return fail('INTERNAL_ERROR', 'An internal error occurred.');
}
