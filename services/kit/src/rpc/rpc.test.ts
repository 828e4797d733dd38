import { getEventListeners, once } from 'node:events';
import { createServer as createHttp2, constants } from 'node:http2';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  status as Status,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { LinksDefinition, WorkspacesDefinition } from '@tautan/proto';
import { rpcServices } from '@tautan/proto/rpc';
import { errorCatalog, fail, type ErrorCode } from '../errors.js';
import { createLog, type Log } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import type { Principal } from '../principal.js';
import { allowedMs } from '../testing/allowed-ms.js';
import { freePort } from '../testing/free-port.js';
import { until } from '../testing/until.js';
import { rpcClient, rpcConnections, type RpcClient, type RpcClientOptions } from './client.js';
import { principalOf } from './metadata.js';
import { rpcTable, serveRpc, type Handlers, type RpcServerOptions } from './server.js';
import { toStatus } from './status.js';

const HOST = '127.0.0.1';
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

const caller: Principal = {
  workspaceId: 'ws_1',
  kind: 'api_key',
  id: 'key_1',
  name: 'Kunci “Ayu” 🗝',
  role: 'admin',
  plan: 'UNLIMITED',
  ip: '192.0.2.1',
  userAgent: 'test/1',
  requestId: 'req_1',
};
const context = { requestId: 'req_1', principal: caller };
const emptyWorkspace = { id: '', name: '', plan: '', createdAt: '' };

async function serve(handlers: Partial<Handlers<WorkspacesDefinition>>, options: Partial<RpcServerOptions> = {}) {
  const all = { UpdateWorkspace: async () => emptyWorkspace, GetWorkspace: async () => emptyWorkspace, ...handlers };
  const table = all as Handlers<WorkspacesDefinition>;
  const server = await serveRpc({
    port: 0,
    host: HOST,
    tables: [rpcTable(rpcServices.workspaces, table), ...(options.tables ?? [])],
    log: options.log ?? createLog('test', 'silent'),
    registry: options.registry ?? createMetrics('test'),
    ...(options.explain && { explain: options.explain }),
    ...(options.ready && { ready: options.ready }),
    ...(options.port && { port: options.port }),
  });
  cleanups.push(() => server.stop(0));
  return server;
}

function clientOf(port: number, options: Partial<RpcClientOptions> = {}) {
  const client = rpcClient(rpcServices.workspaces, { address: `${HOST}:${port}`, ...options });
  cleanups.push(() => client.close());
  return client;
}

type ExportHandler = Handlers<LinksDefinition>['ExportLinks'];
const chunk = (text: string) => ({ links: [{ slug: text, createdBy: null }] });

/** Handlers of the link service that only serve exports. */
function exportTable(exportLinks: ExportHandler) {
  const handlers = { ExportLinks: exportLinks } as Handlers<LinksDefinition>;
  const all = new Proxy(handlers, {
    get: (_target, name): unknown => Reflect.get(handlers, name) ?? (async () => ({})),
  });
  return rpcTable(rpcServices.links, all);
}

function linksClient(port: number, options: Partial<RpcClientOptions> = {}) {
  const client = rpcClient(rpcServices.links, { address: `${HOST}:${port}`, ...options });
  cleanups.push(() => client.close());
  return client;
}

const exported = (client: RpcClient<LinksDefinition>) =>
  client.stream('ExportLinks', {}, { ...context, timeoutMs: 20_000 });

