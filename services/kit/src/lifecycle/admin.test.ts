import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { serveAdmin } from './admin.js';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(stops.splice(0).map((stop) => stop()))));

async function admin(required: Record<string, () => boolean> = {}, optional: Record<string, () => boolean> = {}) {
  const server = await serveAdmin({
    port: 0,
    host: '127.0.0.1',
    registry: createMetrics('test'),
    log: createLog('test', 'silent'),
    required,
    optional,
    routes: {
      '/internal/ask': async (query) => ({ status: query.get('domain') === 'a.example' ? 200 : 404, body: '' }),
      '/internal/broken': () => Promise.reject(new Error('secret')),
    },
  });
  stops.push(() => server.stop());
  const { port } = server;
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  return { port, get };
}

test('/healthz responds while the process runs', async () => {
  const { get } = await admin({ mongodb: () => false });
  expect((await get('/healthz')).status).toBe(200);
});

test('/readyz lists unavailable dependencies', async () => {
  let available = false;
  const { get } = await admin({ mongodb: () => available, cache: () => true });
  const missing = await get('/readyz');
  expect([missing.status, await missing.text()]).toEqual([503, 'not ready: mongodb\n']);
  available = true;
  expect((await get('/readyz')).status).toBe(200);
});

test('/readyz returns 200 and lists the optional dependencies that are unavailable', async () => {
  let mongodb = true;
  const { get } = await admin({ mongodb: () => mongodb }, { nats: () => false, redis: () => true });
  const degraded = await get('/readyz');
  expect([degraded.status, await degraded.text()]).toEqual([200, 'degraded: nats\n']);
  mongodb = false;
  const missing = await get('/readyz');
  expect([missing.status, await missing.text()]).toEqual([503, 'not ready: mongodb\ndegraded: nats\n']);
});

test('/metrics returns the metrics of the service and of Node.js', async () => {
  const { get } = await admin();
  const text = await (await get('/metrics')).text();
  expect(text).toContain('process_resident_memory_bytes{service="test"}');
});

test('additional paths are served, and a failing handler returns 500 without details', async () => {
  const { get } = await admin();
  expect((await get('/internal/ask?domain=a.example')).status).toBe(200);
  expect((await get('/internal/ask')).status).toBe(404);
  const broken = await get('/internal/broken');
  expect([broken.status, await broken.text()]).toEqual([500, 'internal error\n']);
  expect((await get('/toString')).status).toBe(404);
});

test.each(['//', 'http://[', '*'])('the target %s gets a response, not an exception', async (target) => {
  const { port } = await admin();
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 40[04] /);
});

test('reports a port in use in one sentence', async () => {
  const { port } = await admin();
  const again = serveAdmin({
    port,
    host: '127.0.0.1',
    registry: createMetrics('test'),
    log: createLog('test', 'silent'),
    required: {},
  });
  await expect(again).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
});
