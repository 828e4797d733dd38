import { fail, type Brand, type Log, type Fault, isFault } from '@tautan/kit';
import { envelope, failed, statusOf } from '../envelope.js';
import { errorPage } from '../pages/error-page.js';
import { visitorErrorPage } from '../pages/visitor-error-page.js';
import type { Answer, Context, Middleware } from '../state.js';
import { isRead } from './rate-limit.js';

/** Sends results and errors in the envelope. Errors of routes with `errorPage` are HTML if the client prefers it. */
export function envelopes(log: Log, brand: Brand): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      refuse(ctx, forMethod(ctx, asFault(error, ctx.state.requestId, log)));
    }
    const { answer, requestId, route } = ctx.state;
    if (!answer || ctx.headerSent) return;
    if (route?.errorPage && answer.outcome.error) {
      ctx.vary('Accept');
      if (ctx.accepts('json', 'html') === 'html') {
        if (route.errorPage === 'visitor') return visitorErrorPage(ctx, answer.status, brand);
        return errorPage(ctx, answer.status, answer.outcome.error);
      }
    }
    ctx.status = answer.status;
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = envelope(answer.outcome, requestId);
  };
}

/**
 * Returns the fault. After a read, the message of TIMEOUT does not say that a change may have been applied. The GET
 * that finishes a sign-in is not such a read, because it changes something.
 */
const forMethod = (ctx: Context, fault: Fault): Fault =>
  fault.code === 'TIMEOUT' && isRead(ctx) && ctx.state.route?.id !== 'finishSignIn'
    ? fail('TIMEOUT', 'The request timed out. Try again.')
    : fault;

/** Converts a fault to a response. */
export const refusal = (fault: Fault): Answer => ({ status: statusOf(fault.code), outcome: failed(fault) });

function refuse(ctx: Context, fault: Fault): void {
  ctx.state.answer = refusal(fault);
  ctx.state.code = fault.code;
  ctx.state.reason = fault.reason;
  const retryAfter = fault.retryAfter ?? (fault.code === 'TOO_MANY_REQUESTS' ? 1 : undefined);
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  if (statusOf(fault.code) === 401) ctx.set('WWW-Authenticate', challenge(ctx, fault));
}

/** WWW-Authenticate (RFC 6750, 3): names the error only if the request had a token. */
function challenge({ req }: Context, { code }: Fault): string {
  if (!/^bearer +\S/i.test(req.headers.authorization ?? '')) return 'Bearer';
  const reason = code === 'TOKEN_EXPIRED' ? ', error_description="The access token expired"' : '';
  return `Bearer error="invalid_token"${reason}`;
}

/** Returns the error if it is a fault. Any other error is a defect: logs it and returns INTERNAL_ERROR. */
export function asFault(error: unknown, requestId: string, log: Log): Fault {
  if (isFault(error)) return error;
  log.error({ err: error, requestId }, 'unexpected error in a request');
  return fail('INTERNAL_ERROR', 'An internal error occurred.');
}
