import { newId, type ClientAddresses } from '@tautan/kit';
import type { Middleware } from '../state.js';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;
const MAX_USER_AGENT_LENGTH = 512;
const controls = /[\u0000-\u001f\u007f-\u009f]/g;

export interface RequestContextOptions {
  clients: ClientAddresses;
  /** Whether the process is shutting down: connections are then closed after their response. */
  isDraining: () => boolean;
}

/**
 * Sets the request id, and the client's address and user agent. The request id is X-Request-Id if it consists of 1 to
 * 128 characters of [A-Za-z0-9._-], otherwise a new id.
 */
export function requestContext({ clients, isDraining }: RequestContextOptions): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = acceptable.test(given) ? given : newId('req');
    ctx.state.client = {
      ip: clients.of(ctx.req.socket.remoteAddress ?? '', ctx.get('x-forwarded-for')),
      userAgent: userAgent(ctx.req.headers['user-agent']),
    };
    ctx.state.code = 'OK';
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    await next();
    if (isDraining() && !ctx.headerSent) ctx.set('Connection', 'close');
  };
}

/** Returns the user agent without control characters, at most 512 characters; null if there is none. */
function userAgent(header: string | undefined): string | null {
  return header?.replace(controls, '').slice(0, MAX_USER_AGENT_LENGTH) || null;
}
