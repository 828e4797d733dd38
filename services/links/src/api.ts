import { explainMongo, type Outbox } from '@tautan/kit/mongo';
import { serveRpc } from '@tautan/kit/rpc';
import { invalidations } from '@tautan/proto';
import { repeat, Stack, Turns } from '@tautan/kit';
import { domainRulesOf } from './config.js';
import { createLookUp } from './dns/look-up.js';
import { destinationRules } from './domain/url.js';
import type { RoleDeps, RunningRole } from './roles.js';
import { rpcTables } from './rpc.js';
import { createStore } from './store/index.js';
import { StatsStore } from './store/stats.js';
import type { ApiDeps } from './usecases/deps.js';
import { recheckDomains } from './usecases/recheck-domains.js';
import { ServedHosts } from './usecases/served-hosts.js';
import { sweep } from './usecases/sweep.js';

/** Starts the api role: gRPC for links and tags, their events, the sweep. */
export async function startApi(
  { config, models, mongo, bus, log, registry }: RoleDeps,
  outbox: Outbox,
): Promise<RunningRole & { port: number }> {
  const domains = domainRulesOf(config);
  const store = createStore(models, mongo.connection);
  const deps: ApiDeps = {
    store,
    stats: new StatsStore(models),
    transact: outbox.transact,
    turns: new Turns(),
    rules: destinationRules(config.BASE_URL, config.OWN_HOSTS, config.ALLOW_PRIVATE_DESTINATIONS),
    servedHosts: new ServedHosts(store),
    domains,
    lookUp: createLookUp(config.DNS_SERVERS, domains.target),
    baseUrl: config.BASE_URL,
    invalidate: (keys) => void bus.notify(invalidations.redirect, { keys }),
    now: () => new Date(),
    log,
  };
  const stack = new Stack(log);
  stack.add(
    'sweep',
    repeat(() => sweep(deps), { name: 'sweep', everyMs: config.EXPIRY_SWEEP_MS, ready: mongo.ready, log }),
    (it) => it.stop(),
  );
  // Apart from the sweep: name servers that are silent must not keep links from expiring.
  const ending = new AbortController();
  const checks = { name: 'domain checks', everyMs: config.EXPIRY_SWEEP_MS, ready: mongo.ready, log };
  stack.add(
    'domain checks',
    repeat(() => recheckDomains(deps, ending.signal), checks),
    (it) => {
      ending.abort();
      return it.stop();
    },
  );
  const server = await serveRpc({
    port: config.RPC_PORT,
    host: config.BIND_HOST,
    tables: rpcTables(deps),
    log,
    registry,
    explain: explainMongo,
    ready: mongo.ready,
    tls: { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY },
  });
  stack.add('rpc', server, (it) => it.stop(Math.max(100, config.DRAIN_TIMEOUT_MS - 1_000)));
  return { port: server.port, ready: mongo.ready, stop: () => stack.stop() };
}
