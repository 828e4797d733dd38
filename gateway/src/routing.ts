import { METHODS } from 'node:http';
import Router from '@koa/router';
import { fail } from '@tautan/kit';
import type { Route } from './routes/route.js';
import type { Context, Middleware, State } from './state.js';

/**
 * Creates the router of a route table. Paths match in table order. If the first matching path has no route for
 * the method of the request, `otherMethodsStep` runs. Then the router responds with Allow and status 204 (OPTIONS) or
 * 405, without trying the paths further down in the table. If a literal path such as `/links/export` comes before
 * `/links/{id}`, it thus takes precedence for every method.
 */
export function createRouter(
  table: readonly Route[],
  steps: (route: Route) => Middleware[],
  otherMethodsStep: Middleware,
): Router<State> {
  const router = new Router<State>({ methods: METHODS, sensitive: true });
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const route of routes) router.register(pattern, [route.method], [enter(route), ...steps(route)]);
    router.register(pattern, METHODS, [otherMethodsStep, otherMethods(routes)]);
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
    if (ctx.method !== 'OPTIONS') throw fail('METHOD_NOT_ALLOWED', `Method not allowed. Allowed methods: ${allow}.`);
    ctx.status = 204;
  };
}

/** Maximum length of a path in an error message. */
const MAX_SHOWN_PATH = 200;

/** Responds to unknown paths. */
export const notFound: Middleware = (ctx) => {
  throw pathNotFound(ctx);
};

/** Returns the NOT_FOUND error for the path of a request. */
export const pathNotFound = ({ method, path }: Context) =>
  fail('NOT_FOUND', `Not found: ${method} ${path.slice(0, MAX_SHOWN_PATH)}.`);
