import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail, type ErrorCode } from '@tautan/kit';
import { operations } from './routes/table.js';
import { pathWithId } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';
import { NOW } from './testing/people.js';
import {
  aDelivery,
  anEndpoint,
  aWholeDelivery,
  DELIVERY_ID,
  ENDPOINT_ID,
  DELIVERY_BODY,
  webhooks,
} from './testing/webhooks.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.webhooks = webhooks();
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, body?: unknown, headers = {}) =>
  gateway.request(method, `/webhooks${path}`, body, headers);
const requestsOf = (name: string) => requestsTo(gateway.services, name);

const endpoint = { ...anEndpoint(), disabledReason: null };
const summary = { ...aDelivery(), nextRetryAt: null, completedAt: null };
const delivery = {
  ...summary,
  attempts: 2,
  nextRetryAt: NOW,
  body: DELIVERY_BODY,
  attemptLog: [
    { n: 1, at: NOW, durationMs: 15_000, statusCode: null, error: 'timeout', responseSnippet: null },
    { n: 2, at: NOW, durationMs: 12, statusCode: 500, error: 'status', responseSnippet: 'no' },
  ],
};
const singlePage = (limit: number) => ({ limit, hasMore: false });

describe('endpoints', () => {
  test('are listed without pagination and without secrets', async () => {
    const { status, data, meta } = await send('GET', '');
    expect([status, meta.page]).toEqual([200, singlePage(2)]);
    expect(data).toEqual([endpoint, { ...endpoint, active: false, disabledReason: 'gone' }]);
  });

  test('are created with a secret, which a repeated request returns again', async () => {
    const body = { url: 'https://example.com/hook', events: ['link.created', 'tag.deleted'] };
    const create = () => send('POST', '', body, { 'idempotency-key': 'create' });
    const [first, second] = [await create(), await create()];
    expect([first.status, first.data]).toEqual([201, { ...endpoint, ...body, secret: 'whsec_1' }]);
    expect([second.data, second.headers.get('idempotency-replayed')]).toEqual([first.data, 'true']);
    expect(requestsOf('CreateEndpoint')).toEqual([{ ...body, operationId: expect.any(String) }]);
  });

  test('get a new secret, which a repeated request returns again', async () => {
    const rotate = () => send('POST', `/${ENDPOINT_ID}/rotate-secret`, undefined, { 'idempotency-key': 'rotate' });
    const [first, second] = [await rotate(), await rotate()];
    expect([first.status, first.data]).toEqual([200, { ...endpoint, secret: 'whsec_1' }]);
    expect(second.data).toEqual(first.data);
    expect(requestsOf('RotateSecret')).toEqual([{ id: ENDPOINT_ID, operationId: expect.any(String) }]);
  });

  test('are updated only in the given fields', async () => {
    const paused = await send('PATCH', `/${ENDPOINT_ID}`, { active: false });
    expect([paused.status, paused.data]).toEqual([200, { ...endpoint, active: false }]);
    const edit = { url: 'https://example.com/other', events: ['tag.created'] };
    expect((await send('PATCH', `/${ENDPOINT_ID}`, edit)).data).toEqual({ ...endpoint, ...edit });
    const calls = requestsOf('UpdateEndpoint');
    expect(calls[0]).toEqual({ id: ENDPOINT_ID, active: false, events: null });
    expect(calls[1]).toEqual({ id: ENDPOINT_ID, url: edit.url, events: { types: edit.events } });
  });

  test('are deleted', async () => {
    const { status, data } = await send('DELETE', `/${ENDPOINT_ID}`);
    expect([status, data]).toEqual([200, { id: ENDPOINT_ID, deleted: true }]);
    expect(requestsOf('DeleteEndpoint')).toEqual([{ id: ENDPOINT_ID }]);
  });

  test('receive a test event', async () => {
    const { status, data } = await send('POST', `/${ENDPOINT_ID}/test`);
    expect([status, data]).toEqual([200, { ...delivery, type: 'webhook.test' }]);
    expect(requestsOf('TestEndpoint')).toEqual([{ id: ENDPOINT_ID }]);
  });

  test.each([
    ['url', { url: 5, events: ['*'] }],
    ['url', { events: ['*'] }],
    ['url', { url: '', events: ['*'] }],
    ['events', { url: 'https://example.com/' }],
    ['events', { url: 'https://example.com/', events: [] }],
    ['events', { url: 'https://example.com/', events: Array.from({ length: 101 }, () => 'tag.created') }],
    ['events.1', { url: 'https://example.com/', events: ['tag.created', 'tag.exploded'] }],
    ['events.0', { url: 'https://example.com/', events: ['session.created'] }],
    ['active', { url: 'https://example.com/', events: ['*'], active: true }],
    ['secret', { url: 'https://example.com/', events: ['*'], secret: 'whsec_mine' }],
  ])('are rejected with an error that names %s', async (field, body) => {
    const { status, error } = await send('POST', '', body);
    expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(requestsOf('CreateEndpoint')).toEqual([]);
  });

  test.each([{ secret: 'whsec_mine' }, { url: null }, { active: 'true' }, { events: [] }])(
    'are not changed by %j',
    async (body) => {
      const { status, error } = await send('PATCH', `/${ENDPOINT_ID}`, body);
      expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', Object.keys(body)[0]]);
      expect(requestsOf('UpdateEndpoint')).toEqual([]);
    },
  );
});

