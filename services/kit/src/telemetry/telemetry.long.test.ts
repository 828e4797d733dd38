import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startMongo, type Mongo } from '@tautan/local-mongo';
import { startNats, type NatsBroker } from '@tautan/local-nats';
import { closeHttp, listen } from '../network/listen.js';
import { spansTo, startTraceCollector, type CollectedSpan } from '../testing/trace-collector.js';

// Slow, because each process loads the OpenTelemetry SDK.
jest.setTimeout(120_000);
const folder = mkdtempSync(join(tmpdir(), 'tautan-traces-'));
let broker: NatsBroker;
let mongo: Mongo;
beforeAll(async () => {
  broker = await startNats({ dataDir: join(folder, 'nats') });
  mongo = await startMongo({ dataDir: join(folder, 'mongo') });
});
afterAll(async () => {
  await broker.stop();
  await mongo.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a fixture until it exits. Returns the JSON that it printed, and its standard error output. */
async function run<T>(name: string, argument: string, env: Record<string, string>): Promise<T & { stderr: string }> {
  const inherited = Object.entries(process.env).filter(([setting]) => !setting.startsWith('OTEL_'));
  const fixture = join(import.meta.dirname, `${name}.fixture.js`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [fixture, argument], {
    env: { ...Object.fromEntries(inherited), ...env },
  });
  return { ...(JSON.parse(stdout) as T), stderr };
}
const runCalls = (env: Record<string, string>) => run<{ sdkModules: number }>('telemetry', broker.url, env);

/** Runs a fixture. Returns its result and the spans that it exported. */
async function collected<T>(name: string, argument: string, env: Record<string, string> = {}) {
  const collector = await startTraceCollector();
  const result = await run<T>(name, argument, { ...collector.env, ...env });
  await collector.stop();
  return { spans: collector.spans, result };
}
const named = (spans: CollectedSpan[], name: string): CollectedSpan => spans.find((span) => span.name === name)!;

const method = 'tautan.workspaces.v1.Workspaces/UpdateWorkspace';

describe('a trace', () => {
  test('covers HTTP, gRPC, the bus and providers, and follows the semantic conventions', async () => {
    const { spans } = await collected('telemetry', broker.url);
    const path = spansTo(named(spans, 'payment provider charge'), spans);
    expect(path.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'server POST /links',
      `client ${method}`,
      `server ${method}`,
      'producer publish events.traced',
      'consumer process events.traced',
      'client payment provider charge',
    ]);
    expect(path[0]).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      service: 'tautan-fixture',
    });
    const rpc = { 'rpc.system.name': 'grpc', 'rpc.method': method, 'rpc.response.status_code': 'OK' };
    expect(path.slice(1, 3).map(({ attributes }) => attributes)).toEqual([rpc, rpc]);
    expect(path[4]!.attributes).toEqual({
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'events.traced',
      'messaging.consumer.group.name': 'traced',
    });
  });

  test('is not exported if the sampler is always_off', async () => {
    expect((await collected('telemetry', broker.url, { OTEL_TRACES_SAMPLER: 'always_off' })).spans).toEqual([]);
  });
});

