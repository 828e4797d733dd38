import type { Server } from 'node:http';
import {
  closeHttp,
  createLog,
  createMetrics,
  instanceOn,
  listen,
  meterCertificates,
  meterConnection,
  runProcess,
  serveAdmin,
  Stack,
  type Log,
  type Running,
} from '@tautan/kit';
import { Bus, connectionOptions } from '@tautan/kit/bus';
import { openCertificates } from '@tautan/kit/rpc';
import { Processes } from '@tautan/kit/processes';
import { eventSubject, invalidations, type TautanEvent } from '@tautan/proto';
import { createApp } from './app.js';
import { createVerifier } from './callers.js';
import { Claims } from './claims.js';
import { readGatewayConfig, type GatewayConfig } from './config.js';
import { Credentials } from './credentials.js';
import { createEnvelopeServer } from './client-error.js';
import { openLimitStore } from './limit-store.js';
import { connectServices, watchServices } from './service-clients.js';

/** Part of the drain reserved for the steps after the last request, milliseconds. */
const AFTER_REQUESTS_MS = 500;
/** Timeouts for slow clients, milliseconds: for the request headers, and for the whole request. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** Interval at which these timeouts are enforced, milliseconds. */
const TIMEOUT_CHECK_MS = 2_000;
/** Longer than the keep-alive timeout of load balancers, so that they never reuse a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts the gateway. It listens immediately, even if services are unavailable. Rejects, with nothing left running, if
 * a port is in use.
 */
export async function start(config: GatewayConfig): Promise<Running> {
  const log = createLog('gateway', config.LOG_LEVEL);
  const stack = new Stack(log);
  try {
    const ports = await wire(config, log, stack);
    return { ports, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function wire(config: GatewayConfig, log: Log, stack: Stack): Promise<Running['ports']> {
  const registry = createMetrics('gateway');
  const certificates = openCertificates(config, { log, registry });
  stack.add('certificates', certificates, async () => certificates?.stop());
  const clients = stack.add('service clients', connectServices(config, { certificates, registry }), async (it) =>
    it.close(),
  );
  const claims = stack.add(
    'claims',
    new Claims(clients.idempotency, instanceOn(config.GATEWAY_PORT), log),
    async (it) => it.stop(),
  );
  const credentials = new Credentials({ verify: createVerifier(clients, config.RPC_TIMEOUT_MS) });
  const bus = stack.add('bus', new Bus({ ...connectionOptions(config, log), name: 'gateway', log }), (it) =>
    it.close(),
  );
  bus.onChange(meterConnection(registry, 'nats'));
  const { RPC_TLS_CERT: rpc, NATS_TLS_CERT: nats, REDIS_TLS_CERT: redis } = config;
  meterCertificates(registry, { rpc, nats, redis });
  subscribeCredentialInvalidations(bus, credentials);
  const limitStore = stack.add('limits', await openLimitStore({ redis: config, registry, log }), async (it) =>
    it.close(),
  );
  new Processes(bus, { service: 'gateway', connections: limitStore.connections, calls: [] });
  const health = stack.add('peer health', watchServices(config, { certificates, log }), (it) => it.stop());
  let state: 'starting' | 'listening' | 'draining' = 'starting';
  const admin = await serveAdmin({
    port: config.ADMIN_PORT,
    host: config.BIND_HOST,
    registry,
    log,
    required: { listening: () => state === 'listening' },
    // Without a service, the gateway responds with errors in the envelope. Without Redis, each replica enforces rate
    // limits separately.
    optional: { nats: () => bus.connected, redis: () => limitStore.works(), ...health.checks() },
  });
  stack.add('admin', admin, (it) => it.stop());
  const server = createHttp(
    createApp({
      config,
      clients,
      claims,
      credentials,
      limitStore,
      log,
      registry,
      isDraining: () => state === 'draining',
    }),
  );
  const http = await listen(server, config.GATEWAY_PORT, config.BIND_HOST);
  stack.add('http', server, (it) => {
    state = 'draining';
    return closeHttp(it, Math.max(0, config.DRAIN_TIMEOUT_MS - AFTER_REQUESTS_MS));
  });
  state = 'listening';
  claims.start();
  return { http, admin: admin.port };
}

function createHttp(app: ReturnType<typeof createApp>): Server {
  const handle = app.callback();
  return createEnvelopeServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    (request, response) => void handle(request, response),
  );
}

/**
 * Evicts credentials that are revoked or changed. As long as the bus is disconnected, notifications may be lost, so
 * entries expire within a second.
 */
function subscribeCredentialInvalidations(bus: Bus, credentials: Credentials): void {
  bus.listen(invalidations.credential, (payload) => {
    const { apiKeyIds = [], userIds = [] } = payload as { apiKeyIds?: string[]; userIds?: string[] };
    credentials.evictByIds([...apiKeyIds, ...userIds]);
  });
  bus.listen(invalidations.entitlements, (payload) =>
    credentials.evictByIds([(payload as { workspaceId: string }).workspaceId]),
  );
  // A crash after a change can lose its notification, but not its event, which is published from the outbox.
  bus.listen(eventSubject('api_key.revoked'), (event) =>
    credentials.evictByIds([(event as TautanEvent<'api_key.revoked'>).data.id]),
  );
  bus.listen(eventSubject('member.>'), (event) => {
    const { userId } = (event as TautanEvent<'member.removed'>).data;
    if (userId !== null) credentials.evictByIds([userId]);
  });
  bus.onChange((connected) => credentials.setTrusted(connected));
}

if (import.meta.filename === process.argv[1]) {
  await runProcess('gateway', async () => start(readGatewayConfig()));
}
