import { fail, type Log, type Fault, isFault } from '@tautan/kit';
import { envelope, failed, statusOf } from '../envelope.js';
import { errorPage } from '../pages/error-page.js';
import type { Answer, Context, Middleware } from '../state.js';

/** Writes every answer's envelope; whatever was thrown becomes an error in it. */
export function envelopes(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      refuse(ctx, asFault(error, ctx.state.requestId, log));
    }
    const { answer, requestId, route } = ctx.state;
    if (!answer || ctx.headerSent) return;
    if (route?.errorPage && answer.outcome.error) {
      ctx.vary('Accept');
      if (ctx.accepts('json', 'html') === 'html') return errorPage(ctx, answer.status, answer.outcome.error);
    }
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
  const retryAfter = fault.retryAfter ?? (fault.code === 'TOO_MANY_REQUESTS' ? 1 : undefined);
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (statusOf(fault.code) === 401) ctx.set('WWW-Authenticate', challenge(ctx, fault));
}

/** RFC 6750 section 3: whoever showed a token is told that it is of no use; whoever showed none, only what is wanted. */
function challenge({ req }: Context, { code }: Fault): string {
  if (!/^bearer +\S/i.test(req.headers.authorization ?? '')) return 'Bearer';
  const reason = code === 'TOKEN_EXPIRED' ? ', error_description="The access token expired"' : '';
  return `Bearer error="invalid_token"${reason}`;
}

/** The fault that an error stands for; what is not one is a defect: logged here, and never shown. */
export function asFault(error: unknown, requestId: string, log: Log): Fault {
  if (isFault(error)) return error;
  log.error({ err: error, requestId }, 'a request met a defect');
  return fail('INTERNAL_ERROR', 'An internal error occurred.');
}