describe('MongoDB spans', () => {
  let spans: CollectedSpan[];
  let traces: Record<string, string>;
  beforeAll(async () => {
    const { spans: received, result } = await collected<Record<string, string>>('telemetry-mongo', mongo.uri);
    const { stderr: _stderr, ...ids } = result;
    [spans, traces] = [received, ids];
  }, 180_000);
  const requests = () => Object.entries(traces);
  const ofTrace = (id: string) => spans.filter(({ traceId }) => traceId === id);

  test('are children of the request that sent the command, even on a contended pool', () => {
    expect(requests()).toHaveLength(20);
    for (const [n, traceId] of requests()) {
      const own = spans.filter(({ name }) => name.endsWith(` of_${n}`));
      // One standalone command and one in the transaction, which may have been retried.
      expect(own.length).toBeGreaterThanOrEqual(2);
      const { spanId } = named(ofTrace(traceId), `request ${n}`);
      expect(new Set(own.map((span) => `${span.traceId} ${span.parentSpanId}`))).toEqual(
        new Set([`${traceId} ${spanId}`]),
      );
      const names = ofTrace(traceId).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['update alone', 'insert together', 'commitTransaction']));
    }
  });

  test('of a batch belong to the trace of one of its requests, and the spans of the other requests link to the batch', () => {
    const finds = spans.filter(({ name }) => name === 'find gathered');
    expect(finds.length).toBeLessThan(20);
    const batches = spans.filter(({ name }) => name === 'batch');
    for (const find of finds) {
      const parent = spans.find(({ spanId }) => spanId === find.parentSpanId)!;
      expect(parent.name).toMatch(/^(batch|request \d+)$/);
    }
    for (const [n, traceId] of requests()) {
      const { links } = named(ofTrace(traceId), `request ${n}`);
      const isOwn = ofTrace(traceId).some(({ name }) => name === 'find gathered');
      const linked = batches.filter(({ spanId }) => links.some((link) => link.spanId === spanId));
      expect(linked).toHaveLength(isOwn ? 0 : 1);
    }
  });

  test('contain system, database, collection and operation, and never a statement or a value', () => {
    expect(named(spans, 'update alone')).toMatchObject({ kind: 'client', failed: false });
    expect(named(spans, 'update alone').attributes).toEqual({
      'db.system.name': 'mongodb',
      'db.namespace': 'traced',
      'db.collection.name': 'alone',
      'db.operation.name': 'update',
    });
    const failed = ofTrace(named(spans, 'failing').traceId).find(({ name }) => name === 'find alone')!;
    expect(failed).toMatchObject({ failed: true, attributes: { 'error.type': 'MongoServerError' } });
    expect(JSON.stringify(spans)).not.toMatch(/do-not-record|nonsense/);
  });

  test('are only recorded for requests', () => {
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ kind }) => kind)).not.toContain(
      'client',
    );
    expect(spans.filter(({ name }) => /untraced|hello|ping|create/.test(name))).toEqual([]);
  });
});

describe('the last spans are exported on exit', () => {
  /** Delays exports for longer than the fixture runs, so that spans are only exported when it exits. */
  const late = { OTEL_BSP_SCHEDULE_DELAY: '600000' };
  const names = ['POST /links', 'publish events.traced', 'payment provider charge'];

  test('over HTTP, in protobuf by default', async () => {
    const received: { type: string | undefined; path: string | undefined; body: string }[] = [];
    const server = createServer((request, response) => {
      const { headers, url: path } = request;
      void buffer(request).then((body) => {
        received.push({ type: headers['content-type'], path, body: body.toString('latin1') });
        response.end();
      });
    });
    const endpoint = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    await runCalls({ ...late, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await closeHttp(server, 100);
    expect(received).toMatchObject([{ type: 'application/x-protobuf', path: '/v1/traces' }]);
    for (const name of names) expect(received[0]!.body).toContain(name);
  });

  test('over gRPC', async () => {
    const received: string[] = [];
    const server = new Server();
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
    const raw = (bytes: Buffer): Buffer => bytes;
    const methods = {
      requestStream: false,
      responseStream: false,
      requestSerialize: raw,
      requestDeserialize: raw,
      responseSerialize: raw,
      responseDeserialize: raw,
    };
    server.addService(
      { Export: { path, ...methods } },
      {
        Export: ({ request }: { request: Buffer }, done: (error: null, reply: Buffer) => void) => {
          received.push(request.toString('latin1'));
          done(null, Buffer.alloc(0));
        },
      },
    );
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    const endpoint = `http://127.0.0.1:${port}`;
    await runCalls({ ...late, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    server.forceShutdown();
    expect(received).toHaveLength(1);
    for (const name of names) expect(received[0]).toContain(name);
  });
});

describe('without a reachable collector', () => {
  test('the OpenTelemetry SDK is not loaded if no collector is configured or the SDK is disabled', async () => {
    expect((await runCalls({})).sdkModules).toBe(0);
    const disabled = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' };
    expect((await runCalls(disabled)).sdkModules).toBe(0);
  });

  test('work continues, one warning is logged, and the process exits in time', async () => {
    const unreachable = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '300' };
    const began = performance.now();
    const { sdkModules, stderr } = await runCalls({ ...unreachable, OTEL_BSP_SCHEDULE_DELAY: '10' });
    expect(sdkModules).toBeGreaterThan(0);
    expect(stderr.match(/traces cannot be exported/g)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(25_000);
  });
});
