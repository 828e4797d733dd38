// For the test of traces: makes a gRPC call, as if for an HTTP request. The call publishes a message. This process
// consumes the message and calls a provider. The argument is the bus URL. Prints the number of loaded modules of the
// OpenTelemetry SDK.
import { createRequire } from 'node:module';
import type { WorkspacesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import { Bus, consume } from '../bus/index.js';
import { telemetryEnvironment } from '../config/telemetry-environment.js';
import { newUlid } from '../values/ids.js';
import { createLog } from './log.js';
import { createMetrics } from './metrics.js';
import { Upstream } from '../network/upstream.js';
import { Breaker } from '../rpc/breaker.js';
import { rpcClient, rpcTable, serveRpc, type Handlers } from '../rpc/index.js';
import { inSpan, startTelemetry } from './telemetry.js';
import { until } from '../testing/until.js';

const [url] = process.argv.slice(2);
const log = createLog('fixture', 'silent');
const stop = await startTelemetry('fixture', telemetryEnvironment(), createLog('fixture', 'warn', 2));
const bus = new Bus({ url: url!, name: 'fixture', log });
await until(() => bus.connected);

const request = { requestId: 'req-1' };
const server = await serveRpc({
  port: 0,
  host: '127.0.0.1',
  log,
  registry: createMetrics('fixture'),
  tables: [
    rpcTable(rpcServices.workspaces, {
      UpdateWorkspace: async () => {
        await bus.publish('events.traced', '{}', { id: newUlid(), ...request });
        return { id: '', name: '', plan: '', createdAt: '' };
      },
    } as unknown as Handlers<WorkspacesDefinition>),
  ],
});
const provider = new Upstream({
  name: 'payment',
  breaker: new Breaker(),
  log,
  registry: createMetrics('fixture'),
  isRefusal: () => false,
  reasonOf: () => '',
});
let handled = false;
const consumer = consume(
  bus,
  {
    stream: 'EVENTS',
    durable: 'traced',
    subject: 'events.traced',
    handle: () => provider.call('charge', async () => void (handled = true)),
    onDeadLetter: async () => {},
    log,
  },
  () => false,
);
const client = rpcClient(rpcServices.workspaces, { address: `127.0.0.1:${server.port}` });
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
await inSpan('POST /links', { kind: 'server', from: [traceparent] }, () => client.call('UpdateWorkspace', {}, request));
await until(() => handled);
await consumer.stop();
client.close();
await server.stop();
await bus.close();
await stop();
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => /opentelemetry.*sdk/.test(path));
process.stdout.write(JSON.stringify({ sdkModules: loaded.length }));
process.exit(0);
