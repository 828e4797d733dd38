import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { serveAdmin } from './admin.js';
import type { Log } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { until } from '../testing/until.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(stops.splice(0).map((stop) => stop()))));

const logged: unknown[] = [];
const log = { error: (fields: { err: Error }) => void logged.push(fields.err.message) } as unknown as Log;

const adminOptions = (port = 0) => ({
  port,
  host: '127.0.0.1',
  registry: createMetrics('test'),
  log,
  required: {},
});

async function admin(required: Record<string, () => boolean> = {}, optional: Record<string, () => boolean> = {}) {
  const server = await serveAdmin({
    ...adminOptions(),
    required,
    optional,
    routes: {
      '/internal/ask': async (query) => ({ status: query.get('domain') === 'a.example' ? 200 : 404, body: '' }),
      '/internal/broken': () => Promise.reject(new Error('secret')),
      '/internal/impossible': async () => ({ status: 99_999, body: '' }),
    },
  });
  stops.push(() => server.stop());
  const { port } = server;
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  return { port, get };
}

test('/healthz returns 200 even if a required dependency is unavailable', async () => {
  const { get } = await admin({ mongodb: () => false });
  const response = await get('/healthz');
  expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test('/readyz returns 503 and lists the required dependencies that are unavailable', async () => {
  let available = false;
  const { get } = await admin({ mongodb: () => available, cache: () => true });
  const missing = await get('/readyz');
  expect([missing.status, await missing.text()]).toEqual([503, 'not ready: mongodb\n']);
  available = true;
  const ready = await get('/readyz');
  expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
  expect(ready.headers.get('content-type')).toBe('text/plain; charset=utf-8');
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

test('/metrics returns the metrics of the process, labeled with the service', async () => {
  const { get } = await admin();
  const response = await get('/metrics');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await response.text()).toContain('process_resident_memory_bytes{service="test"}');
});

test('additional paths are served, and a failing handler is logged and returns 500 without details', async () => {
  const { get } = await admin();
  const asked = await get('/internal/ask?domain=a.example');
  expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect((await get('/internal/ask')).status).toBe(404);
  const broken = await get('/internal/broken');
  expect([broken.status, await broken.text()]).toEqual([500, 'internal error\n']);
  expect(logged).toEqual(['secret']);
  await expect(get('/internal/impossible')).rejects.toThrow('fetch failed');
  expect((await get('/toString')).status).toBe(404);
});

test('a stopped server accepts no connections', async () => {
  const server = await serveAdmin(adminOptions());
  await server.stop();
  await expect(fetch(`http://127.0.0.1:${server.port}/healthz`)).rejects.toThrow('fetch failed');
});

test('stopping aborts a running request after half a second', async () => {
  let running = false;
  const hanging = () => {
    running = true;
    return new Promise<never>(() => {});
  };
  const server = await serveAdmin({ ...adminOptions(), routes: { '/internal/hanging': hanging } });
  const aborted = expect(fetch(`http://127.0.0.1:${server.port}/internal/hanging`)).rejects.toThrow('fetch failed');
  await until(() => running);
  const began = performance.now();
  await server.stop();
  expect(performance.now() - began).toBeGreaterThan(450);
  expect(performance.now() - began).toBeLessThan(5_000);
  await aborted;
});

test('without optional dependencies or additional paths, /readyz reports ready, and an unknown path is not found', async () => {
  const server = await serveAdmin(adminOptions());
  stops.push(() => server.stop());
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text();
  expect([await get('/readyz'), await get('/other')]).toEqual(['ready\n', 'not found\n']);
});

test.each(['//', 'http://[', '*'])('the target %s gets a response, not an exception', async (target) => {
  const { port } = await admin();
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 40[04] /);
});

test('reports in one sentence that the port is in use', async () => {
  const { port } = await admin();
  const again = serveAdmin(adminOptions(port));
  await expect(again).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
});
