import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { fail } from '@tautan/kit';
import { allowedMs, eventually } from '@tautan/kit/testing';
import { aLink, startTestServices } from './testing/services.js';
import { startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ RPC_TIMEOUT_MS: '300' });
});
afterAll(() => gateway.stop());

const never = () => new Promise<never>(() => {});

describe('a service', () => {
  test('that does not respond results in TIMEOUT at the deadline', async () => {
    gateway.services.links.GetLink = never;
    // Connects to the services and caches the credential.
    await gateway.request('GET', '/tags');
    const startedAt = Date.now();
    const { status, error } = await gateway.request('GET', '/links/abc');
    expect([status, error]).toEqual([504, { code: 'TIMEOUT', message: 'The request timed out. Try again.' }]);
    const ms = Date.now() - startedAt;
    expect(ms).toBeGreaterThanOrEqual(200);
    expect(ms).toBeLessThan(allowedMs(1_500));
  });

  test('that fails unexpectedly results in INTERNAL_ERROR without details', async () => {
    gateway.services.links.GetLink = () => Promise.reject(new Error('secret at /srv/app.js:12 mongodb://host'));
    const { status, error, text } = await gateway.request('GET', '/links/abc');
    expect([status, error!.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(text).not.toMatch(/secret|\/srv|mongodb/);
  });

  test('that returns an error results in a response with the code, message and field of that error', async () => {
    gateway.services.links.CreateLink = () => Promise.reject(fail('SLUG_TAKEN', 'The slug is in use.', 'slug'));
    const { status, error } = await gateway.request('POST', '/links', { url: 'https://example.com' });
    expect([status, error]).toEqual([409, { code: 'SLUG_TAKEN', message: 'The slug is in use.', field: 'slug' }]);
  });

  test('that is down results in SERVICE_UNAVAILABLE immediately, and is used again once it is up', async () => {
    const absent = await startTestServices();
    await absent.stop();
    const other = await startGateway({ LINKS_ADDRESS: absent.address });
    const startedAt = Date.now();
    for (let i = 0; i < 10; i += 1) {
      const { status, error } = await other.request('GET', '/links');
      expect([status, error!.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    const readiness = async () => (await fetch(`${other.adminUrl}/readyz`)).text();
    // Test gateways have no bus.
    await eventually(async () => expect(await readiness()).toBe('degraded: nats, links\n'));
    expect((await fetch(`${other.adminUrl}/readyz`)).status).toBe(200);
    const back = await startTestServices(Number(absent.address.split(':')[1]));
    await eventually(async () => expect((await other.request('GET', '/links')).status).toBe(200));
    await eventually(async () => expect(await readiness()).toBe('degraded: nats\n'));
    await other.stop();
    await back.stop();
  });
});

describe('an export', () => {
  const forever = (onEnd: () => void) =>
    async function* () {
      try {
        for (;;) {
          yield { links: Array.from({ length: 100 }, () => aLink()) };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        onEnd();
      }
    };

  /** Waits until the metrics contain an export that ended with this code after the status 200. */
  const expectExportsWithCode = (code: string): Promise<void> =>
    eventually(async () => {
      const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
      expect(metrics).toContain(
        `_count{service="gateway",route="/api/v1/links/export",method="GET",status="200",code="${code}"} 1`,
      );
    });

  test('that fails before its first byte returns an error in the envelope', async () => {
    gateway.services.links.ExportLinks = async function* () {
      throw fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');
    };
    for (const format of ['csv', 'json', 'ndjson']) {
      const { status, error, headers } = await gateway.request('GET', `/links/export?format=${format}`);
      expect([status, error!.code, headers.get('content-disposition')]).toEqual([503, 'SERVICE_UNAVAILABLE', null]);
    }
  });

  test('that fails after its first byte aborts the connection', async () => {
    gateway.services.links.ExportLinks = async function* () {
      yield { links: [aLink()] };
      throw fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');
    };
    const response = await fetch(`${gateway.url}/api/v1/links/export`, {
      headers: { authorization: `Bearer ${gateway.services.key}` },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await expectExportsWithCode('SERVICE_UNAVAILABLE');
  });

  test('is canceled at the service when the client disconnects', async () => {
    let ended = false;
    gateway.services.links.ExportLinks = forever(() => (ended = true));
    const abort = new AbortController();
    const response = await fetch(`${gateway.url}/api/v1/links/export`, {
      headers: { authorization: `Bearer ${gateway.services.key}` },
      signal: abort.signal,
    });
    await response.body!.getReader().read();
    expect(ended).toBe(false);
    abort.abort();
    await eventually(() => expect(ended).toBe(true));
    await expectExportsWithCode('CLIENT_GONE');
  });

  test('pauses while the client does not read', async () => {
    let chunks = 0;
    gateway.services.links.ExportLinks = async function* () {
      for (;;) {
        chunks += 1;
        yield { links: Array.from({ length: 500 }, () => aLink({ title: 'x'.repeat(200) })) };
      }
    };
    const headers = { authorization: `Bearer ${gateway.services.key}` };
    const request = httpRequest(`${gateway.url}/api/v1/links/export`, { headers });
    const settled = await new Promise<number>((resolve) => {
      request.on('response', (response) => {
        response.pause();
        let before = -1;
        const timer = setInterval(() => {
          if (chunks === before) {
            clearInterval(timer);
            resolve(chunks);
          }
          before = chunks;
        }, 250);
      });
      request.end();
    });
    expect(settled).toBeLessThan(200);
    request.destroy();
  });
});

test('a shutdown completes requests in progress and accepts no new ones', async () => {
  const other = await startGateway({ DRAIN_TIMEOUT_MS: '3000' });
  let release: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    other.services.links.GetLink = async () => {
      resolve();
      await new Promise<void>((go) => (release = go));
      return aLink();
    };
  });
  const running = other.request('GET', '/links/abc');
  await started;
  const stopped = other.stop();
  await eventually(() => expect(fetch(`${other.url}/api/v1/tags`)).rejects.toThrow());
  release();
  const response = await running;
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});

test('a shutdown aborts requests after the drain timeout', async () => {
  const other = await startGateway({ DRAIN_TIMEOUT_MS: '800', RPC_TIMEOUT_MS: '20000' });
  const started = new Promise<void>((resolve) => {
    other.services.links.GetLink = () => {
      resolve();
      return never();
    };
  });
  const running = other.request('GET', '/links/abc').catch(() => 'cut');
  await started;
  const startedAt = Date.now();
  await other.stop();
  expect(await running).toBe('cut');
  expect(Date.now() - startedAt).toBeLessThan(allowedMs(2_500));
});

test('startup fails with a clear message if the port is in use', async () => {
  const port = new URL(gateway.url).port;
  await expect(startGateway({ GATEWAY_PORT: port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
});
