import { createLog, createMetrics, runProcess, serveAdmin, Stack, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { connectMongo, Outbox } from '@tautan/kit/mongo';
import { startApi } from './api.js';
import { environment, readLinksConfig, type LinksConfig } from './config.js';
import { startRedirects } from './redirect/index.js';
import type { RoleDeps, RunningRole } from './roles.js';
import { startStats } from './stats/index.js';
import { createModels, prepareCollections } from './store/models.js';

/** Starts the roles that the settings name. Resolves also while the database or the bus is away. */
export async function start(config: LinksConfig): Promise<Running> {
  const log = createLog('links', config.LOG_LEVEL);
  const registry = createMetrics('links');
  const stack = new Stack(log);
  const running: Record<string, RunningRole> = {};
  const addresses: Running['addresses'] = {};
  try {
    const mongo = connectMongo({
      uri: config.MONGODB_URI,
      database: config.MONGODB_DATABASE,
      poolSize: config.MONGODB_POOL_SIZE,
      name: 'links',
      log,
      prepare: () => Promise.all([prepareCollections(models), outbox?.prepare()]).then(() => {}),
    });
    stack.add('database', mongo, (it) => it.close());
    const models = createModels(mongo.connection);
    const bus = new Bus({ url: config.NATS_URL, name: 'links', replicas: config.NATS_REPLICAS, log });
    stack.add('bus', bus, (it) => it.close());
    const outbox = config.ROLES.includes('api')
      ? new Outbox({ connection: mongo.connection, bus, log, registry })
      : null;
    const admin = await serveAdmin({
      port: config.ADMIN_PORT,
      host: config.BIND_HOST,
      registry,
      log,
      ready: {
        database: () => mongo.ready(),
        ...Object.fromEntries(config.ROLES.map((role) => [role, () => running[role]?.ready?.() ?? role in running])),
      },
    });
    addresses['admin'] = stack.add('admin', admin, (it) => it.stop()).port;
    const deps: RoleDeps = { config, models, mongo, bus, log, registry };
    if (outbox) {
      stack.add('outbox', outbox, (it) => it.stop());
      const api = stack.add('api', await startApi(deps, outbox), (it) => it.stop());
      running['api'] = api;
      addresses['grpc'] = api.port;
    }
    if (config.ROLES.includes('stats')) {
      running['stats'] = stack.add('stats', await startStats(deps), (it) => it.stop());
    }
    if (config.ROLES.includes('redirect')) {
      const redirects = stack.add('redirect', await startRedirects(deps), (it) => it.stop());
      running['redirect'] = redirects;
      addresses['http'] = redirects.port;
    }
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

if (import.meta.filename === process.argv[1]) {
  await runProcess('links', () => start(readLinksConfig(environment)));
}
