import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { allowedMs, eventually } from '@tautan/kit/testing';
import { Webhook } from 'standardwebhooks';
import { apiClient, type ApiResponse, type ApiTag, type Client } from '../support/client.js';
import { HOUR, MINUTE, createTestClock, SECOND, type Clock } from '../support/clock.js';
import { everyString } from '../support/database.js';
import type { ApiAuditEntry, ApiDelivery, ApiEndpoint, EndpointWithSecret } from '../support/events.js';
import { accepted } from '../support/people.js';
import { startReceiver, verifySigned, type Received, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// The tests control the clock of the services.
let stack: Stack;
let api: Client;
let receiver: Receiver;
let clock: Clock;

const DEFAULT_TIMEOUT_MS = 15_000;
/** The timeout of an attempt in all tests except the last, which tests the default. */
const TIMEOUT_MS = 1_500;

beforeAll(async () => {
  clock = await createTestClock();
  receiver = await startReceiver();
  stack = await startStack({ env: { ...clock.env, ATTEMPT_TIMEOUT_MS: `${TIMEOUT_MS}` } });
  api = apiClient(stack);
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await clock?.remove();
});
afterEach(() => {
  receiver.answer = (response) => void response.writeHead(204).end();
});

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
const respondWith = (status: number, headers: Record<string, string> = {}, body = '') => {
  receiver.answer = (response) => void response.writeHead(status, headers).end(body);
};

let endpointCount = 0;
let tagCount = 0;
const anEndpointUrl = (): string => `${receiver.url}/${(endpointCount += 1)}`;
const pathOf = ({ url }: ApiEndpoint): string => new URL(url).pathname;
const aTag = async () => accepted(await api.post<ApiTag>('/tags', { name: `tanda ${(tagCount += 1)}` }));

/** Creates an endpoint with a URL of its own. By default, the endpoint subscribes only to `tag.created`. */
const anEndpoint = async (fields: Record<string, unknown> = {}) =>
  accepted(
    await api.post<EndpointWithSecret>('/webhooks', { url: anEndpointUrl(), events: ['tag.created'], ...fields }),
  );
const remove = async ({ id }: ApiEndpoint) => accepted(await api.delete(`/webhooks/${id}`));
const current = async ({ id }: ApiEndpoint) =>
  accepted(await api.get<ApiEndpoint[]>('/webhooks')).find((each) => each.id === id)!;
const deliveriesTo = async ({ id }: ApiEndpoint) =>
  accepted(await api.get<ApiDelivery[]>(`/webhooks/deliveries?subscriptionId=${id}&limit=100`));
const deliveryOf = async (id: string) => accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${id}`));

const afterAttempts = (id: string, attempts: number): Promise<ApiDelivery> =>
  eventually(async () => {
    const delivery = await deliveryOf(id);
    expect(delivery.attempts).toBe(attempts);
    return delivery;
  });

/** Emits an event for an endpoint. Resolves with its delivery after the first attempt. */
async function deliverOne(endpoint: ApiEndpoint): Promise<ApiDelivery> {
  const before = new Set((await deliveriesTo(endpoint)).map(({ id }) => id));
  await aTag();
  const { id } = await eventually(async () => {
    const [fresh] = (await deliveriesTo(endpoint)).filter((each) => !before.has(each.id));
    expect(fresh).toBeDefined();
    return fresh!;
  });
  return afterAttempts(id, 1);
}

const last = (endpoint: ApiEndpoint): Received => receiver.at(pathOf(endpoint)).at(-1)!;
/** Returns the time in ms from the last attempt to the next scheduled one. */
const delayOf = ({ nextRetryAt, attemptLog }: ApiDelivery) =>
  Date.parse(nextRetryAt!) - Date.parse(attemptLog.at(-1)!.at);
const expectWithinTenPercent = (ms: number, expected: number): void => {
  expect(ms).toBeGreaterThanOrEqual(Math.floor(0.9 * expected));
  // The attempt itself takes a moment.
  expect(ms).toBeLessThanOrEqual(1.1 * expected + allowedMs(2 * SECOND));
};

interface EventTypeView {
  type: string;
  description: string;
  trigger: string;
  example: { type: string };
}

/** The event types that the API's specification lists (`contract.md`, see tests/contract), and later additions. */
const types = `link.created link.updated link.deleted link.expired link.clicked qr_code.created qr_code.updated
  qr_code.deleted qr_code.expired qr_code.scanned tag.created tag.updated tag.deleted domain.created domain.updated domain.verified
  domain.failing domain.failed domain.deleted member.invited member.joined member.removed member.role_changed subscription.updated
  subscription.canceled usage.threshold_reached webhook.test`.split(/\s+/);

describe('types and bodies:', () => {
  test('event-types lists type, description, trigger and example of every type', async () => {
    const listed = accepted(await api.get<EventTypeView[]>('/webhooks/event-types'));
    expect(listed.map(({ type }) => type).sort()).toEqual([...types].sort());
    for (const each of listed) {
      expect(Object.keys(each).sort()).toEqual(['description', 'example', 'trigger', 'type']);
      expect([each.description, each.trigger]).not.toContain('');
      expect(Object.keys(each.example)).toEqual(
        expect.arrayContaining(['id', 'type', 'createdAt', 'workspaceId', 'data']),
      );
      expect(each.example.type).toBe(each.type);
    }
  });

  test('a body is {id, type, createdAt, workspaceId, data}, plus changes for updates; data is what the API returns', async () => {
    const endpoint = await anEndpoint({ events: ['tag.created', 'tag.updated'] });
    const tag = await aTag();
    await eventually(() => expect(receiver.at(pathOf(endpoint))).toHaveLength(1));
    const { event } = last(endpoint);
    expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'workspaceId', 'data']);
    expect(event.id).toMatch(/^evt_/);
    expect(event).toMatchObject({ type: 'tag.created', createdAt: expect.stringMatching(/^\d{4}-.*Z$/), data: tag });
    const renamed = accepted(await api.patch<ApiTag>(`/tags/${tag.id}`, { name: 'lain' }));
    await eventually(() => expect(receiver.at(pathOf(endpoint))).toHaveLength(2));
    expect(last(endpoint).event).toMatchObject({
      type: 'tag.updated',
      data: renamed,
      changes: { name: { before: tag.name, after: 'lain' } },
    });
    await remove(endpoint);
  });

  test('POST /webhooks/{id}/test sends webhook.test, regardless of the subscribed events', async () => {
    const endpoint = await anEndpoint({ events: ['link.deleted'] });
    const delivery = accepted(await api.post<ApiDelivery>(`/webhooks/${endpoint.id}/test`, undefined));
    expect(delivery).toMatchObject({ type: 'webhook.test', subscriptionId: endpoint.id });
    await eventually(() => expect(receiver.at(pathOf(endpoint))).toHaveLength(1));
    expect(last(endpoint).event.type).toBe('webhook.test');
    await remove(endpoint);
  });
});

describe('signing:', () => {
  test('webhook-signature is v1 and the base64 HMAC-SHA256 of id.timestamp.body; the secret is whsec_ and 32 bytes', async () => {
    const endpoint = await anEndpoint();
    await deliverOne(endpoint);
    const { headers, text, event } = last(endpoint);
    const [, encoded] = /^whsec_([A-Za-z0-9+/]{43}=)$/.exec(endpoint.secret)!;
    const key = Buffer.from(encoded!, 'base64');
    expect(key).toHaveLength(32);
    const stamp = headers['webhook-timestamp'] as string;
    expect(headers['webhook-id']).toBe(event.id);
    expect(stamp).toMatch(/^\d{10}$/);
    const signature = createHmac('sha256', key).update(`${event.id}.${stamp}.${text}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    await remove(endpoint);
  });

  test('the official library verifies a delivery, and rejects it if tampered with, old or signed with another secret', async () => {
    const endpoint = await anEndpoint();
    const other = await anEndpoint();
    await deliverOne(endpoint);
    const delivery = last(endpoint);
    // The library uses this machine's clock, so this test runs before the clock of the services is advanced.
    const at = new Date(Number(delivery.headers['webhook-timestamp']) * 1_000);
    expect(new Webhook(endpoint.secret).sign(delivery.event.id, at, delivery.text)).toBe(
      delivery.headers['webhook-signature'],
    );
    verifySigned(delivery, endpoint.secret);
    expect(() =>
      verifySigned({ ...delivery, text: delivery.text.replace('tanda', 'canda') }, endpoint.secret),
    ).toThrow();
    expect(() => verifySigned(delivery, other.secret)).toThrow();
    const old = { ...delivery.headers, 'webhook-timestamp': `${Math.floor(Date.now() / 1_000) - 600}` };
    expect(() => verifySigned({ ...delivery, headers: old }, endpoint.secret)).toThrow(/old/);
    await Promise.all([remove(endpoint), remove(other)]);
  });

  test('the secret is encrypted at rest, and returned once', async () => {
    const endpoint = await anEndpoint();
    const renewed = accepted(await api.post<EndpointWithSecret>(`/webhooks/${endpoint.id}/rotate-secret`, undefined));
    const stored = await everyString((await stack.quickstart()).mongodb.uri);
    for (const secret of [endpoint.secret, renewed.secret]) {
      const bare = secret.slice('whsec_'.length);
      expect(
        [...stored].filter((text) => text.includes(bare) || text.includes(Buffer.from(bare, 'base64').toString('hex'))),
      ).toEqual([]);
    }
    expect(await current(endpoint)).not.toHaveProperty('secret');
    expect(accepted(await api.patch(`/webhooks/${endpoint.id}`, { events: ['tag.deleted'] }))).not.toHaveProperty(
      'secret',
    );
    await remove(endpoint);
  });

  test('rotate-secret returns a new secret; deliveries are signed with the old one, too, for 24 h', async () => {
    const endpoint = await anEndpoint();
    const renewed = accepted(await api.post<EndpointWithSecret>(`/webhooks/${endpoint.id}/rotate-secret`, undefined));
    expect(renewed.secret).not.toBe(endpoint.secret);
    const signers = async () => {
      await deliverOne(endpoint);
      const { headers, text, event } = last(endpoint);
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const signatures = (headers['webhook-signature'] as string).split(' ');
      const signed = [renewed, endpoint].filter(({ secret }) =>
        signatures.includes(new Webhook(secret).sign(event.id, at, text)),
      );
      expect(signed).toHaveLength(signatures.length);
      return signed.map(({ secret }) => secret);
    };
    expect(await signers()).toEqual([renewed.secret, endpoint.secret]);
    await clock.advance(24 * HOUR - 5 * MINUTE);
    expect(await signers()).toEqual([renewed.secret, endpoint.secret]);
    await clock.advance(6 * MINUTE);
    expect(await signers()).toEqual([renewed.secret]);
    await remove(endpoint);
  });
});

