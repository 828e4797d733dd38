import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { allowedMs, until } from '@tautan/kit/testing';
import { Webhook } from 'standardwebhooks';
import { Receiver } from './testing/receiver.js';
import { anEvent, startService, type Caller, type TestService } from './testing/service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let service: TestService;
let receiver: Receiver;
/** How far the service's clock is ahead of the system clock, in milliseconds. */
let offset = 0;
/** The number that determines the service's jitter, 0 to 1. */
let randomNumber = 0.5;
/** The service's time while its clock stands still. */
let frozenAt: number | undefined;
const now = () => frozenAt ?? Date.now() + offset;
const advance = (ms: number) => void (offset += ms);

beforeAll(async () => {
  const overrides = { now: () => new Date(now()), random: () => randomNumber };
  const settings = { DELIVERY_RETENTION_DAYS: '3650' };
  service = await startService(settings, overrides);
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});
afterEach(() => {
  receiver.respond = (_request, response) => void response.writeHead(200).end();
  randomNumber = 0.5;
  if (frozenAt !== undefined) offset = frozenAt - Date.now();
  frozenAt = undefined;
});

let paths = 0;
const aPath = (): string => `/hook/${(paths += 1)}`;
const respondWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.respond = (_request, response) => void response.writeHead(status, headers).end();
};

/** Creates an endpoint with one delivery that has been attempted once. */
async function attempted(status: number, headers: Record<string, string> = {}) {
  respondWith(status, headers);
  const caller = service.as();
  const path = aPath();
  const endpoint = await caller.anEndpoint(receiver.url(path));
  await service.publish(anEvent(caller.workspaceId));
  const { id } = await caller.awaitDelivery(({ attempts }) => attempts === 1);
  return { caller, path, endpoint, id };
}

/** Resolves when the caller has this number of deliveries, each attempted at least once. */
const allAttempted = (caller: Caller, count: number) =>
  until(async () => (await caller.deliveries()).filter(({ attempts }) => attempts > 0).length === count);

/**
 * Triggers the next attempt. Returns `delay`, the scheduled time in ms between the previous attempt and this one, and
 * `after`, the delivery after this attempt.
 */
async function next(caller: Caller, id: string) {
  const before = await caller.delivery(id);
  const delay = Date.parse(before.nextRetryAt!) - Date.parse(before.attemptLog.at(-1)!.at);
  advance(Date.parse(before.nextRetryAt!) - now() + 1);
  const after = await until(async () => {
    const delivery = await caller.delivery(id);
    return delivery.attempts > before.attempts && delivery;
  });
  return { delay, after };
}

const within = (ms: number, expected: number) => {
  expect(ms).toBeGreaterThanOrEqual(Math.floor(expected));
  // The delay is measured from the start of the previous attempt, so it includes the duration of that attempt.
  expect(ms).toBeLessThan(expected + allowedMs(2 * SECOND));
};
const schedule = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