describe('deliveries', () => {
  test('are listed in pages of twenty, without body or attempt log', async () => {
    const { status, data, meta } = await send('GET', '/deliveries');
    expect([status, data]).toEqual([200, [summary]]);
    expect([meta.page, 'cursor' in meta]).toEqual([{ limit: 20, hasMore: false }, false]);
    expect(requestsOf('ListDeliveries')).toEqual([{ limit: 20 }]);
  });

  test('are filtered, and the next cursor is both in meta.page and in meta.cursor', async () => {
    gateway.services.webhooks.ListDeliveries = async () => ({ deliveries: [], nextCursor: 'c2' });
    const query = { status: 'failed', subscriptionId: ENDPOINT_ID, type: 'link.clicked', cursor: 'c1' };
    const { meta } = await send('GET', `/deliveries?${new URLSearchParams({ ...query, limit: '100' }).toString()}`);
    expect([meta.page, meta.cursor]).toEqual([{ limit: 100, hasMore: true, nextCursor: 'c2' }, 'c2']);
    expect(requestsOf('ListDeliveries')).toEqual([{ ...query, limit: 100 }]);
  });

  test.each(['limit=0', 'limit=101', 'status=lost', 'type=session.created', 'subscriptionId=', 'cursor='])(
    '%s is rejected, and the error names the parameter',
    async (query) => {
      const { status, error } = await send('GET', `/deliveries?${query}`);
      expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', query.split('=')[0]]);
    },
  );

  test('are returned with every attempt and the exact body that was sent', async () => {
    const { status, data } = await send('GET', `/deliveries/${DELIVERY_ID}`);
    expect([status, data]).toEqual([200, delivery]);
    expect(requestsOf('GetDelivery')).toEqual([{ id: DELIVERY_ID }]);
  });

  test('have null as their body if the service withholds it', async () => {
    gateway.services.webhooks.GetDelivery = async () => aWholeDelivery({ body: '' });
    expect((await send('GET', `/deliveries/${DELIVERY_ID}`)).data).toEqual({ ...delivery, body: null });
  });

  test('are retried once per Idempotency-Key; every retry request returns 202', async () => {
    const retry = () => send('POST', `/deliveries/${DELIVERY_ID}/retry`, undefined, { 'idempotency-key': 'retry' });
    const first = await retry();
    expect([first.status, first.data]).toEqual([202, delivery]);
    const again = await retry();
    expect([again.status, again.data, again.headers.get('idempotency-replayed')]).toEqual([202, delivery, 'true']);
    expect(requestsOf('RetryDelivery')).toEqual([{ id: DELIVERY_ID, operationId: expect.any(String) }]);
  });
});

test('event types are listed without pagination, with an example', async () => {
  const { status, data, meta } = await send('GET', '/event-types');
  const eventType = {
    type: 'link.created',
    description: 'A link was created.',
    trigger: 'POST',
    example: { id: 'evt_1' },
  };
  expect([status, data, meta.page]).toEqual([200, [eventType], singlePage(1)]);
});

