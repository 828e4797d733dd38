import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startNats, type NatsBroker } from '@tautan/local-nats';
import { closeHttp, listen } from './listen.js';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
}
interface Export {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'tautan-traces-'));
let broker: NatsBroker;
beforeAll(async () => void (broker = await startNats({ dataDir: folder })));
afterAll(async () => {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(env: Record<string, string>): Promise<{ sdkModules: number }> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_'));
  const fixture = join(import.meta.dirname, 'telemetry.fixture.js');
  const { stdout } = await promisify(execFile)(process.execPath, [fixture, broker.url], {
    env: { ...Object.fromEntries(own), ...env },
  });
  return JSON.parse(stdout) as { sdkModules: number };
}

/** An OTLP/HTTP collector (JSON) that keeps what it gets. */
async function collector() {
  const exports: Export[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (request.url === '/v1/traces') exports.push(JSON.parse(body) as Export);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { exports, url: `http://127.0.0.1:${port}`, stop: () => closeHttp(server, 100) };
}

describe('traces', () => {
  test('run as one through HTTP, gRPC and the bus', async () => {
    const { exports, url, stop } = await collector();
    await run({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    await stop();
    const resources = exports.flatMap(({ resourceSpans }) => resourceSpans);
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans);
    const parents = new Map(spans.map((span) => [span.spanId, span]));
    const path: string[] = [];
    let at: Span | undefined = spans.find(({ name }) => name === 'apply');
    let root = at;
    for (; at; at = parents.get(at.parentSpanId ?? '')) {
      path.unshift(at.name);
      root = at;
    }
    expect(path).toEqual([
      'POST /links',
      'UpdateWorkspace',
      'Workspaces.UpdateWorkspace',
      'publish events.traced',
      'consume traced',
      'apply',
    ]);
    expect(root).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' });
    expect(new Set(path.map((name) => spans.find((span) => span.name === name)!.traceId)).size).toBe(1);
    const names = resources.flatMap(({ resource }) => resource.attributes).filter(({ key }) => key === 'service.name');
    expect(names[0]?.value.stringValue).toBe('tautan-fixture');
  });

  test('cost nothing while no collector is named: the SDK is not loaded', async () => {
    expect((await run({})).sdkModules).toBe(0);
    expect(
      (await run({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' })).sdkModules,
    ).toBe(0);
  });

  test('to a collector that is away hold nothing up', async () => {
    const began = Date.now();
    expect((await run({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).sdkModules).toBeGreaterThan(0);
    expect(Date.now() - began).toBeLessThan(15_000);
  });
});
