import { brandOf, ClientAddresses, type Log, type Registry } from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import Koa from 'koa';
import { isPublic } from './access.js';
import type { Claims } from './claims.js';
import type { GatewayConfig } from './config.js';
import type { Credentials } from './credentials.js';
import type { LimitStore } from './limit-store.js';
import { createLimits } from './limits.js';
import { answer } from './middleware/answer.js';
import { authenticate } from './middleware/authenticate.js';
import { authorize } from './middleware/authorize.js';
import { boundBody, readBody } from './middleware/body.js';
import { compress } from './middleware/compress.js';
import { cors } from './middleware/cors.js';
import { docsSite } from './middleware/docs-site.js';
import { envelopes } from './middleware/envelopes.js';
import { idempotency } from './middleware/idempotency.js';
import { observe } from './middleware/observe.js';
import { csrf } from './middleware/csrf.js';
import { chargeChunkedBody, limitAddress, limitWorkspace } from './middleware/rate-limit.js';
import { requestContext } from './middleware/request-context.js';
import { withToken } from './middleware/with-token.js';
import { openApiRoute } from './openapi/route.js';
import type { ServiceClients } from './service-clients.js';
import type { Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { createRouter, notFound } from './routing.js';
import { Site } from './site.js';
import type { Middleware, State } from './state.js';
import { application } from './static/application.js';

export interface AppDeps {
  config: GatewayConfig;
  clients: ServiceClients;
  claims: Claims;
  credentials: Credentials;
  limitStore: LimitStore;
  log: Log;
  registry: Registry;
  isDraining: () => boolean;
}

/** The gateway's middleware chain. */
export function createApp({
  config,
  clients,
  claims,
  credentials,
  limitStore,
  log,
  registry,
  isDraining,
}: AppDeps): Koa<State> {
  const plans = plansOf(config);
  const limits = createLimits(config, plans, { store: limitStore, registry });
  const site = new Site(config.BASE_URL);
  const byAddress = limitAddress(limits.public);
  const body = readBody(config.RPC_TIMEOUT_MS);
  const publicSteps = (route: Route): Middleware[] => [
    limitAddress(limits[route.limit ?? 'public']),
    csrf(site),
    body,
    boundBody(route),
  ];
  const admission = [
    authenticate({ credentials, limits, site }),
    limitWorkspace(limits),
    authorize,
    body,
    chargeChunkedBody(limits),
  ];
  const deduplicate = idempotency(clients, claims, log);
  const protectedSteps = (route: Route): Middleware[] => [...admission, boundBody(route), deduplicate];
  const accessSteps = (route: Route): Middleware[] => {
    if (isPublic(route)) return publicSteps(route);
    return route.tokenParameter === undefined
      ? protectedSteps(route)
      : [withToken(route.tokenParameter, publicSteps(route), protectedSteps(route))];
  };
  const steps = (route: Route): Middleware[] => [
    ...accessSteps(route),
    answer(route, { clients, plans, credentials, site, log }),
  ];
  const table = [...operations, openApiRoute(operations, { baseUrl: config.BASE_URL, plans })];

  const app = new Koa<State>();
  app.use(requestContext({ clients: new ClientAddresses(config.TRUSTED_PROXIES), isDraining }));
  app.use(observe({ log, registry }));
  app.use(docsSite());
  app.use(cors(config.CORS_ORIGINS));
  app.use(compress);
  app.use(envelopes(log, brandOf(config)));
  app.use(createRouter(table, steps, byAddress).routes());
  app.use(application());
  app.use(byAddress);
  app.use(notFound);
  app.on('error', (error: unknown) => log.debug({ err: error }, 'a response could not be written'));
  return app;
}