describe('an endpoint', () => {
  test('is {id, url, events[], active, disabledReason, createdAt, updatedAt}', async () => {
    const endpoint = await anEndpoint();
    const { secret, ...rest } = endpoint;
    expect(secret).toMatch(/^whsec_/);
    expect(await current(endpoint)).toEqual(rest);
    expect(rest).toEqual({
      id: expect.stringMatching(/^whe_/),
      url: endpoint.url,
      events: ['tag.created'],
      active: true,
      disabledReason: null,
      createdAt: rest.updatedAt,
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await remove(endpoint);
  });

  test('has known events or ["*"] and an https URL (local http in development) of up to 2,048 characters', async () => {
    const long = (characters: number) =>
      `https://example.com/${'x'.repeat(characters - 'https://example.com/'.length)}`;
    for (const [body, field] of [
      [{ url: 'http://example.com/hook', events: ['*'] }, 'url'],
      [{ url: 'ftp://example.com/hook', events: ['*'] }, 'url'],
      [{ url: 'https://user:pass@example.com/hook', events: ['*'] }, 'url'],
      [{ url: 'example.com/hook', events: ['*'] }, 'url'],
      [{ url: long(2_049), events: ['*'] }, 'url'],
      [{ url: 'https://example.com/hook', events: [] }, 'events'],
      [{ url: 'https://example.com/hook', events: ['link.flown'] }, 'events'],
      [{ url: 'https://example.com/hook', events: ['*', 'link.created'] }, 'events'],
      [{ url: 'https://example.com/hook' }, 'events'],
      [{ events: ['*'] }, 'url'],
    ] as const) {
      const [status, code, named] = errorOf(await api.post('/webhooks', body));
      expect([body, status, code, `${named}`.split(/[.[]/)[0]]).toEqual([body, 400, 'VALIDATION_ERROR', field]);
    }
    const longest = accepted(await api.post<ApiEndpoint>('/webhooks', { url: long(2_048), events: ['link.deleted'] }));
    await remove(longest);
  });

  test('with the URL of another one is rejected with ENDPOINT_EXISTS', async () => {
    const endpoint = await anEndpoint();
    expect(errorOf(await api.post('/webhooks', { url: endpoint.url, events: ['*'] })).slice(0, 2)).toEqual([
      409,
      'ENDPOINT_EXISTS',
    ]);
    await remove(endpoint);
  });

  test.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '0xa.0.0.1',
    '167772161',
    '012.0.0.1',
    '10.1',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
    '[2002:a00:1::]',
  ])('at the private or reserved address %s is rejected by the egress guard', async (host) => {
    const refused = [400, 'VALIDATION_ERROR', 'url'];
    expect(errorOf(await api.post('/webhooks', { url: `https://${host}/`, events: ['*'] }))).toEqual(refused);
    const endpoint = await anEndpoint();
    expect(errorOf(await api.patch(`/webhooks/${endpoint.id}`, { url: `https://${host}/` }))).toEqual(refused);
    await remove(endpoint);
  });
});

describe('a delivery', () => {
  test('contains every attempt with a response snippet of at most 1 KiB; the list omits body and attemptLog', async () => {
    respondWith(200, {}, 'é'.repeat(2_000));
    const endpoint = await anEndpoint();
    const delivery = await deliverOne(endpoint);
    expect(delivery).toEqual({
      id: expect.stringMatching(/^whd_/),
      subscriptionId: endpoint.id,
      eventId: last(endpoint).event.id,
      type: 'tag.created',
      status: 'succeeded',
      attempts: 1,
      nextRetryAt: null,
      body: last(endpoint).text,
      attemptLog: [
        {
          n: 1,
          at: expect.any(String),
          durationMs: expect.any(Number),
          statusCode: 200,
          error: null,
          responseSnippet: 'é'.repeat(512),
        },
      ],
      createdAt: expect.any(String),
      completedAt: expect.any(String),
    });
    const { body: _body, attemptLog: _log, ...row } = delivery;
    expect(await deliveriesTo(endpoint)).toEqual([row]);
    await remove(endpoint);
  });

  test('is attempted immediately, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each ± 10%, and fails after the eighth attempt', async () => {
    respondWith(500, {}, 'aduh');
    const endpoint = await anEndpoint();
    let delivery = await deliverOne(endpoint);
    const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const [i, pause] of pauses.entries()) {
      expect(delivery.status).toBe('pending');
      expectWithinTenPercent(delayOf(delivery), pause);
      await clock.advanceTo(Date.parse(delivery.nextRetryAt!));
      delivery = await afterAttempts(delivery.id, i + 2);
    }
    expect(delivery).toMatchObject({ status: 'failed', attempts: 8, nextRetryAt: null });
    expect(delivery.attemptLog.map(({ n, statusCode, responseSnippet }) => [n, statusCode, responseSnippet])).toEqual(
      Array.from({ length: 8 }, (_, i) => [i + 1, 500, 'aduh']),
    );
    expect(new Set(receiver.at(pathOf(endpoint)).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await remove(endpoint);
  }, 120_000);

  test('respects Retry-After of a 429 or 503, up to 24 h', async () => {
    for (const [status, header, expected] of [
      [429, '600', 10 * MINUTE],
      [503, '3600', HOUR],
      [429, '864000', 24 * HOUR],
    ] as const) {
      respondWith(status, { 'retry-after': header });
      const endpoint = await anEndpoint();
      const pause = delayOf(await deliverOne(endpoint));
      expect(pause).toBeGreaterThanOrEqual(expected);
      expect(pause).toBeLessThan(expected + allowedMs(2 * SECOND));
      await remove(endpoint);
    }
    respondWith(500, { 'retry-after': '600' });
    const endpoint = await anEndpoint();
    expectWithinTenPercent(delayOf(await deliverOne(endpoint)), 5 * SECOND);
    await remove(endpoint);
  });

  test('succeeds only with a 2xx response, and redirects are not followed', async () => {
    for (const status of [301, 302, 307, 400, 404, 500]) {
      respondWith(status, { location: `${receiver.url}/elsewhere` });
      const endpoint = await anEndpoint();
      expect(await deliverOne(endpoint)).toMatchObject({ status: 'pending', attemptLog: [{ statusCode: status }] });
      await remove(endpoint);
    }
    expect(receiver.at(new URL(`${receiver.url}/elsewhere`).pathname)).toEqual([]);
    for (const status of [200, 201, 202, 204]) {
      respondWith(status);
      const endpoint = await anEndpoint();
      expect(await deliverOne(endpoint)).toMatchObject({ status: 'succeeded', attemptLog: [{ statusCode: status }] });
      await remove(endpoint);
    }
  });

  test('is attempted once more by a manual retry, which is added to its attemptLog', async () => {
    const endpoint = await anEndpoint();
    const { id } = await deliverOne(endpoint);
    respondWith(500);
    const queued = await api.post<ApiDelivery>(`/webhooks/deliveries/${id}/retry`, undefined);
    expect([queued.status, queued.data.status]).toEqual([202, 'pending']);
    const failed = await afterAttempts(id, 2);
    expect(failed).toMatchObject({
      status: 'failed',
      nextRetryAt: null,
      attemptLog: [
        { n: 1, statusCode: 204 },
        { n: 2, statusCode: 500 },
      ],
    });
    await remove(endpoint);
  });

  test('is queued by exactly one of 25 concurrent manual retries; the others are rejected with ALREADY_QUEUED, and retries to a disabled endpoint with ENDPOINT_DISABLED', async () => {
    const endpoint = await anEndpoint();
    const { id } = await deliverOne(endpoint);
    const release = receiver.hold();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => api.post(`/webhooks/deliveries/${id}/retry`, undefined)),
    );
    release();
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 202).map((answer) => errorOf(answer).slice(0, 2));
    expect(refused).toEqual(Array.from({ length: 24 }, () => [409, 'ALREADY_QUEUED']));
    await afterAttempts(id, 2);
    const ids = receiver.at(pathOf(endpoint)).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    accepted(await api.patch(`/webhooks/${endpoint.id}`, { active: false }));
    expect(errorOf(await api.post(`/webhooks/deliveries/${id}/retry`, undefined)).slice(0, 2)).toEqual([
      409,
      'ENDPOINT_DISABLED',
    ]);
    await remove(endpoint);
  });
});

