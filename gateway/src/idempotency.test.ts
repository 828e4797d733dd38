import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { aLink } from './testing/peers.js';
import { startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startGateway({ RPC_TIMEOUT_MS: '500' });
});
beforeEach(() => {
  gateway.peers.calls.splice(0);
  gateway.peers.links.CreateLink = async (_call, { url }) => aLink({ url, slug: `s${(count += 1)}` });
});
afterAll(() => gateway.stop());

const create = (key: string, body: object = { url: 'https://example.com/' }) =>
  gateway.request('POST', '/links', body, { 'idempotency-key': key });
const made = () => gateway.peers.calls.filter(({ method }) => method === 'CreateLink');

test('the first answer is given again, with a request id of its own', async () => {
  const first = await create('a');
  const again = await create('a');
  expect(made()).toHaveLength(1);
  expect([again.status, again.data]).toEqual([201, first.data]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.meta.requestId).not.toBe(first.meta.requestId);
});

test('refusals are kept as well', async () => {
  gateway.peers.links.CreateLink = () => Promise.reject(fail('SLUG_TAKEN', 'The slug is in use.', 'slug'));
  const first = await create('b');
  const again = await create('b');
  expect([again.status, again.error]).toEqual([409, first.error]);
  expect(made()).toHaveLength(1);
  expect((await create('c', {})).status).toBe(400);
  expect((await create('c', {})).headers.get('idempotency-replayed')).toBe('true');
});

test('another body, path or method under the same key is IDEMPOTENCY_MISMATCH', async () => {
  await create('d');
  expect((await create('d', { url: 'https://example.com/other' })).error!.code).toBe('IDEMPOTENCY_MISMATCH');
  const elsewhere = await gateway.request('POST', '/tags', { url: 'https://example.com/' }, { 'idempotency-key': 'd' });
  expect([elsewhere.status, elsewhere.error!.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
});

test('while the first is running, a second is IDEMPOTENCY_IN_PROGRESS', async () => {
  let finish: () => void = () => {};
  const running = new Promise<void>((began) => {
    gateway.peers.links.CreateLink = async () => {
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
] as const)(
  'a failure that is worth another try (%s) is not kept; the try has the same operation id',
  async (code, status) => {
    const succeed = gateway.peers.links.CreateLink;
    gateway.peers.links.CreateLink = () => Promise.reject(fail(code, 'Something is away.'));
    expect((await create(code)).status).toBe(status);
    gateway.peers.links.CreateLink = succeed;
    expect((await create(code)).status).toBe(201);
    const [first, second] = made().map(({ request }) => request['operationId']);
    expect([first, typeof first]).toEqual([second, 'string']);
  },
);

test('without a key, and on methods that repeat by nature, nothing is remembered', async () => {
  await gateway.request('POST', '/links', { url: 'https://example.com/' });
  await gateway.request('GET', '/tags', undefined, { 'idempotency-key': 'f' });
  await gateway.request('DELETE', '/links/lnk_1', undefined, { 'idempotency-key': 'f' });
  expect(gateway.peers.calls.map(({ method }) => method)).not.toContain('BeginRequest');
  expect(made()[0]!.request['operationId']).toBeUndefined();
});

test('when its memory is away before the request, the request is not begun; after it, its answer is still given', async () => {
  const { BeginRequest, CompleteRequest } = gateway.peers.idempotency;
  gateway.peers.idempotency.BeginRequest = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Away.'));
  expect([(await create('g')).status, made().length]).toEqual([503, 0]);
  gateway.peers.idempotency.BeginRequest = BeginRequest;
  gateway.peers.idempotency.CompleteRequest = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Away.'));
  expect((await create('h')).status).toBe(201);
  gateway.peers.idempotency.CompleteRequest = CompleteRequest;
});
