import type { Context, Middleware } from '../state.js';

/** One way in for requests that show a token in a query parameter, which is then their credential; another for all others. */
export function withToken(parameter: string, open: Middleware[], guarded: Middleware[]): Middleware {
  return (ctx, next) => {
    const shown = new URLSearchParams(ctx.querystring).get(parameter);
    return run(shown ? open : guarded, ctx, next);
  };
}

/** Runs middleware one inside the other, and `next` in the last. */
async function run([first, ...others]: Middleware[], ctx: Context, next: () => Promise<void>): Promise<void> {
  return first ? first(ctx, () => run(others, ctx, next)) : next();
}