describe('an endpoint is disabled, with an audit entry,', () => {
  const expectDisabled = async (endpoint: ApiEndpoint, reason: string) => {
    await eventually(async () =>
      expect(await current(endpoint)).toMatchObject({ active: false, disabledReason: reason }),
    );
    await eventually(async () => {
      const entries = accepted(await api.get<ApiAuditEntry[]>('/audit-log?action=webhook_endpoint.updated'));
      const [entry] = entries.filter(({ target }) => target.id === endpoint.id);
      expect(entry).toMatchObject({ actor: { type: 'system' }, changes: { active: { before: true, after: false } } });
    });
  };

  test('immediately after a 410', async () => {
    respondWith(410);
    const endpoint = await anEndpoint();
    await deliverOne(endpoint);
    await expectDisabled(endpoint, 'The receiver responded with 410 Gone.');
    await remove(endpoint);
  });

  test('after 3 days in which every attempt failed', async () => {
    respondWith(500);
    const endpoint = await anEndpoint();
    await deliverOne(endpoint);
    await clock.advance(72 * HOUR - 10 * MINUTE);
    await deliverOne(endpoint);
    expect((await current(endpoint)).active).toBe(true);
    await clock.advance(11 * MINUTE);
    await aTag();
    await expectDisabled(endpoint, 'Every attempt of the last 3 days failed.');
    respondWith(204);
    accepted(await api.patch(`/webhooks/${endpoint.id}`, { active: true }));
    expect(await deliverOne(endpoint)).toMatchObject({ status: 'succeeded' });
    await remove(endpoint);
  });
});

