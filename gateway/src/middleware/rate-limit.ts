import { charge, consume, consumeForAddress, type AddressLimit, type Limit, type Limits } from '../limits.js';
import { bodyLimitOf } from '../routes/route.js';
import type { Context, Middleware } from '../state.js';

/** Body size that counts as one write, bytes. A larger body counts as several. */
const WRITE_BYTES = 256 * 1024;

/** Counts a request against its workspace's plan, reads and writes separately. Without a workspace, counts per user. */
export function limitWorkspace(limits: Limits): Middleware {
  return async (ctx, next) => {
    // Bytes beyond the maximum body size do not count: the request is refused without buffering them.
    const declaredBytes = Math.min(Number(ctx.req.headers['content-length'] ?? 0), bodyLimitOf(ctx.state.route!));
    await consume(ctx, ...limitOf(ctx, limits), writesOf(ctx, declaredBytes));
    return next();
  };
}

/**
 * Counts the further writes of a chunked body, whose size is known only once it has been read. `limitWorkspace` has
 * counted the first write.
 */
export function chargeChunkedBody(limits: Limits): Middleware {
  return async (ctx, next) => {
    const more = writesOf(ctx, ctx.state.body?.length ?? 0) - 1;
    const hasContentLength = ctx.req.headers['content-length'] !== undefined;
    if (more > 0 && !hasContentLength) await charge(ctx, ...limitOf(ctx, limits), more);
    return next();
  };
}

/** Returns whether a request only reads, by its method. */
export const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

const writesOf = (ctx: Context, bytes: number): number =>
  isRead(ctx) ? 1 : Math.max(1, Math.ceil(bytes / WRITE_BYTES));

function limitOf(ctx: Context, limits: Limits): [Limit, string] {
  const { workspaceId, id, plan } = ctx.state.principal!;
  return [limits.workspace(plan, isRead(ctx) ? 'read' : 'write'), workspaceId || id];
}

/** Counts a request that needs no credential against its client's address. */
export function limitAddress(limit: AddressLimit): Middleware {
  return async (ctx, next) => {
    await consumeForAddress(ctx, limit);
    return next();
  };
}
