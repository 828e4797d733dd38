import { createServer } from 'node:http';
import { closeHttp, createLog, createMetrics, listen, runProcess, serveAdmin, Stack, type Running } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { invalidations } from '@tautan/proto';
import { createApp } from './app.js';
import { readGatewayConfig, type GatewayConfig } from './config.js';
import { Credentials } from './credentials.js';
import { onClientError } from './client-error.js';
import { connectPeers } from './peers.js';

/** Part of the drain that is left for what comes after the last request, milliseconds. */
const AFTER_REQUESTS_MS = 500;
/** Bounds for slow clients, milliseconds: for the head of a request, and for all of it. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** Longer than balancers in front keep a connection, so that they never write into one that is just being closed. */
const KEEP_ALIVE_MS = 65_000;

/** Starts the gateway: connects to nothing that it waits for, listens, and answers. */
export async function start(config: GatewayConfig): Promise<Running> {
  const log = createLog('gateway', config.LOG_LEVEL);
  const stack = new Stack(log);
  const registry = createMetrics('gateway');
  const peers = stack.add('peers', connectPeers(config), async (connected) => connected.close());
  const credentials = new Credentials({
    verify: (key, requestId) =>
      peers.apiKeys.call('VerifyApiKey', { key }, { requestId, timeoutMs: config.RPC_TIMEOUT_MS }),
  });
  const bus = stack.add('bus', new Bus({ url: config.NATS_URL, name: 'gateway', log }), (connected) =>
    connected.close(),
  );
  forgetCredentials(bus, credentials);

  let state: 'starting' | 'listening' | 'draining' = 'starting';
  const admin = await serveAdmin({
    port: config.ADMIN_PORT,
    host: config.BIND_HOST,
    registry,
    log,
    ready: { listening: () => state === 'listening' },
  });
  stack.add('admin', admin, (server) => server.stop());
  const app = createApp({ config, peers, credentials, log, registry, draining: () => state === 'draining' });
  const handle = app.callback();
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void handle(request, response),
  );
  server.on('clientError', onClientError);
  const port = await listen(server, config.GATEWAY_PORT, config.BIND_HOST).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  stack.add('http', server, (listening) => {
    state = 'draining';
    return closeHttp(listening, Math.max(0, config.DRAIN_TIMEOUT_MS - AFTER_REQUESTS_MS));
  });
  state = 'listening';
  return { addresses: { http: port, admin: admin.port }, stop: () => stack.stop() };
}

/** Forgets credentials as they are revoked or change, and all of them after a time in which that may have been missed. */
function forgetCredentials(bus: Bus, credentials: Credentials): void {
  bus.listen(invalidations.credential, (payload) => {
    const { apiKeyIds } = payload as { apiKeyIds: string[] };
    credentials.drop(apiKeyIds);
  });
  bus.onChange((connected) => {
    if (connected) credentials.clear();
  });
}

if (import.meta.filename === process.argv[1]) {
  await runProcess('gateway', async () => start(readGatewayConfig()));
}