test.each([
  ['POST', '/deliveries', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/event-types', 'GET, HEAD, OPTIONS'],
  ['PATCH', '/deliveries', 'GET, HEAD, OPTIONS'],
  ['GET', `/${ENDPOINT_ID}`, 'PATCH, DELETE, OPTIONS'],
  ['GET', `/deliveries/${DELIVERY_ID}/retry`, 'POST, OPTIONS'],
])('%s %s returns METHOD_NOT_ALLOWED with the allowed methods', async (method, path, allow) => {
  const { status, headers } = await send(method, path);
  expect([status, headers.get('allow')]).toEqual([405, allow]);
});

type Method = keyof TestGateway['services']['webhooks'];
const body = { url: 'https://example.com/', events: ['*'] };
test.each<[string, string, unknown, Method, ErrorCode, number, string | undefined]>([
  ['POST', '', body, 'CreateEndpoint', 'ENDPOINT_EXISTS', 409, 'url'],
  ['POST', '', body, 'CreateEndpoint', 'PLAN_LIMIT_EXCEEDED', 402, 'webhookEndpoints'],
  ['POST', '', body, 'CreateEndpoint', 'VALIDATION_ERROR', 400, 'url'],
  ['PATCH', '/x', { active: true }, 'UpdateEndpoint', 'ENDPOINT_EXISTS', 409, 'url'],
  ['PATCH', '/x', { active: true }, 'UpdateEndpoint', 'FORBIDDEN', 403, undefined],
  ['DELETE', '/x', undefined, 'DeleteEndpoint', 'NOT_FOUND', 404, undefined],
  ['POST', '/x/rotate-secret', undefined, 'RotateSecret', 'NOT_FOUND', 404, undefined],
  ['POST', '/x/test', undefined, 'TestEndpoint', 'ENDPOINT_DISABLED', 409, undefined],
  ['GET', '/deliveries?cursor=x', undefined, 'ListDeliveries', 'VALIDATION_ERROR', 400, 'cursor'],
  ['GET', '/deliveries/x', undefined, 'GetDelivery', 'NOT_FOUND', 404, undefined],
  ['POST', '/deliveries/x/retry', undefined, 'RetryDelivery', 'ALREADY_QUEUED', 409, undefined],
  ['POST', '/deliveries/x/retry', undefined, 'RetryDelivery', 'ENDPOINT_DISABLED', 409, undefined],
])('%s /webhooks%s with %j returns the error of %s: %s', async (method, path, given, name, code, status, field) => {
  Object.assign(gateway.services.webhooks, { [name]: () => Promise.reject(fail(code, 'No.', field)) });
  const answer = await send(method, path, given);
  expect([answer.status, answer.error]).toEqual([status, { code, message: 'No.', ...(field && { field }) }]);
});

test('without the webhooks service, its routes return SERVICE_UNAVAILABLE, and all others work', async () => {
  const other = await startGateway({ WEBHOOKS_ADDRESS: '' });
  const paths = ['', '/deliveries', `/deliveries/${DELIVERY_ID}`, '/event-types'];
  for (const path of paths) {
    const { status, error } = await other.request('GET', `/webhooks${path}`);
    expect([path, status, error!.code]).toEqual([path, 503, 'SERVICE_UNAVAILABLE']);
  }
  expect((await other.request('POST', '/webhooks', body)).error!.code).toBe('SERVICE_UNAVAILABLE');
  const others = operations.filter(({ path, request }) => !path.startsWith('/api/v1/webhooks') && !request.upload);
  for (const { method, path, request } of others) {
    const { status } = await other.request(method, pathWithId(path), request.bodyExample);
    expect([method, path, status < 500]).toEqual([method, path, true]);
  }
  // In the metric, the code of these responses differs from that of failures.
  const metrics = await (await fetch(`${other.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(
    /_count\{[^}]*route="\/api\/v1\/webhooks",method="GET",status="503",code="NOT_CONFIGURED"\} 1/,
  );
  expect(metrics).not.toContain('code="SERVICE_UNAVAILABLE"');
  await other.stop();
});
