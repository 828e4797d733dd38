import { setFlagsFromString } from 'node:v8';
import { brandOf, ClientAddresses, gauge, isTracing, Stack, totals } from '@tautan/kit';
import { fallbackUrlsOf } from '../config.js';
import type { RoleDeps, RunningRedirects } from '../roles.js';
import { AddressBudget } from './address-budget.js';
import { startClicks } from './clicks/index.js';
import { RedirectCounters } from './counters.js';
import { Fallbacks } from './fallbacks.js';
import { RedirectHandler } from './handler.js';
import { Hosts } from './hosts.js';
import { subscribeInvalidations } from './invalidation.js';
import { RouteCache } from './route-cache.js';
import { RouteReader } from './route-reader.js';
import { RedirectServer } from './server.js';
import { recordTraces, traceSome } from './tracing.js';

const CLOSE_WITHIN_MS = 2_000;

/**
 * Serves redirects over HTTP and records clicks. Resolves once the server listens, even if the database and the bus are
 * unavailable. Rejects with a one-sentence message if the port, the spill folder or a setting cannot be used.
 */
export async function startRedirects(deps: RoleDeps): Promise<RunningRedirects> {
  const { config, models, mongo, bus, log, registry } = deps;
  // By default the heap may grow fourfold between two garbage collections, which leaves much garbage while the cache
  // fills. The flag halves the memory of a process with a full cache.
  setFlagsFromString('--heap-growing-percent=40');
  const stack = new Stack(log);
  try {
    const clients = new ClientAddresses(config.TRUSTED_PROXIES);
    const clicks = stack.add('clicks', await startClicks(deps, clients), (it) => it.stop());
    const routes = new RouteReader(models.routes, mongo);
    const cache = new RouteCache({
      read: (key) => routes.find(key),
      maxEntries: config.CACHE_MAX_ENTRIES,
      onDefect: (error, key) => log.error({ err: error, key }, 'invalid routing entry'),
    });
    stack.add('invalidation', subscribeInvalidations(bus, cache), async (stop) => stop());
    const counters = new RedirectCounters();
    counters.register(registry);
    totals(registry, 'tautan_redirect_cache_lookups_total', 'Lookups in the route cache', 'result', () => ({
      hit: cache.hits,
      miss: cache.misses,
    }));
    gauge(registry, 'tautan_redirect_cache_entries', 'Routes in the cache', () => cache.size);
    const hosts = new Hosts(config.BASE_URL, config.OWN_HOSTS, config.ALLOW_LOCAL_DOMAINS);
    const budgets = {
      unknown: new AddressBudget('unknown', config.REDIRECT_BUDGET_UNKNOWN),
      limited: new AddressBudget('limited', config.REDIRECT_BUDGET_LIMITED),
    };
    gauge(
      registry,
      'tautan_redirect_budget_entries',
      'Counters of redirect budgets in memory: one per client address that requested unknown slugs, and one per client address for each requested link with maxClicks or QR code with maxScans',
      () => budgets.unknown.size + budgets.limited.size,
    );
    const traceRatio = isTracing() ? config.REDIRECT_TRACE_RATIO : 0;
    const record = traceRatio > 0 ? recordTraces(clicks.record) : clicks.record;
    const fallbacks = new Fallbacks({ brand: brandOf(config), urls: fallbackUrlsOf(config) }, cache);
    const handler = new RedirectHandler({
      hosts,
      cache,
      routes,
      fallbacks,
      clients,
      budgets,
      record,
      counters,
      log,
    });
    const server = new RedirectServer({
      countryHeaders: config.COUNTRY_HEADERS.map((name) => name.toLowerCase()),
      handle: traceRatio > 0 ? traceSome(traceRatio, handler.handle) : handler.handle,
    });
    const port = await server.listen(config.REDIRECT_PORT, config.BIND_HOST);
    stack.add('http', server, (it) => it.close(CLOSE_WITHIN_MS));
    return { port, ready: () => mongo.ready(), stop: () => stack.stop() };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
