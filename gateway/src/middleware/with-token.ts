import type { Context, Middleware } from '../state.js';

/** Runs `open` for requests with a token in the query parameter `parameter`, and `guarded` for all others. */
export function withToken(parameter: string, open: Middleware[], guarded: Middleware[]): Middleware {
  return (ctx, next) => {
    const token = new URLSearchParams(ctx.querystring).get(parameter);
    return run(token ? open : guarded, ctx, next);
  };
}

/** Runs middleware in order, and then `next`. */
async function run([first, ...others]: Middleware[], ctx: Context, next: () => Promise<void>): Promise<void> {
  return first ? first(ctx, () => run(others, ctx, next)) : next();
}
