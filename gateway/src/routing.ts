import { METHODS } from 'node:http';
import Router from '@koa/router';
import { fail } from '@tautan/kit';
import type { Route } from './routes/route.js';
import type { Middleware, State } from './state.js';

/**
 * The router of a table. Paths are tried in the table's order, so a literal one before a parameter is never taken for its
 * value, whatever the method: each path ends with the answer to all other methods, which is `others`' step, then OPTIONS
 * or 405 with Allow.
 */
export function createRouter(
  table: readonly Route[],
  steps: (route: Route) => Middleware[],
  others: Middleware,
): Router<State> {
  const router = new Router<State>({ methods: METHODS, sensitive: true });
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const route of routes) router.register(pattern, [route.method], [enter(route), ...steps(route)]);
    router.register(pattern, METHODS, [others, otherMethods(routes)]);
  }
  return router;
}

const enter = (route: Route): Middleware => {
  return (ctx, next) => {
    ctx.state.route = route;
    return next();
  };
};

function otherMethods(routes: readonly Route[]): Middleware {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = [...methods, 'OPTIONS'].join(', ');
  return (ctx) => {
    ctx.set('Allow', allow);
    if (ctx.method !== 'OPTIONS') throw fail('METHOD_NOT_ALLOWED', `This path takes ${allow}.`);
    ctx.status = 204;
  };
}

/** The answer to a path that nobody has. */
export const notFound: Middleware = () => {
  throw fail('NOT_FOUND', 'There is nothing here.');
};
