import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { allowedMs, until } from '@tautan/kit/testing';
import { apiClient, type ApiLink, type ApiResponse, type Client } from '../support/client.js';
import { HOUR, createTestClock, type Clock } from '../support/clock.js';
import { startGatewayReplica, type Replica } from '../support/processes.js';
import { startStack, type Stack } from '../support/stack.js';

// Tests requests whose gateway is killed, and retries of these requests at another gateway.
let clock: Clock;
let stack: Stack;
let api: Client;
/** A link service that accepts connections and never responds. */
let silent: Server;
let victim: Replica;

beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
  clock = await createTestClock();
  stack = await startStack({ env: clock.env });
  api = apiClient(stack);
});
afterAll(async () => {
  await stack?.stop();
  await clock?.remove();
  silent?.close();
});
beforeEach(async () => {
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  victim = await startGatewayReplica(stack, { LINKS_ADDRESS: address, RPC_TIMEOUT_MS: '60000' });
});
afterEach(() => void victim.process.kill('SIGKILL'));

const create = (at: Client, key: string): Promise<ApiResponse<ApiLink>> =>
  at.post('/links', { url: 'https://example.com/', tags: [key] }, { 'idempotency-key': key });

/** Starts two requests with the same key. One of them is rejected; the other runs until its gateway is killed. */
async function begin(key: string): Promise<void> {
  const doomedApi = apiClient({ baseUrl: victim.http, apiKey: stack.apiKey });
  const both = [1, 2].map(() => create(doomedApi, key));
  for (const each of both) each.catch(() => {});
  expect((await Promise.race(both)).error?.code).toBe('IDEMPOTENCY_IN_PROGRESS');
  expect((await create(api, key)).error?.code).toBe('IDEMPOTENCY_IN_PROGRESS');
}

/** Kills the gateway. Returns the milliseconds until another gateway accepts a retry. */
async function killAndTimeRetry(key: string): Promise<number> {
  victim.process.kill('SIGKILL');
  const killedAt = performance.now();
  await until(async () => (await create(api, key)).status === 201, 30_000);
  return performance.now() - killedAt;
}
const linksOf = async (key: string) => (await api.get<ApiLink[]>(`/links?tag=${key}`)).data;

test('a retry is accepted within seconds after the gateway was killed, and creates one link', async () => {
  await begin('killed');
  expect(await killAndTimeRetry('killed')).toBeLessThan(allowedMs(6_000));
  expect((await create(api, 'killed')).headers.get('idempotency-replayed')).toBe('true');
  expect(await linksOf('killed')).toHaveLength(1);
});

test('a retry is accepted within seconds, even if the clock was set back before the gateway was killed', async () => {
  await clock.advance(HOUR);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await begin('set-back');
  await clock.advance(-HOUR);
  expect(await killAndTimeRetry('set-back')).toBeLessThan(allowedMs(6_000));
});

test('a long request is not run again if the clock is set forward by an hour', async () => {
  await begin('long');
  await clock.advance(HOUR);
  const began = performance.now();
  while (performance.now() - began < 7_000) {
    expect((await create(api, 'long')).error?.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(await linksOf('long')).toEqual([]);
});