test('one slow endpoint never delays another', async () => {
  const slow = await anEndpoint();
  const quick = await anEndpoint();
  const open: ServerResponse[] = [];
  receiver.answer = (response, path) =>
    void (path === pathOf(slow) ? open.push(response) : response.writeHead(204).end());
  await eventually(async () => {
    await aTag();
    expect(open.length).toBeGreaterThan(0);
  });
  const before = receiver.at(pathOf(quick)).length;
  for (let i = 1; i <= 20; i += 1) {
    const startedAt = performance.now();
    await aTag();
    await eventually(() => expect(receiver.at(pathOf(quick)).length).toBeGreaterThanOrEqual(before + i));
    expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS);
  }
  await Promise.all([remove(slow), remove(quick)]);
});

test('delivers events at least once when the processes that deliver them are killed; redeliveries have the same webhook-id', async () => {
  const tagIds = async () => (await api.get<ApiTag[]>('/tags')).data.map(({ id }) => id);
  const earlier = await tagIds();
  const endpoint = await anEndpoint();
  const acknowledged: string[] = [];
  for (let i = 0; i < 40; i += 1) {
    acknowledged.push((await eventually(aTag)).id);
    if (i % 10 !== 5) continue;
    const { services } = await stack.quickstart();
    process.kill(services.find(({ name }) => name === 'webhooks')!.pid, 'SIGKILL');
  }
  // A kill can also lose the response to a creation, so that more tags exist than were acknowledged.
  const created = (await eventually(tagIds)).filter((id) => !earlier.includes(id));
  expect(created).toEqual(expect.arrayContaining(acknowledged));
  const arrived = () => receiver.at(pathOf(endpoint));
  await eventually(
    () => expect(new Set(arrived().map(({ event }) => event.data['id']))).toEqual(new Set(created)),
    30_000,
  );
  for (const { headers, event } of arrived()) expect(headers['webhook-id']).toBe(event.id);
  expect(new Set(arrived().map(({ event }) => event.id)).size).toBe(created.length);
  await remove(endpoint);
}, 90_000);

test('an attempt times out after 15 s', async () => {
  // A stack with the default timeout and without the test clock, which NODE_OPTIONS loads.
  const { NODE_OPTIONS: _, ...env } = clock.env;
  const defaultStack = await startStack({ env });
  try {
    const client = apiClient(defaultStack);
    const endpoint = accepted(await client.post<ApiEndpoint>('/webhooks', { url: anEndpointUrl(), events: ['*'] }));
    receiver.answer = () => undefined;
    const { id } = accepted(await client.post<ApiDelivery>(`/webhooks/${endpoint.id}/test`, undefined));
    await eventually(async () => {
      const { data } = await client.get<ApiDelivery>(`/webhooks/deliveries/${id}`);
      expect(data.attemptLog).toMatchObject([{ statusCode: null, error: 'no response within 15 s' }]);
      expect(Math.abs(data.attemptLog[0]!.durationMs - DEFAULT_TIMEOUT_MS)).toBeLessThan(allowedMs(SECOND));
    }, 25_000);
  } finally {
    await defaultStack.stop();
  }
});
