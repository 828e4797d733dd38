import { addressKey, count, type Limits } from '../limits.js';
import type { Middleware } from '../state.js';

/** Counts a request against its workspace's plan, reads and writes apart. */
export function limitWorkspace(limits: Limits): Middleware {
  return async (ctx, next) => {
    const kind = ctx.method === 'GET' || ctx.method === 'HEAD' ? 'reads' : 'writes';
    await count(ctx, limits.workspace(ctx.state.plan!, kind), ctx.state.principal!.workspaceId);
    return next();
  };
}

/** Counts a request that needs no credential against its client's address. */
export function limitAddress(limits: Limits): Middleware {
  return async (ctx, next) => {
    await count(ctx, limits.public, addressKey(ctx.state.client.ip));
    return next();
  };
}