describe('a call', () => {
  test('transmits request, principal and request id, and the response', async () => {
    let received: unknown;
    const { port } = await serve({
      UpdateWorkspace: async (call, request) => {
        received = { request, principal: call.principal(), requestId: call.requestId };
        return { ...emptyWorkspace, name: `hello ${request.name}` };
      },
    });
    const answer = await clientOf(port).call('UpdateWorkspace', { name: 'é🗝' }, context);
    expect(answer.name).toBe('hello é🗝');
    expect(received).toEqual({ request: { name: 'é🗝', credential: '' }, principal: caller, requestId: 'req_1' });
  });

  test('without a principal fails with UNAUTHENTICATED if the handler requires one', async () => {
    const { port } = await serve({ GetWorkspace: async (call) => (call.principal(), emptyWorkspace) });
    const refused = clientOf(port).call('GetWorkspace', {}, { requestId: 'r' });
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  const withInvalidField = ['workspaceId', 'kind', 'id', 'role'].map((field) =>
    JSON.stringify({ ...caller, [field]: 1 }),
  );
  test.each(['null', '{}', '"ws_1"', '{"workspaceId":"ws_1"}', '{', '', ...withInvalidField])(
    'with a malformed principal fails with UNAUTHENTICATED: %j',
    (carried) => {
      const metadata = new Metadata();
      metadata.set('principal-bin', Buffer.from(carried));
      expect(() => principalOf(metadata)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    },
  );

  test('from a gateway that sends no plan has no plan limits', () => {
    const metadata = new Metadata();
    metadata.set('principal-bin', Buffer.from(JSON.stringify({ ...caller, plan: undefined })));
    expect(principalOf(metadata)).toEqual(caller);
  });

  test('past its deadline fails with TIMEOUT, and aborts its handler', async () => {
    let aborted = false;
    const { port } = await serve({
      GetWorkspace: (call) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('given up'));
          });
        }),
    });
    const began = Date.now();
    const late = clientOf(port).call('GetWorkspace', {}, { ...context, timeoutMs: 200 });
    await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
    const ms = Date.now() - began;
    expect(ms).toBeGreaterThanOrEqual(100);
    expect(ms).toBeLessThan(allowedMs(1_500));
    await until(() => aborted);
  });

  test('aborts its handler shortly before its deadline, so that the response arrives in time', async () => {
    let respond = (_response: typeof emptyWorkspace): void => {};
    let arrived = (_signal: AbortSignal): void => {};
    const arrival = new Promise<AbortSignal>((resolve) => (arrived = resolve));
    const { port } = await serve({
      GetWorkspace: (call) => {
        arrived(call.signal);
        return new Promise((resolve) => (respond = resolve));
      },
    });
    jest.useFakeTimers({
      doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'],
    });
    const call = clientOf(port).call('GetWorkspace', {}, { ...context, timeoutMs: 8_000 });
    const signal = await arrival;
    jest.advanceTimersByTime(7_300);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(500);
    expect(signal.aborted).toBe(true);
    jest.useRealTimers();
    respond({ ...emptyWorkspace, name: 'in time' });
    expect((await call).name).toBe('in time');
  });

  test('passes its deadline to the handler', async () => {
    let deadline = 0;
    const { port } = await serve({ GetWorkspace: async (call) => ((deadline = call.deadline), emptyWorkspace) });
    await clientOf(port).call('GetWorkspace', {}, { ...context, timeoutMs: 1_000 });
    expect(Math.abs(deadline - Date.now() - 1_000)).toBeLessThan(500);
  });

  test.each([
    ['without a deadline gets a deadline of 3 s', undefined, 3_000],
    ['has a deadline of 10 minutes at most', 3_600_000, 600_000],
  ])('%s', async (_what, given, expected) => {
    let left = 0;
    const { port } = await serve({
      GetWorkspace: async (call) => ((left = call.deadline - Date.now()), emptyWorkspace),
    });
    const client = new Client(`${HOST}:${port}`, credentials.createInsecure());
    cleanups.push(() => client.close());
    const { path, requestSerialize, responseDeserialize } = rpcServices.workspaces.GetWorkspace;
    const options = given === undefined ? {} : { deadline: Date.now() + given };
    await new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, new Metadata(), options, (error) =>
        error ? reject(error) : resolve(),
      );
    });
    expect(Math.abs(left - expected)).toBeLessThan(1_000);
  });

  test('is canceled and aborts its handler when its signal is aborted', async () => {
    let state = 'not called';
    const { port } = await serve({
      GetWorkspace: (call) => {
        state = 'running';
        call.signal.addEventListener('abort', () => (state = 'aborted'));
        return new Promise<never>(() => {});
      },
    });
    const caller = new AbortController();
    const canceled = clientOf(port).call('GetWorkspace', {}, { ...context, timeoutMs: 20_000, signal: caller.signal });
    const rejected = expect(canceled).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await until(() => state === 'running');
    caller.abort();
    await rejected;
    await until(() => state === 'aborted');
  });

  test('that succeeds does not abort the signal of its handler when the stream closes', async () => {
    const signals: AbortSignal[] = [];
    const server = await serve({ GetWorkspace: async ({ signal }) => (signals.push(signal), emptyWorkspace) });
    await clientOf(server.port).call('GetWorkspace', {}, context);
    await server.stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test('whose signal is already aborted fails without reaching its handler', async () => {
    let calls = 0;
    const { port } = await serve({ GetWorkspace: async () => ((calls += 1), emptyWorkspace) });
    const client = clientOf(port);
    const canceled = client.call('GetWorkspace', {}, { ...context, signal: AbortSignal.abort() });
    await expect(canceled).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await client.call('GetWorkspace', {}, context);
    expect(calls).toBe(1);
  });

  test('that has ended does not listen to its signal any more', async () => {
    const { port } = await serve({}, { tables: [exportTable(slowly)] });
    const { signal } = new AbortController();
    await clientOf(port).call('GetWorkspace', {}, { ...context, signal });
    for await (const _ of linksClient(port).stream('ExportLinks', {}, { ...context, signal })) break;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('transmits requests and responses of more than 4 MiB', async () => {
    const name = 'x'.repeat(8 * 1024 * 1024);
    const { port } = await serve({
      UpdateWorkspace: async (_call, request) => ({ ...emptyWorkspace, name: request.name }),
    });
    const answer = await clientOf(port).call('UpdateWorkspace', { name }, { ...context, timeoutMs: 20_000 });
    expect(answer.name === name).toBe(true);
  });

  test('is counted with its method and the code of its fault', async () => {
    const registry = createMetrics('test');
    const { port } = await serve(
      { GetWorkspace: () => Promise.reject(fail('NOT_FOUND', 'No such workspace.')) },
      { registry },
    );
    const client = clientOf(port);
    const began = performance.now();
    await client.call('UpdateWorkspace', {}, context);
    await client.call('GetWorkspace', {}, context).catch(() => {});
    const seconds = (performance.now() - began) / 1_000;
    // The registry also has the duration of garbage collections.
    const lines = (await registry.metrics())
      .split('\n')
      .filter((line) => line.includes('rpc_server_duration_seconds_'));
    const durations = lines.filter((line) => line.includes('_sum{')).map((line) => line.split(' ')[1]);
    for (const each of durations.map(Number)) {
      expect(each).toBeGreaterThan(0);
      expect(each).toBeLessThanOrEqual(seconds);
    }
    const counted = lines.filter((line) => line.includes('_count{'));
    expect(counted.sort()).toEqual([
      expect.stringMatching(/method="Workspaces\.GetWorkspace",code="NOT_FOUND".* 1$/),
      expect.stringMatching(/method="Workspaces\.UpdateWorkspace",code="OK".* 1$/),
    ]);
  });

  test('to an unavailable peer fails immediately with SERVICE_UNAVAILABLE', async () => {
    const client = clientOf(await freePort());
    const began = Date.now();
    await expect(client.call('GetWorkspace', {}, context)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  test('to an unresponsive peer fails with TIMEOUT at its deadline', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket)).listen(0, HOST);
    await once(silent, 'listening');
    cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const client = clientOf((silent.address() as AddressInfo).port);
    const began = Date.now();
    const late = client.call('GetWorkspace', {}, { ...context, timeoutMs: 300 });
    await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(Date.now() - began).toBeGreaterThanOrEqual(200);
  });

  test('whose server stops fails with SERVICE_UNAVAILABLE', async () => {
    let arrived = false;
    const server = await serve({ GetWorkspace: () => ((arrived = true), new Promise<never>(() => {})) });
    const cut = clientOf(server.port).call('GetWorkspace', {}, context);
    const rejected = expect(cut).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await until(() => arrived);
    await server.stop(0);
    await rejected;
  });
});

describe('a fault', () => {
  const transmitted = async (error: Error, explain?: RpcServerOptions['explain']) => {
    const { port } = await serve({ GetWorkspace: () => Promise.reject(error) }, { ...(explain && { explain }) });
    return clientOf(port)
      .call('GetWorkspace', {}, context)
      .catch((fault: unknown) => fault);
  };

  test.each(Object.keys(errorCatalog) as ErrorCode[])('%s is transmitted with message and field', async (code) => {
    expect(await transmitted(fail(code, 'Tidak bisa: “é” 漢字 🗝 100%', 'links.3.url'))).toMatchObject({
      code,
      message: 'Tidak bisa: “é” 漢字 🗝 100%',
      field: 'links.3.url',
    });
  });

  test('is transmitted with a bounded retry delay', async () => {
    const waiting = (seconds: number | undefined) =>
      transmitted(fail('UPSTREAM_UNAVAILABLE', 'Unavailable.', undefined, seconds));
    expect(await waiting(17)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', field: undefined, retryAfter: 17 });
    expect(await waiting(1e9)).toMatchObject({ retryAfter: 3_600 });
    expect(await waiting(undefined)).toMatchObject({ retryAfter: undefined });
    expect(await waiting('1; x' as unknown as number)).toMatchObject({ retryAfter: undefined });
  });

  test.each([
    ['a lone surrogate', 'bad \ud800 text'],
    ['control characters', 'a\r\nb\u0000c'],
    ['a hundred thousand characters', 'x'.repeat(100_000)],
  ])('is transmitted if its message contains %s', async (_what, message) => {
    const fault = (await transmitted(fail('VALIDATION_ERROR', message, message))) as Error;
    expect(fault).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(fault.message.slice(0, 5)).toBe(message.slice(0, 5));
  });

  test('for an unexpected error is INTERNAL_ERROR without details', async () => {
    expect(await transmitted(new Error('password=hunter2'))).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: 'An internal error occurred.',
    });
    expect(await transmitted(undefined as never)).toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  test('for an unexpected error is logged as an error, or as a warning if the service explains the error', async () => {
    const logged: unknown[] = [];
    const at = (level: string) => (fields: object) => void logged.push({ level, ...fields });
    const log = { ...createLog('test', 'silent'), error: at('error'), warn: at('warn') } as unknown as Log;
    const failures = [new Error('broken'), new Error('ECONNREFUSED'), fail('NOT_FOUND', 'No such workspace.')];
    const explain = (error: unknown) =>
      error === failures[1] ? fail('SERVICE_UNAVAILABLE', 'The database is unavailable.') : undefined;
    for (const options of [{ log }, { log, explain }]) {
      const waiting = [...failures];
      const { port } = await serve({ UpdateWorkspace: () => Promise.reject(waiting.shift()!) }, options);
      const client = clientOf(port);
      for (const _ of failures) await client.call('UpdateWorkspace', {}, context).catch(() => {});
    }
    const [op, requestId] = ['Workspaces.UpdateWorkspace', 'req_1'];
    expect(logged).toEqual([
      { level: 'error', err: failures[0], op, requestId },
      { level: 'error', err: failures[1], op, requestId },
      { level: 'error', err: failures[0], op, requestId },
      { level: 'warn', err: failures[1], op, requestId },
    ]);
  });

  test('for an error of a dependency is chosen by the service', async () => {
    const explain = () => fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');
    expect(await transmitted(new Error('ECONNREFUSED'), explain)).toMatchObject({
      message: 'The database is unavailable.',
    });
  });
});

describe('a stream', () => {
  const streaming = async (exportLinks: ExportHandler) => {
    const { port } = await serve({}, { tables: [exportTable(exportLinks)] });
    return exported(linksClient(port));
  };

  test('delivers every chunk in order', async () => {
    const stream = await streaming(async function* () {
      for (let i = 0; i < 1_000; i += 1) yield chunk(`${i}`);
    });
    const slugs: string[] = [];
    for await (const { links } of stream) slugs.push(links[0]!.slug);
    expect(slugs).toEqual(Array.from({ length: 1_000 }, (_, i) => `${i}`));
  });

  test('that fails delivers the earlier chunks, then the fault, immediately', async () => {
    const stream = await streaming(async function* () {
      yield chunk('one');
      throw fail('VALIDATION_ERROR', 'Tidak – é', 'format');
    });
    const slugs: string[] = [];
    const began = Date.now();
    const read = (async () => {
      for await (const { links } of stream) slugs.push(links[0]!.slug);
    })();
    await expect(read).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: 'Tidak – é', field: 'format' });
    expect(slugs).toEqual(['one']);
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  test('pauses its producer when the buffers are full, until its reader continues', async () => {
    let produced = 0;
    const stream = await streaming(async function* () {
      for (; produced < 2_000; produced += 1) yield chunk('x'.repeat(64 * 1024));
    });
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    // The buffers are full once the producer has paused.
    let before = -1;
    await until(async () => {
      const isPaused = produced === before;
      before = produced;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return isPaused && produced === before;
    });
    expect(produced).toBeLessThan(200);
    let delivered = 1;
    while (!(await reader.next()).done) delivered += 1;
    expect(delivered).toBe(2_000);
  });

  test('transmits its principal, request id and deadline', async () => {
    let received: unknown;
    let left = 0;
    const stream = await streaming(async function* (call) {
      received = { principal: call.principal(), requestId: call.requestId };
      left = call.deadline - Date.now();
      yield chunk('one');
    });
    expect(await lengthOf(stream)).toBe(1);
    expect(received).toEqual({ principal: caller, requestId: 'req_1' });
    expect(Math.abs(left - 20_000)).toBeLessThan(1_000);
  });

  test('past its deadline fails with TIMEOUT', async () => {
    const { port } = await serve({}, { tables: [exportTable(neverEnding)] });
    const late = lengthOf(linksClient(port).stream('ExportLinks', {}, { ...context, timeoutMs: 200 }));
    await expect(late).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('is canceled when its signal is aborted', async () => {
    const { port } = await serve({}, { tables: [exportTable(neverEnding)] });
    const reader = new AbortController();
    const options = { ...context, timeoutMs: 20_000, signal: reader.signal };
    const reading = (async () => {
      for await (const _ of linksClient(port).stream('ExportLinks', {}, options)) reader.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('stops on the server when its reader cancels it', async () => {
    let ended = false;
    const stream = await streaming(async function* () {
      try {
        for (let i = 0; ; i += 1) {
          yield chunk(`${i}`);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        ended = true;
      }
    });
    for await (const { links } of stream) if (links[0]!.slug === '3') break;
    await until(() => ended);
  });
});

describe('connections with a maximum age', () => {
  test('let calls and streams finish, even if their connection is replaced several times', async () => {
    const { port } = await serve(
      { GetWorkspace: async () => sleep(600).then(() => emptyWorkspace) },
      { tables: [exportTable(slowly)] },
    );
    const client = clientOf(port, { maxConnectionAgeMs: 100 });
    const links = linksClient(port, { maxConnectionAgeMs: 100 });
    const calls: Promise<unknown>[] = [];
    for (let i = 0; i < 12; i += 1) {
      calls.push(client.call('GetWorkspace', {}, { ...context, timeoutMs: 6_000 }));
      calls.push(lengthOf(exported(links)));
      await sleep(60);
    }
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 12 }, () => [expect.anything(), 5]).flat());
  });
});

async function* neverEnding() {
  yield chunk('one');
  await new Promise<never>(() => {});
}

async function* slowly() {
  for (let i = 0; i < 5; i += 1) {
    yield chunk(String(i));
    await sleep(120);
  }
}

describe('a client', () => {
  /** Starts a proxy in front of a port. Returns its port, its open connections, and how many it has accepted so far. */
  async function proxyOf(port: number) {
    const open = new Set<Socket>();
    let accepted = 0;
    const proxy = createServer((socket) => {
      accepted += 1;
      open.add(socket);
      const upstream = connect(port, HOST);
      for (const one of [socket, upstream]) one.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        upstream.destroy();
      });
      socket.pipe(upstream).pipe(socket);
    }).listen(0, HOST);
    await once(proxy, 'listening');
    cleanups.push(() => proxy.close());
    return { port: (proxy.address() as AddressInfo).port, open, accepted: () => accepted };
  }

  test('closes its connection, but not one that it shares with other clients', async () => {
    const { port } = await serve({});
    const proxy = await proxyOf(port);
    const own = clientOf(proxy.port);
    await own.call('GetWorkspace', {}, context);
    expect(proxy.open.size).toBe(1);
    own.close();
    await until(() => proxy.open.size === 0);
    const connections = rpcConnections({ address: `${HOST}:${proxy.port}` });
    cleanups.push(() => connections.close());
    const [one, other] = [0, 1].map(() => rpcClient(rpcServices.workspaces, { connections }));
    for (const client of [one!, other!]) await client.call('GetWorkspace', {}, context);
    one!.close();
    await other!.call('GetWorkspace', {}, context);
    expect(proxy.accepted()).toBe(2);
    connections.close();
    await until(() => proxy.open.size === 0);
  });

  test('replaces its connection at its maximum age', async () => {
    const { port } = await serve({});
    const proxy = await proxyOf(port);
    const client = clientOf(proxy.port, { maxConnectionAgeMs: 1 });
    await until(async () => {
      await client.call('GetWorkspace', {}, context);
      return proxy.accepted() > 1;
    });
  });
});

async function lengthOf(stream: AsyncIterable<unknown>): Promise<number> {
  let length = 0;
  for await (const _ of stream) length += 1;
  return length;
}

describe('health', () => {
  const health = (port: number) => {
    const client = new Client(`${HOST}:${port}`, credentials.createInsecure());
    cleanups.push(() => client.close());
    const pass = (bytes: Buffer): Buffer => bytes;
    // HealthCheckResponse.status: 1 SERVING, 2 NOT_SERVING.
    const check = () =>
      new Promise<number>((resolve, reject) => {
        client.makeUnaryRequest('/grpc.health.v1.Health/Check', pass, pass, Buffer.alloc(0), (error, answer) =>
          error ? reject(error) : resolve(answer![1]!),
        );
      });
    const watch = () => client.makeServerStreamRequest('/grpc.health.v1.Health/Watch', pass, pass, Buffer.alloc(0));
    return { check, watch };
  };

  test('follows readiness', async () => {
    let ready = false;
    const { port } = await serve({}, { ready: () => ready });
    const { check } = health(port);
    expect(await check()).toBe(2);
    ready = true;
    expect(await check()).toBe(1);
    expect(await health((await serve({})).port).check()).toBe(1);
  });

  test('is required for calls, which fail with SERVICE_UNAVAILABLE until the server is ready', async () => {
    let ready = false;
    const { port } = await serve({}, { ready: () => ready });
    const client = clientOf(port);
    await expect(client.call('UpdateWorkspace', { name: 'x' }, context)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    ready = true;
    await client.call('UpdateWorkspace', { name: 'x' }, context);
  });

  test('can be watched, and reports NOT_SERVING before the drain', async () => {
    let ready = false;
    const server = await serve({}, { ready: () => ready });
    const statuses: number[] = [];
    const watching = health(server.port).watch();
    watching.on('data', (bytes: Buffer) => statuses.push(bytes[1]!));
    watching.on('error', () => {});
    const ended = once(watching, 'end');
    await until(() => statuses.length === 1);
    ready = true;
    await until(() => statuses.length === 2);
    const began = Date.now();
    await server.stop(5_000);
    await ended;
    expect(statuses).toEqual([2, 1, 2]);
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});

describe('a drain', () => {
  test('allows a running call to finish and accepts no new one', async () => {
    let finish: ((answer: typeof emptyWorkspace) => void) | undefined;
    const server = await serve({ GetWorkspace: () => new Promise((resolve) => (finish = resolve)) });
    const client = clientOf(server.port);
    const running = client.call('GetWorkspace', {}, context);
    await until(() => finish);
    const stopped = server.stop(5_000);
    const late = clientOf(server.port).call('GetWorkspace', {}, { ...context, timeoutMs: 1_000 });
    await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    finish!({ ...emptyWorkspace, name: 'done' });
    expect((await running).name).toBe('done');
    await stopped;
  });

  test('waits no longer than the timeout', async () => {
    let arrived = false;
    const server = await serve({ GetWorkspace: () => ((arrived = true), new Promise<never>(() => {})) });
    const stuck = clientOf(server.port).call('GetWorkspace', {}, context);
    const rejected = expect(stuck).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await until(() => arrived);
    const began = Date.now();
    await server.stop(200);
    expect(Date.now() - began).toBeLessThan(allowedMs(1_500));
    await rejected;
  });
});

describe('a failing peer', () => {
  /**
   * Starts a peer that responds UNAVAILABLE to every call after a delay, like a proxy without a backend, and records
   * the deadlines of the calls. If `others[n]` is set, call n (counted from 1) gets this response
   * instead, or no response if it is 'none'.
   */
  async function unavailable(afterMs = 0, others: Record<number, object | 'none'> = {}) {
    const deadlines: number[] = [];
    const server = new Server();
    const refuse = (call: ServerUnaryCall<unknown, unknown>, callback: (error: object) => void): void => {
      deadlines.push(Number(call.getDeadline()));
      const error = others[deadlines.length] ?? { code: Status.UNAVAILABLE, details: 'connection refused' };
      if (error !== 'none') setTimeout(() => callback(error), afterMs);
    };
    server.addService(rpcServices.workspaces, { UpdateWorkspace: refuse, GetWorkspace: refuse });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${HOST}:0`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    cleanups.push(() => server.forceShutdown());
    return { port, deadlines, calls: () => deadlines.length };
  }

  test('receives one retry of a repeatable call, and none of any other call', async () => {
    const peer = await unavailable();
    const client = clientOf(peer.port);
    await expect(client.call('GetWorkspace', {}, context)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(peer.calls()).toBe(2);
    await expect(client.call('UpdateWorkspace', {}, context)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(peer.calls()).toBe(3);
  });

  test('is called again within the deadline of the first attempt', async () => {
    const peer = await unavailable(300);
    const call = clientOf(peer.port).call('GetWorkspace', {}, context);
    await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const [first, second] = peer.deadlines;
    expect(second! - first!).toBeLessThan(200);
  });

  test('is not called after five consecutive failures', async () => {
    const peer = await unavailable();
    const registry = createMetrics('test');
    const client = clientOf(peer.port, { meter: { registry, peer: 'accounts' } });
    const metric = async () => (await registry.metrics()).split('\n').find((line) => line.includes('rpc_service='));
    expect(await metric()).toMatch(/peer="accounts",rpc_service="Workspaces".* 0$/);
    for (let i = 0; i < 8; i += 1) {
      await expect(client.call('UpdateWorkspace', {}, context)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    expect(peer.calls()).toBe(5);
    expect(await metric()).toMatch(/ 1$/);
  });

  test('is still called if a fault, which shows that the peer is available, interrupts the failures', async () => {
    const peer = await unavailable(0, { 5: toStatus(fail('NOT_FOUND', 'No such workspace.')) });
    const client = clientOf(peer.port);
    for (let i = 0; i < 10; i += 1) await client.call('UpdateWorkspace', {}, context).catch(() => {});
    expect(peer.calls()).toBe(10);
  });

  test('that does not respond in time counts as neither available nor unavailable', async () => {
    const peer = await unavailable(0, { 5: 'none' });
    const client = clientOf(peer.port);
    const codes: string[] = [];
    for (let i = 1; i <= 8; i += 1) {
      const call = client.call('UpdateWorkspace', {}, { ...context, timeoutMs: i === 5 ? 100 : 3_000 });
      codes.push(await call.catch(({ code }: { code: string }) => code).then(String));
    }
    const [unreachable, late] = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];
    expect(codes).toEqual([...Array<string>(4).fill(unreachable), late, ...Array<string>(3).fill(unreachable)]);
    expect(peer.calls()).toBe(6);
  });

  test('is called again when it recovers', async () => {
    const port = await freePort();
    const client = clientOf(port);
    for (let i = 0; i < 8; i += 1) await client.call('GetWorkspace', {}, context).catch(() => {});
    await serve({ GetWorkspace: async () => ({ ...emptyWorkspace, name: 'back' }) }, { port });
    const answer = await until(() => client.call('GetWorkspace', {}, context).catch(() => undefined), 5_000);
    expect(answer.name).toBe('back');
  });

  test('whose dependency is unavailable is not itself considered unavailable', async () => {
    let calls = 0;
    const { port } = await serve({
      GetWorkspace: () => {
        calls += 1;
        return Promise.reject(fail('SERVICE_UNAVAILABLE', 'The database is unavailable.'));
      },
    });
    const client = clientOf(port);
    for (let i = 0; i < 8; i += 1) await client.call('GetWorkspace', {}, context).catch(() => {});
    expect(calls).toBe(8);
  });
});

test('the error for a port in use names the port, the host and the reason', async () => {
  const { port } = await serve({});
  await expect(serve({}, { port })).rejects.toThrow(
    `Port ${port} on ${HOST} cannot be used for gRPC: listen EADDRINUSE`,
  );
});

test.each([constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_INTERNAL_ERROR])(
  'a call whose peer crashes (stream reset with code %i) fails with SERVICE_UNAVAILABLE',
  async (code) => {
    const dying = createHttp2();
    dying.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' });
      stream.close(code);
    });
    dying.listen(0, HOST);
    await once(dying, 'listening');
    const client = clientOf((dying.address() as AddressInfo).port);
    await expect(client.call('GetWorkspace', {}, context)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    dying.close();
  },
);
