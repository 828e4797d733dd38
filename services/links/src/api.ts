import { explainMongo, type Outbox } from '@tautan/kit/mongo';
import { serveRpc } from '@tautan/kit/rpc';
import { invalidations } from '@tautan/proto';
import { Stack } from '@tautan/kit';
import { destinationRules } from './domain/url.js';
import type { RoleDeps, RunningRole } from './roles.js';
import { rpcTables } from './rpc.js';
import { createStore } from './store/index.js';
import { StatsStore } from './store/stats.js';
import type { ApiDeps } from './usecases/deps.js';
import { sweep } from './usecases/sweep.js';
import { Turns } from './domain/turns.js';

/** Starts the api role: gRPC for links and tags, their events, the sweep. */
export async function startApi(
  { config, models, mongo, bus, log, registry }: RoleDeps,
  outbox: Outbox,
): Promise<RunningRole & { port: number }> {
  const deps: ApiDeps = {
    store: createStore(models, mongo.connection),
    stats: new StatsStore(models),
    transact: outbox.transact,
    turns: new Turns(),
    rules: destinationRules(config.BASE_URL, config.OWN_HOSTS, config.ALLOW_PRIVATE_DESTINATIONS),
    baseUrl: config.BASE_URL,
    invalidate: (keys) => void bus.notify(invalidations.redirect, { keys }),
    now: () => new Date(),
    log,
  };
  const stack = new Stack(log);
  stack.add('sweep', repeat(deps, config.EXPIRY_SWEEP_MS, mongo.ready), (it) => it.stop());
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

/** Sweeps again and again, `everyMs` after the last one ended, while the database is there. */
function repeat(deps: ApiDeps, everyMs: number, ready: () => boolean): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();
  const schedule = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = (ready() ? sweep(deps) : Promise.resolve())
        .catch((error: unknown) => deps.log.warn({ err: error }, 'the sweep failed'))
        .then(schedule);
    }, everyMs);
    timer.unref();
  };
  schedule();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
