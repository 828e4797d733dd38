import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { allowedMs, freePort, until } from '@tautan/kit/testing';
import { start } from './index.js';
import { aLink } from './testing/services.js';
import { gatewayConfig, startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;
let count = 0;
let handlers: TestGateway['services']['idempotency'];

beforeAll(async () => {
  gateway = await startGateway({ RPC_TIMEOUT_MS: '10000' });
  handlers = { ...gateway.services.idempotency };
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  Object.assign(gateway.services.idempotency, handlers);
  gateway.services.links.CreateLink = async (_call, { url }) => aLink({ url, slug: `s${(count += 1)}` });
});
afterAll(() => gateway.stop());

const create = (key: string, body: object = { url: 'https://example.com/' }) =>
  gateway.request('POST', '/links', body, { 'idempotency-key': key });
const createCalls = () => gateway.services.calls.filter(({ method }) => method === 'CreateLink');

test('returns the first response again, with a new request id', async () => {
  const first = await create('a');
  const again = await create('a');
  expect(createCalls()).toHaveLength(1);
  expect([again.status, again.data]).toEqual([201, first.data]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.meta.requestId).not.toBe(first.meta.requestId);
});

test('stores error responses as well', async () => {
  gateway.services.links.CreateLink = () => Promise.reject(fail('SLUG_TAKEN', 'The slug is in use.', 'slug'));
  const first = await create('b');
  const again = await create('b');
  expect([again.status, again.error]).toEqual([409, first.error]);
  expect(createCalls()).toHaveLength(1);
  expect((await create('c', {})).status).toBe(400);
  expect((await create('c', {})).headers.get('idempotency-replayed')).toBe('true');
});

test('responds with IDEMPOTENCY_MISMATCH to another body or path with the same key', async () => {
  await create('d');
  expect((await create('d', { url: 'https://example.com/other' })).error!.code).toBe('IDEMPOTENCY_MISMATCH');
  const elsewhere = await gateway.request('POST', '/tags', { url: 'https://example.com/' }, { 'idempotency-key': 'd' });
  expect([elsewhere.status, elsewhere.error!.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
});

test('responds with IDEMPOTENCY_IN_PROGRESS while the first request is running', async () => {
  let finish: () => void = () => {};
  const running = new Promise<void>((began) => {
    gateway.services.links.CreateLink = async () => {
      began();
      await new Promise<void>((resolve) => (finish = resolve));
      return aLink();
    };
  });
  const first = create('e');
  await running;
  expect((await create('e')).error!.code).toBe('IDEMPOTENCY_IN_PROGRESS');
  finish();
  expect((await first).status).toBe(201);
});

test.each([
  ['SERVICE_UNAVAILABLE', 503],
  ['INTERNAL_ERROR', 500],
] as const)('does not store a retryable failure (%s): a retry has the same operation id', async (code, status) => {
  const succeed = gateway.services.links.CreateLink;
  gateway.services.links.CreateLink = () => Promise.reject(fail(code, 'Something is unavailable.'));
  expect((await create(code)).status).toBe(status);
  gateway.services.links.CreateLink = succeed;
  expect((await create(code)).status).toBe(201);
  const [first, second] = createCalls().map(({ request }) => request['operationId']);
  expect([first, typeof first]).toEqual([second, 'string']);
});

test('stores nothing without a key or for idempotent methods', async () => {
  await gateway.request('POST', '/links', { url: 'https://example.com/' });
  await gateway.request('GET', '/tags', undefined, { 'idempotency-key': 'f' });
  await gateway.request('DELETE', '/links/lnk_1', undefined, { 'idempotency-key': 'f' });
  expect(gateway.services.calls.map(({ method }) => method)).not.toContain('BeginRequest');
  expect(createCalls()[0]!.request['operationId']).toBeUndefined();
});

test('does not run a request if the store is unavailable, and still responds if the store fails afterwards', async () => {
  gateway.services.idempotency.BeginRequest = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Unavailable.'));
  expect([(await create('g')).status, createCalls().length]).toEqual([503, 0]);
  gateway.services.idempotency.BeginRequest = handlers.BeginRequest;
  gateway.services.idempotency.CompleteRequest = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Unavailable.'));
  expect((await create('h')).status).toBe(201);
});

test('renews a claim while its request runs, and not afterwards', async () => {
  const renewals = () => gateway.services.calls.filter(({ method }) => method === 'RenewRequests');
  gateway.services.links.CreateLink = async () => {
    await until(() => renewals().length >= 2);
    return aLink();
  };
  expect((await create('i')).status).toBe(201);
  expect(renewals()[0]!.request['claimIds']).toEqual(['claim of i']);
  const count = renewals().length;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(renewals().length).toBe(count);
});

describe('a request that lost its claim', () => {
  /** Runs a request until it is canceled. Resolves with its response once its call to the link service is canceled. */
  async function canceled(key: string) {
    const aborted = new Promise<void>((resolve) => {
      gateway.services.links.CreateLink = ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            resolve();
            reject(fail('SERVICE_UNAVAILABLE', 'Canceled.'));
          }),
        );
    });
    const response = await create(key);
    await aborted;
    return response;
  }

  test('is canceled with 503, and does not release the claim', async () => {
    gateway.services.idempotency.RenewRequests = async (_call, { claimIds }) => ({ lost: claimIds });
    const began = performance.now();
    expect((await canceled('j')).error!.code).toBe('SERVICE_UNAVAILABLE');
    expect(performance.now() - began).toBeLessThan(allowedMs(2_500));
    expect(gateway.services.calls.map(({ method }) => method)).not.toContain('ReleaseRequest');
  });

  test('is canceled when the claim may have been taken over because renewals failed', async () => {
    gateway.services.idempotency.RenewRequests = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Unavailable.'));
    const began = performance.now();
    expect((await canceled('k')).error!.code).toBe('SERVICE_UNAVAILABLE');
    expect(performance.now() - began).toBeGreaterThan(2_900);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('does not run if it lost the claim before it started', async () => {
    gateway.services.idempotency.BeginRequest = async () => ({
      state: 'claimed',
      operationId: 'op',
      claimId: 'c',
      leaseMs: 0,
    });
    expect([(await create('l')).status, createCalls().length]).toEqual([503, 0]);
  });
});

test('at start, a gateway releases the claims of its previous process, and retries until this succeeds', async () => {
  const port = await freePort();
  const released = () => gateway.services.calls.filter(({ method }) => method === 'ReleaseInstance');
  let failures = 2;
  gateway.services.idempotency.ReleaseInstance = () =>
    failures-- > 0 ? Promise.reject(fail('SERVICE_UNAVAILABLE', 'Unavailable.')) : Promise.resolve({});
  const running = await start(gatewayConfig(gateway.services.address, { GATEWAY_PORT: String(port) }));
  await until(() => released().length === 3);
  expect(released()[2]!.request).toMatchObject({ instance: `${hostname()}:${port}`, process: expect.any(String) });
  await running.stop();
});
