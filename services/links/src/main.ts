import { createLog, runningCallsMs, runProcess, serveAdmin, Stack, type Log, type Running } from '@tautan/kit';
import { connectInfrastructure } from '@tautan/kit/infrastructure';
import { answersPing, explainMongo } from '@tautan/kit/mongo';
import { Processes } from '@tautan/kit/processes';
import { environment, readLinksConfig, type LinksConfig, type Role } from './config.js';
import type { RoleDeps, RunningRole } from './roles.js';
import { tlsAsk } from './domains/tls-ask.js';
import { createModels } from './store/models.js';

type Part = Pick<Running, 'stop'>;

/** Starts the configured roles. Resolves even if the database or the bus is unavailable. */
export async function start(config: LinksConfig): Promise<Running> {
  const log = createLog('links', config.LOG_LEVEL);
  const stack = new Stack(log);
  try {
    const deps = connect(config, log, stack);
    const running = new Map<Role, RunningRole>();
    const ports: Running['ports'] = { admin: (await startAdmin(deps, running, stack)).port };
    const roles = new Stack(log);
    const parts: Part[] = [roles];
    // Stopped together, so that a long operator call does not shorten the drain of the roles.
    stack.add('roles and operators', parts, () => Promise.all(parts.map((each) => each.stop())));
    const add = <R extends RunningRole>(role: Role, it: R): R => {
      running.set(role, it);
      return roles.add(role, it, () => it.stop());
    };
    // Each role loads only what it needs: redirects do not use gRPC.
    if (config.ROLES.includes('api')) {
      const { startApi } = await import('./api.js');
      ports['grpc'] = add('api', await startApi(deps)).port;
    }
    if (config.ROLES.includes('stats')) {
      const { startStats } = await import('./stats/index.js');
      add('stats', await startStats(deps));
    }
    if (config.ROLES.includes('redirect')) {
      const { startRedirects } = await import('./redirects/index.js');
      ports['http'] = add('redirect', await startRedirects(deps)).port;
    }
    Object.assign(ports, await startOperators(deps, running, parts));
    return { ports, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Connects the infrastructure of every role. Every role except redirect emits events. */
const connect = (config: LinksConfig, log: Log, stack: Stack): RoleDeps => ({
  config,
  ...connectInfrastructure({
    name: 'links',
    config,
    log,
    stack,
    createModels,
    emitsEvents: config.ROLES.some((role) => role !== 'redirect'),
  }),
});

async function startAdmin(deps: RoleDeps, running: Map<Role, RunningRole>, stack: Stack) {
  const { config, registry, log } = deps;
  const isReady = (role: Role): boolean => running.get(role)?.ready?.() ?? running.has(role);
  const admin = await serveAdmin({
    port: config.ADMIN_PORT,
    host: config.BIND_HOST,
    registry,
    log,
    ...dependencies(deps, Object.fromEntries(config.ROLES.map((role) => [role, () => isReady(role)]))),
    routes: { '/internal/tls/ask': tlsAsk(deps) },
  });
  return stack.add('admin', admin, (it) => it.stop());
}

/** Serves operators. A redirect-only process opens no port for them and only describes itself over the bus. */
async function startOperators(deps: RoleDeps, running: Map<Role, RunningRole>, parts: Part[]) {
  const { config, models, mongo, bus, registry, log } = deps;
  const facts = { service: 'links', connections: { mongodb: () => answersPing(mongo.connection) } };
  if (config.ROLES.every((role) => role === 'redirect')) {
    new Processes(bus, { ...facts, calls: [] });
    return {};
  }
  const { serveOperators, shardingTable } = await import('@tautan/kit/operator');
  const roleTables = [...running.values()].flatMap((role) => role.operators ?? []);
  const tables = [shardingTable(mongo.connection, models), ...roleTables];
  const operators = await serveOperators({
    ...facts,
    port: config.OPERATOR_PORT,
    tables,
    bus,
    log,
    registry,
    explain: explainMongo,
  });
  parts.push({ stop: () => operators.stop(runningCallsMs(config)) });
  return { operator: operators.port };
}

/**
 * Returns the required and optional dependencies of the configured roles. After its first connection to the database,
 * the redirect role can serve from the cache without it. While the bus is unavailable, the redirect role spills clicks
 * to disk, and events of the api role wait in the outbox; only a process that does nothing but consume clicks requires
 * the bus.
 */
function dependencies({ config, mongo, bus }: RoleDeps, roles: Record<string, () => boolean>) {
  const nats = { nats: () => bus.connected };
  const { ROLES } = config;
  if (ROLES.includes('redirect'))
    return { required: { mongodb: mongo.ready, ...roles }, optional: { mongodb: mongo.connected, ...nats } };
  const mongodb = () => mongo.ready() && mongo.connected();
  const consumesOnly = ROLES.every((role) => role === 'stats');
  if (consumesOnly) return { required: { mongodb, ...nats, ...roles } };
  return { required: { mongodb, ...roles }, optional: nats };
}

if (import.meta.filename === process.argv[1]) {
  const command = process.argv.slice(2);
  if (command.length > 0) {
    const { maintenanceCommand } = await import('@tautan/kit/service');
    const code = await maintenanceCommand(command, { name: 'links', createModels });
    if (code !== undefined) process.exit(code);
  }
  await runProcess('links', () => start(readLinksConfig(environment)));
}
