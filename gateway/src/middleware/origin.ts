import { newId, type ClientAddresses } from '@tautan/kit';
import type { Middleware } from '../state.js';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;
const USER_AGENT_MAX = 512;
const controls = /[\u0000-\u001f\u007f-\u009f]/g;

export interface OriginOptions {
  clients: ClientAddresses;
  /** Whether the process is on its way out: connections are then ended with their answer. */
  draining: () => boolean;
}

/** Names the request (X-Request-Id is accepted: 1–128 of [A-Za-z0-9._-]), and says where it came from. */
export function origin({ clients, draining }: OriginOptions): Middleware {
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
    if (draining() && !ctx.headerSent) ctx.set('Connection', 'close');
  };
}

/** A user agent, fit to be kept: bounded, without control characters. */
function userAgent(header: string | undefined): string | null {
  return header?.replace(controls, '').slice(0, USER_AGENT_MAX) || null;
}