describe('the schedule', () => {
  test.each([
    [0, 0.9],
    [0.5, 1],
    [1, 1.1],
  ])('has eight attempts with a jitter of at most 10%% (random number %d)', async (random, factor) => {
    randomNumber = random;
    const { caller, path, id, endpoint } = await attempted(500);
    for (const [i, expected] of schedule.entries()) {
      const { delay, after } = await next(caller, id);
      within(delay, expected * factor);
      expect(after.attempts).toBe(i + 2);
    }
    const failed = await caller.delivery(id);
    expect(failed).toMatchObject({ status: 'failed', attempts: 8 });
    expect(failed.nextRetryAt).toBeUndefined();
    expect(failed.attemptLog.map(({ n, statusCode, error }) => [n, statusCode, error])).toEqual(
      Array.from({ length: 8 }, (_, i) => [i + 1, 500, 'the receiver responded with 500']),
    );
    advance(20 * HOUR);
    // Wait for several polls of the service, in which it could send a ninth attempt.
    await new Promise((resolve) => setTimeout(resolve, 400));
    const ids = new Set(receiver.at(path).map(({ headers }) => headers['webhook-id']));
    expect([receiver.at(path).length, ids.size]).toEqual([8, 1]);
    expect((await caller.endpoint(endpoint.id)).active).toBe(true);
  });

  test('does not start an attempt early', async () => {
    const { caller, id, path } = await attempted(500);
    const due = Date.parse((await caller.delivery(id)).nextRetryAt!);
    frozenAt = due - 1;
    // Wait for several polls of the service.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(receiver.at(path)).toHaveLength(1);
    frozenAt = due;
    await until(() => receiver.at(path).length === 2);
  });

  test('ends with the first 2xx, and each attempt is signed with its own time', async () => {
    const { caller, path, id, endpoint } = await attempted(500);
    await next(caller, id);
    respondWith(204);
    const { after } = await next(caller, id);
    expect(after).toMatchObject({ status: 'succeeded', attempts: 3 });
    expect(after.attemptLog.map(({ statusCode }) => statusCode)).toEqual([500, 500, 204]);
    const stamps = receiver.at(path).map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(stamps).toEqual([...new Set(stamps)].sort());
    for (const request of receiver.at(path)) {
      const { 'webhook-id': id, 'webhook-timestamp': stamp, 'webhook-signature': signature } = request.headers;
      // The library's `verify` compares the timestamp with the system clock, not with the clock of this test.
      const at = new Date(Number(stamp) * 1_000);
      expect(new Webhook(endpoint.secret).sign(id!, at, request.body)).toBe(signature);
    }
  });

  test.each([301, 302, 304, 307, 400, 401, 404, 418, 503])('treats %d as a failure', async (status) => {
    const { caller, id } = await attempted(status, { location: receiver.url('/elsewhere') });
    expect(await caller.delivery(id)).toMatchObject({ status: 'pending', attempts: 1 });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  test.each([200, 201, 202, 204, 299])('treats %d as a success', async (status) => {
    const { caller, id } = await attempted(status);
    expect(await caller.delivery(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });
});

describe('Retry-After', () => {
  test.each([
    [429, '120', 120 * SECOND],
    [503, '7200', 2 * HOUR],
    [429, '864000', 24 * HOUR],
    [503, '1', 5 * SECOND],
    [429, '-5', 5 * SECOND],
    [429, 'soon', 5 * SECOND],
    [500, '120', 5 * SECOND],
  ])('of a %d with value %s results in a delay of %d ms', async (status, header, expected) => {
    const { caller, id } = await attempted(status, { 'retry-after': header });
    const { nextRetryAt, attemptLog } = await caller.delivery(id);
    within(Date.parse(nextRetryAt!) - Date.parse(attemptLog[0]!.at), expected);
  });

  test('may be a date', async () => {
    const at = new Date(now() + HOUR);
    const { caller, id } = await attempted(429, { 'retry-after': at.toUTCString() });
    const { nextRetryAt } = await caller.delivery(id);
    expect(Math.abs(Date.parse(nextRetryAt!) - at.getTime())).toBeLessThan(1_100);
  });
});

describe('an endpoint', () => {
  test('that responds with 410 is disabled immediately, with an audit event, and keeps its pending deliveries', async () => {
    const { caller, id, path, endpoint } = await attempted(410);
    const off = await until(async () => {
      const it = await caller.endpoint(endpoint.id);
      return !it.active && it;
    });
    expect(off.disabledReason).toBe('The receiver responded with 410 Gone.');
    const published = (await service.events(caller.workspaceId, 3)).at(-1)!;
    expect(published).toMatchObject({ type: 'webhook_endpoint.updated', actor: { type: 'system' } });
    expect(published.changes).toMatchObject({ active: { before: true, after: false } });
    const witness = aPath();
    await caller.anEndpoint(receiver.url(witness));
    respondWith(200);
    advance(HOUR);
    await service.publish(anEvent(caller.workspaceId));
    await until(() => receiver.at(witness).length === 1);
    expect(receiver.at(path)).toHaveLength(1);
    await expect(caller.call('RetryDelivery', { id })).rejects.toMatchObject({ code: 'ENDPOINT_DISABLED' });
    await caller.call('UpdateEndpoint', { id: endpoint.id, active: true });
    await caller.awaitDelivery((it) => it.id === id && it.status === 'succeeded');
    expect((await caller.endpoint(endpoint.id)).disabledReason).toBeUndefined();
    expect(receiver.at(path)).toHaveLength(2);
    expect(await caller.deliveries({ subscriptionId: endpoint.id })).toHaveLength(1);
  });

  test('that failed for 3 days is disabled', async () => {
    const { caller, endpoint } = await attempted(500);
    advance(72 * HOUR - 10 * MINUTE);
    await service.publish(anEvent(caller.workspaceId));
    await allAttempted(caller, 2);
    expect((await caller.endpoint(endpoint.id)).active).toBe(true);
    advance(11 * MINUTE);
    await service.publish(anEvent(caller.workspaceId));
    const off = await until(async () => {
      const it = await caller.endpoint(endpoint.id);
      return !it.active && it;
    });
    expect(off.disabledReason).toBe('Every attempt of the last 3 days failed.');
  });

  test('that succeeded once within 3 days is not disabled', async () => {
    const { caller, endpoint, id } = await attempted(500);
    advance(48 * HOUR);
    respondWith(200);
    await caller.awaitDelivery((it) => it.id === id && it.status === 'succeeded');
    respondWith(500);
    advance(48 * HOUR);
    await service.publish(anEvent(caller.workspaceId));
    await allAttempted(caller, 2);
    expect((await caller.endpoint(endpoint.id)).active).toBe(true);
  });

  test('that was disabled after 3 days of failures, and then resumed, is not disabled again by the next failure', async () => {
    const { caller, endpoint } = await attempted(500);
    advance(73 * HOUR);
    await until(async () => !(await caller.endpoint(endpoint.id)).active);
    await caller.call('UpdateEndpoint', { id: endpoint.id, active: true });
    await service.publish(anEvent(caller.workspaceId));
    await allAttempted(caller, 2);
    expect((await caller.endpoint(endpoint.id)).active).toBe(true);
  });

  test('that is deleted has its pending deliveries marked as failed, and they stay readable', async () => {
    const { caller, endpoint, id } = await attempted(500);
    await caller.call('DeleteEndpoint', { id: endpoint.id });
    await until(async () => (await caller.delivery(id)).status === 'failed');
    expect((await caller.deliveries({ subscriptionId: endpoint.id })).map((it) => it.id)).toEqual([id]);
    await expect(caller.call('RetryDelivery', { id })).rejects.toMatchObject({
      code: 'ENDPOINT_DISABLED',
      message: 'The endpoint was deleted.',
    });
    await until(async () => (await service.models.queues.findById(endpoint.id)) === null);
  });

  test('whose URL changes receives pending deliveries at the new URL', async () => {
    const { caller, endpoint, path: old } = await attempted(500);
    respondWith(200);
    const path = aPath();
    await caller.call('UpdateEndpoint', { id: endpoint.id, url: receiver.url(path) });
    await until(() => receiver.at(path).length === 1);
    expect(receiver.at(old)).toHaveLength(1);
  });

  test.each(['resumed', 'given another URL'])(
    'that is %s receives its scheduled deliveries immediately',
    async (how) => {
      const { caller, endpoint, id } = await attempted(500);
      await service.publish(anEvent(caller.workspaceId));
      await allAttempted(caller, 2);
      const { after } = await next(caller, id);
      expect(Date.parse(after.nextRetryAt!)).toBeGreaterThan(now() + 4 * MINUTE);
      respondWith(200);
      if (how === 'given another URL')
        await caller.call('UpdateEndpoint', { id: endpoint.id, url: receiver.url(aPath()) });
      else {
        await caller.call('UpdateEndpoint', { id: endpoint.id, active: false });
        await caller.call('UpdateEndpoint', { id: endpoint.id, active: true });
      }
      await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 2);
      expect((await caller.delivery(id)).attempts).toBe(3);
      await until(async () => (await service.models.queues.findById(endpoint.id).lean())!.resumption === undefined);
    },
  );

  test('that fails again after it was resumed is retried on schedule', async () => {
    const { caller, endpoint, id, path } = await attempted(500);
    await caller.call('UpdateEndpoint', { id: endpoint.id, active: false });
    await caller.call('UpdateEndpoint', { id: endpoint.id, active: true });
    const resumed = await caller.awaitDelivery(({ attempts }) => attempts === 2);
    expect(Date.parse(resumed.nextRetryAt!)).toBeGreaterThan(now() + 4 * MINUTE);
    await service.publish(anEvent(caller.workspaceId));
    await caller.awaitDelivery((other) => other.id !== id && other.attempts === 1);
    expect(receiver.at(path)).toHaveLength(3);
  });

  test('whose secret was rotated receives signatures with both secrets for 24 hours', async () => {
    const { caller, endpoint, path } = await attempted(200);
    await caller.call('RotateSecret', { id: endpoint.id });
    const signatures = async (count: number) => {
      await service.publish(anEvent(caller.workspaceId));
      const requests = await until(() => receiver.at(path).length === count && receiver.at(path));
      return requests.at(-1)!.headers['webhook-signature']!.split(' ').length;
    };
    advance(24 * HOUR - MINUTE);
    expect(await signatures(2)).toBe(2);
    advance(2 * MINUTE);
    expect(await signatures(3)).toBe(1);
  });
});

describe('a manual retry', () => {
  test('makes a failed delivery pending, attempts it once more, and continues its attempt log', async () => {
    const { caller, id } = await attempted(500);
    for (let i = 0; i < schedule.length; i += 1) await next(caller, id);
    const queued = await caller.call('RetryDelivery', { id });
    expect(queued).toMatchObject({ id, status: 'pending', attempts: 8 });
    expect(queued.completedAt).toBeUndefined();
    const failed = await until(async () => {
      const delivery = await caller.delivery(id);
      return delivery.attempts === 9 && delivery;
    });
    expect(failed.status).toBe('failed');
    respondWith(200);
    await caller.call('RetryDelivery', { id });
    const done = await until(async () => {
      const delivery = await caller.delivery(id);
      return delivery.status === 'succeeded' && delivery;
    });
    expect(done.attemptLog.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('resends a succeeded delivery under the same id', async () => {
    const { caller, id, path } = await attempted(200);
    await caller.call('RetryDelivery', { id });
    await until(async () => (await caller.delivery(id)).attempts === 2);
    const [first, second] = receiver.at(path);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
  });

  test('of a pending delivery is rejected with ALREADY_QUEUED', async () => {
    const { caller, id } = await attempted(500);
    await expect(caller.call('RetryDelivery', { id })).rejects.toMatchObject({ code: 'ALREADY_QUEUED' });
  });

  test('for a disabled endpoint is rejected with ENDPOINT_DISABLED, whatever the status of the delivery', async () => {
    for (const status of [200, 500]) {
      const { caller, id, endpoint } = await attempted(status);
      await caller.call('UpdateEndpoint', { id: endpoint.id, active: false });
      const before = await caller.delivery(id);
      await expect(caller.call('RetryDelivery', { id })).rejects.toMatchObject({ code: 'ENDPOINT_DISABLED' });
      expect(await caller.delivery(id)).toEqual(before);
    }
  });

  test('requested a hundred times concurrently succeeds once, and is rejected with ALREADY_QUEUED 99 times', async () => {
    const { caller, id, path } = await attempted(200);
    const retry = () =>
      caller.call('RetryDelivery', { id }).then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      );
    // The response is delayed, so that the delivery stays pending until all retry requests have been answered.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    receiver.respond = (_request, response) => void released.then(() => response.writeHead(200).end());
    const results = await Promise.all(Array.from({ length: 100 }, retry));
    release();
    expect(results.filter((it) => it === 'pending')).toHaveLength(1);
    expect(results.filter((it) => it === 'ALREADY_QUEUED')).toHaveLength(99);
    await until(() => receiver.at(path).length === 2);
  });
});
