import { answersPing, explainMongo, type Outbox } from '../mongo/index.js';
import { serveOperators, shardingTable } from '../operator/index.js';
import { openCertificates, serveRpc, type Certificates, type RpcTable } from '../rpc/index.js';
import { createLog } from '../telemetry/log.js';
import { serveAdmin } from './admin.js';
import {
  connectInfrastructure,
  type Infrastructure,
  type InfrastructureOptions,
  type ServiceConfig,
} from './infrastructure.js';
import { runningCallsMs, Stack, type Running } from './run.js';

export { maintenanceCommand, type MaintenanceOptions } from './maintenance.js';

/** The infrastructure of a service. */
export interface ServiceContext<M> extends Infrastructure<M> {
  outbox: Outbox;
  /** RPC tables that only operators may call. */
  operators: RpcTable[];
  /** Checks of optional dependencies; /readyz names the unavailable ones. */
  optional: Record<string, () => boolean>;
  /** Certificates for calls between services; undefined for plaintext. */
  certificates: Certificates | undefined;
  /** Maximum time that a drain waits for running work, milliseconds. The rest of the drain is for the final steps. */
  runningWorkMs: number;
}

export type ServiceOptions<M extends object> = Pick<
  InfrastructureOptions<M>,
  'name' | 'config' | 'createModels' | 'prepare'
>;

/**
 * Starts a service with a database and RPCs: connects, calls `wire` to build its components and RPC tables, and serves
 * the tables. Rejects, with nothing left running, if a port is in use. An unavailable database or bus does not prevent
 * the start.
 */
export async function startService<M extends object>(
  options: ServiceOptions<M>,
  wire: (context: ServiceContext<M>) => RpcTable[],
): Promise<Running> {
  const { name, config } = options;
  const log = createLog(name, config.LOG_LEVEL);
  const stack = new Stack(log);
  try {
    const context = connect({ ...options, log, stack });
    const ports = await serve(name, config, context, wire(context));
    return { ports, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

function connect<M extends object>(options: InfrastructureOptions<M>): ServiceContext<M> {
  const { config } = options;
  const infrastructure = connectInfrastructure(options);
  const { log, registry, stack, bus, mongo, models } = infrastructure;
  const certificates = openCertificates(config, { log, registry });
  stack.add('certificates', certificates, async () => certificates?.stop());
  return {
    ...infrastructure,
    outbox: infrastructure.outbox!,
    operators: [shardingTable(mongo.connection, models)],
    // Requests are served without the bus: events wait in the outbox.
    optional: { nats: () => bus.connected },
    certificates,
    runningWorkMs: runningCallsMs(config),
  };
}

async function serve<M>(
  name: string,
  { RPC_PORT, RPC_ACCEPTED_NAMES: acceptedNames, ADMIN_PORT, OPERATOR_PORT, BIND_HOST: host }: ServiceConfig,
  { log, registry, stack, bus, mongo, operators, optional, certificates, runningWorkMs }: ServiceContext<M>,
  tables: RpcTable[],
): Promise<Running['ports']> {
  const { connection, ready } = mongo;
  const tls = certificates && { certificates, acceptedNames };
  const servers: { stop(withinMs: number): Promise<void> }[] = [];
  // Stopped concurrently, so that a long operator call does not delay the drain of the RPC server.
  stack.add('servers', servers, () => Promise.all(servers.map((each) => each.stop(runningWorkMs))));
  const rpc = await serveRpc({ port: RPC_PORT, host, tables, log, registry, explain: explainMongo, ready, tls });
  servers.push(rpc);
  const required = { mongodb: () => mongo.ready() && mongo.connected() };
  const admin = await serveAdmin({ port: ADMIN_PORT, host, registry, log, required, optional });
  stack.add('admin', admin, () => admin.stop());
  const operator = await serveOperators({
    port: OPERATOR_PORT,
    tables: operators,
    bus,
    service: name,
    connections: { mongodb: () => answersPing(connection) },
    log,
    registry,
    explain: explainMongo,
  });
  servers.push(operator);
  return { grpc: rpc.port, admin: admin.port, operator: operator.port };
}
