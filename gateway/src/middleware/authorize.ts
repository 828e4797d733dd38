import { accessOf, assertAllowed } from '../access.js';
import type { Middleware } from '../state.js';

/** Lets through whom the access matrix allows the operation. Throws PERSON_ONLY or FORBIDDEN. */
export const authorize: Middleware = (ctx, next) => {
  assertAllowed(accessOf(ctx.state.route!), ctx.state.caller!);
  return next();
};
