import { createServer, type RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Bench } from './bench.js';
import { getRequest, LoadGenerator, postRequest } from './load.js';

const bench = new Bench(true);
let load: LoadGenerator;
beforeEach(async () => void (load = await LoadGenerator.start(bench)));
afterEach(() => bench.end());

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bench.atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

describe('the load generator', () => {
  test('counts every response by status, and its counts equal those of the server', async () => {
    const served: Record<number, number> = {};
    const port = await serve((request, response) => {
      const status = Number(request.url!.slice(1));
      served[status] = (served[status] ?? 0) + 1;
      response.writeHead(status, { 'content-length': 5 }).end('hello');
    });
    const requests = [200, 302, 404].map((status) => getRequest(`/${status}`, { Host: 'x' }));
    const byTime = await load.run({ port, connections: 8, requests, durationMs: 200 });
    expect(byTime.statuses).toEqual(served);
    const byNumber = await load.run({ port, connections: 8, requests, total: 100 });
    expect(byNumber.statuses).toEqual({ 200: 34, 302: 33, 404: 33 });
  });

  test('parses responses that arrive in pieces, and binary bodies', async () => {
    const body = Buffer.from('ünï\r\n\r\n\0çødé'.repeat(20_000));
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.subarray(0, 10));
      setTimeout(() => response.end(body.subarray(10)), 5);
    });
    const result = await load.run({ port, connections: 2, requests: [getRequest('/', { Host: 'x' })], total: 6 });
    expect(result.statuses).toEqual({ 200: 6 });
  });

  test('sends a body unchanged', async () => {
    const bodies: unknown[] = [];
    const port = await serve((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        bodies.push(JSON.parse(text));
        response.writeHead(201, { 'content-length': 0 }).end();
      });
    });
    const requests = [postRequest('/links', { Host: 'x' }, { title: 'Frühling → 春' })];
    await load.run({ port, connections: 1, requests, total: 2 });
    expect(bodies).toEqual([{ title: 'Frühling → 春' }, { title: 'Frühling → 春' }]);
  });

  test('rejects if a connection breaks', async () => {
    const port = await serve((_request, response) => void response.destroy());
    const requests = [getRequest('/', { Host: 'x' })];
    await expect(load.run({ port, connections: 3, requests, total: 30 })).rejects.toThrow('3 connections broke');
  });
});
