import { accessOf, assertAllowed } from '../access.js';
import type { Middleware } from '../state.js';

/** Enforces the access matrix. Throws PERSON_ONLY or FORBIDDEN. */
export const authorize: Middleware = (ctx, next) => {
  assertAllowed(accessOf(ctx.state.route!), ctx.state.caller!);
  return next();
};
