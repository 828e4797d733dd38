import { count, countAddress, type AddressLimit, type Limits } from '../limits.js';
import type { Middleware } from '../state.js';

/** Counts a request against its workspace's plan, reads and writes apart; of somebody without one, for themselves. */
export function limitWorkspace(limits: Limits): Middleware {
  return async (ctx, next) => {
    const kind = ctx.method === 'GET' || ctx.method === 'HEAD' ? 'read' : 'write';
    const { workspaceId, id, plan } = ctx.state.principal!;
    await count(ctx, limits.workspace(plan, kind), workspaceId || id);
    return next();
  };
}

/** Counts a request that needs no credential against its client's address. */
export function limitAddress(limit: AddressLimit): Middleware {
  return async (ctx, next) => {
    await countAddress(ctx, limit);
    return next();
  };
}
