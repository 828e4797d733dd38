import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { Receiver, verify } from './testing/receiver.js';
import { aPrincipal, anEvent, aTag, startService, type TestService } from './testing/service.js';

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startService();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

let paths = 0;
const aPath = (): string => `/hook/${(paths += 1)}`;
const arrived = (path: string, count = 1) => until(() => receiver.at(path).length >= count && receiver.at(path));

describe('an event', () => {
  test('is delivered to the endpoints that subscribe to it, and to no others', async () => {
    const caller = service.as();
    const [all, some, others, foreign] = [aPath(), aPath(), aPath(), aPath()];
    const endpoint = await caller.anEndpoint(receiver.url(all));
    await caller.anEndpoint(receiver.url(some), ['tag.created', 'tag.deleted']);
    await caller.anEndpoint(receiver.url(others), ['tag.updated']);
    await service.as().anEndpoint(receiver.url(foreign));
    const event = await service.publish(anEvent(caller.workspaceId));
    const [request] = await arrived(all);
    await arrived(some);
    const body: unknown = JSON.parse(request!.body);
    expect(body).toEqual({
      id: event.id,
      type: 'tag.created',
      createdAt: event.at,
      workspaceId: caller.workspaceId,
      data: event.data,
    });
    const delivered = await caller.awaitDelivery(
      (it) => it.subscriptionId === endpoint.id && it.status === 'succeeded',
    );
    expect(delivered).toMatchObject({ eventId: event.id, type: 'tag.created', attempts: 1 });
    expect(await caller.deliveries()).toHaveLength(2);
    expect([...receiver.at(others), ...receiver.at(foreign)]).toEqual([]);
  });

  test('of an update contains the changes', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path), ['tag.updated']);
    const changes = { name: { before: 'sale', after: 'spring' } };
    await service.publish(
      anEvent(caller.workspaceId, { type: 'tag.updated', data: aTag({ name: 'spring' }), changes }),
    );
    const [request] = await arrived(path);
    expect(JSON.parse(request!.body)).toMatchObject({ changes, data: { name: 'spring' } });
  });

  test('that is only for the audit log is not delivered', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path));
    const data = { id: caller.workspaceId, name: 'Kopi', plan: 'PRO' as const, createdAt: new Date().toISOString() };
    await service.publish(anEvent(caller.workspaceId, { type: 'workspace.updated', data }));
    await service.publish(anEvent(caller.workspaceId));
    await arrived(path);
    await caller.awaitDelivery(({ status }) => status === 'succeeded');
    expect((await caller.deliveries()).map(({ type }) => type)).toEqual(['tag.created']);
  });

  test('that is published several times is delivered once', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path));
    const event = anEvent(caller.workspaceId);
    // Use different message ids, as if the deduplication window of the stream had passed.
    for (let i = 0; i < 5; i += 1) {
      await service.bus.publish('events.tag.created', JSON.stringify(event), { id: `${event.id}-${i}` });
    }
    const last = await service.publish(anEvent(caller.workspaceId));
    await until(() => receiver.at(path).some(({ headers }) => headers['webhook-id'] === last.id));
    await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 2);
    expect(
      receiver
        .at(path)
        .map(({ headers }) => headers['webhook-id'])
        .sort(),
    ).toEqual([event.id, last.id].sort());
  });

  test('that is malformed is dead-lettered, and others are delivered', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path));
    await service.bus.publish('events.tag.created', '{"id":"evt_x"', { id: newId('evt') });
    await service.bus.publish('events.tag.created', JSON.stringify({ ...anEvent('ws'), type: 'x' }), {
      id: newId('evt'),
    });
    await service.publish(anEvent(caller.workspaceId));
    await arrived(path);
    await until(async () => (await service.models.deadLetters.countDocuments()) === 2, 90_000);
  }, 100_000);
});

describe('a delivery', () => {
  test('is accepted by the standardwebhooks library, unless changed, old or verified with another secret', async () => {
    const caller = service.as();
    const path = aPath();
    const { secret } = await caller.anEndpoint(receiver.url(path));
    const other = await service.as().anEndpoint(receiver.url(aPath()));
    const event = await service.publish(anEvent(caller.workspaceId, { data: aTag({ name: 'kopi “é” 🗝' }) }));
    const [request] = await arrived(path);
    const { body, headers } = request!;
    expect(verify(secret, request!)).toMatchObject({ id: event.id });
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toBe('Tautan-Webhooks/1');
    const refused = [
      () => verify(other.secret, request!),
      () => verify(secret, { headers, body: body.replace('kopi', 'teh') }),
      () => verify(secret, { headers, body: `${body} ` }),
      () => verify(secret, { body, headers: { ...headers, 'webhook-id': newId('evt') } }),
      () =>
        verify(secret, {
          body,
          headers: { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 1}` },
        }),
    ];
    for (const attempt of refused) expect(attempt).toThrow('No matching signature found');
    const old = { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 301}` };
    expect(() => verify(secret, { body, headers: old })).toThrow('too old');
  });

  test.each(['after', 'during'])(
    'is signed with both secrets if the secret was rotated %s the previous delivery to the endpoint',
    async (when) => {
      const caller = service.as();
      const path = aPath();
      const { id, secret } = await caller.anEndpoint(receiver.url(path));
      const respond = receiver.respond;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      if (when === 'during') receiver.respond = (...given) => void released.then(() => respond(...given));
      let next: string;
      try {
        await service.publish(anEvent(caller.workspaceId));
        await arrived(path);
        ({ secret: next } = await caller.call('RotateSecret', { id }));
        await service.publish(anEvent(caller.workspaceId));
        await until(async () => (await caller.deliveries()).length === 2);
      } finally {
        release();
        receiver.respond = respond;
      }
      const request = (await arrived(path, 2))[1]!;
      expect(request.headers['webhook-signature']!.split(' ')).toHaveLength(2);
      expect(verify(secret, request)).toEqual(verify(next, request));
    },
  );

  test('includes its body and every attempt; the list omits them', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path));
    const event = await service.publish(anEvent(caller.workspaceId));
    const listed = await caller.awaitDelivery(({ status }) => status === 'succeeded');
    expect(listed).toMatchObject({ body: '', attemptLog: [], attempts: 1 });
    expect(Date.parse(listed.createdAt)).toBeGreaterThanOrEqual(Date.parse(event.at));
    const whole = await caller.delivery(listed.id);
    expect(whole.body).toBe(receiver.at(path)[0]!.body);
    expect(whole.attemptLog).toMatchObject([
      { n: 1, at: expect.any(String), durationMs: expect.any(Number), statusCode: 200, responseSnippet: 'ok' },
    ]);
    expect(whole.completedAt).toBeDefined();
    expect(whole.nextRetryAt).toBeUndefined();
  });

  test('is retried once per operation id', async () => {
    const caller = service.as();
    const path = aPath();
    await caller.anEndpoint(receiver.url(path));
    await service.publish(anEvent(caller.workspaceId));
    const { id } = await caller.awaitDelivery(({ status }) => status === 'succeeded');
    const retry = { id, operationId: newUlid() };
    expect((await caller.call('RetryDelivery', retry)).status).toBe('pending');
    await caller.awaitDelivery((it) => it.id === id && it.attempts === 2 && it.status === 'succeeded');
    expect((await caller.call('RetryDelivery', retry)).status).toBe('succeeded');
    expect((await caller.call('RetryDelivery', { id, operationId: newUlid() })).status).toBe('pending');
    await caller.awaitDelivery((it) => it.id === id && it.attempts === 3 && it.status === 'succeeded');
    expect(receiver.at(path)).toHaveLength(3);
  });

  test('can be read by viewers without its request and response bodies, but not retried', async () => {
    const caller = service.as();
    await caller.anEndpoint(receiver.url(aPath()));
    await service.publish(anEvent(caller.workspaceId));
    const { id } = await caller.awaitDelivery(({ status }) => status === 'succeeded');
    const viewer = service.as(aPrincipal(caller.workspaceId, { kind: 'user', role: 'viewer' }));
    const { body, attemptLog, ...delivery } = await caller.delivery(id);
    expect(body).not.toBe('');
    expect(attemptLog[0]!.responseSnippet).toBe('ok');
    const { body: withheld, attemptLog: attempts, ...rest } = await viewer.delivery(id);
    expect([rest, withheld]).toEqual([delivery, '']);
    expect(attempts).toMatchObject([{ n: 1, statusCode: 200 }]);
    expect(attempts[0]!.responseSnippet).toBeUndefined();
    await expect(viewer.call('RetryDelivery', { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('cannot be accessed from another workspace (FORBIDDEN) or by an unknown id (NOT_FOUND)', async () => {
    const caller = service.as();
    await caller.anEndpoint(receiver.url(aPath()));
    await service.publish(anEvent(caller.workspaceId));
    const { id } = await caller.awaitDelivery(({ status }) => status === 'succeeded');
    for (const method of ['GetDelivery', 'RetryDelivery'] as const) {
      await expect(service.as().call(method, { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      for (const unknown of ['whd_01k8z6r7d2v4m9q0s3t5w7x9yf', 'x', '']) {
        await expect(caller.call(method, { id: unknown })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    }
  });
});

describe('a test event', () => {
  test('is sent to one endpoint, regardless of its subscription, and the call returns the delivery', async () => {
    const caller = service.as();
    const [path, other] = [aPath(), aPath()];
    const { id, secret, ...endpoint } = await caller.anEndpoint(receiver.url(path), ['link.created']);
    await caller.anEndpoint(receiver.url(other));
    const delivery = await caller.call('TestEndpoint', { id });
    expect(delivery).toMatchObject({ subscriptionId: id, type: 'webhook.test', status: 'pending' });
    const [request] = await arrived(path);
    expect(verify(secret, request!)).toMatchObject({ type: 'webhook.test', data: { id, url: endpoint.url } });
    expect(request!.body).toBe(delivery.body);
    const published = (await service.events(caller.workspaceId, 3)).find(({ type }) => type === 'webhook.test');
    expect(published!.id).toBe(delivery.eventId);
    await service.publish(anEvent(caller.workspaceId));
    await arrived(other);
    expect([receiver.at(path).length, receiver.at(other).length]).toEqual([1, 1]);
  });

  test('for a disabled endpoint fails with ENDPOINT_DISABLED', async () => {
    const caller = service.as();
    const { id } = await caller.anEndpoint(receiver.url(aPath()));
    await caller.call('UpdateEndpoint', { id, active: false });
    await expect(caller.call('TestEndpoint', { id })).rejects.toMatchObject({ code: 'ENDPOINT_DISABLED' });
  });
});

describe('a disabled endpoint', () => {
  test('receives no events, and does not receive missed ones when it is enabled again', async () => {
    const caller = service.as();
    const [path, witness] = [aPath(), aPath()];
    const { id } = await caller.anEndpoint(receiver.url(path));
    await caller.anEndpoint(receiver.url(witness));
    await caller.call('UpdateEndpoint', { id, active: false });
    await service.publish(anEvent(caller.workspaceId));
    await arrived(witness);
    await caller.call('UpdateEndpoint', { id, active: true });
    const after = await service.publish(anEvent(caller.workspaceId));
    const requests = await arrived(path);
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([after.id]);
  });
});

describe('the list of deliveries', () => {
  test('is paginated newest first, without gaps or duplicates while more are added, and can be filtered', async () => {
    const caller = service.as();
    const [path, other] = [aPath(), aPath()];
    const { id } = await caller.anEndpoint(receiver.url(path), ['tag.created', 'tag.deleted']);
    await caller.anEndpoint(receiver.url(other), ['tag.deleted']);
    for (let i = 0; i < 45; i += 1) await service.publish(anEvent(caller.workspaceId));
    for (let i = 0; i < 3; i += 1) await service.publish(anEvent(caller.workspaceId, { type: 'tag.deleted' }));
    await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 51);
    const first = await caller.call('ListDeliveries', {});
    expect(first.deliveries).toHaveLength(20);
    await service.publish(anEvent(caller.workspaceId));
    await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 52);
    const ids = first.deliveries.map((it) => it.id);
    for (let cursor = first.nextCursor; cursor;) {
      const page = await caller.call('ListDeliveries', { cursor, limit: 7 });
      ids.push(...page.deliveries.map((it) => it.id));
      cursor = page.nextCursor;
    }
    expect(ids).toHaveLength(51);
    expect(ids).toEqual([...new Set(ids)].sort().toReversed());
    expect((await caller.call('ListDeliveries', { limit: 52 })).nextCursor).toBeUndefined();
    expect(await caller.deliveries({ type: 'tag.deleted' })).toHaveLength(6);
    expect(await caller.deliveries({ subscriptionId: id })).toHaveLength(49);
    expect(await caller.deliveries({ subscriptionId: id, type: 'tag.deleted', status: 'succeeded' })).toHaveLength(3);
    expect(await caller.deliveries({ status: 'failed' })).toEqual([]);
    expect(await service.as().deliveries({ subscriptionId: id })).toEqual([]);
    const refused = (query: object) => caller.call('ListDeliveries', { cursor: first.nextCursor, ...query });
    await expect(refused({ status: 'failed' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'cursor' });
    await expect(refused({ type: 'tag.created' })).rejects.toMatchObject({ field: 'cursor' });
    await expect(refused({ cursor: `${first.nextCursor}x` })).rejects.toMatchObject({ field: 'cursor' });
    const theirs = service.as().call('ListDeliveries', { cursor: first.nextCursor });
    await expect(theirs).rejects.toMatchObject({ field: 'cursor' });
  });

  test.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 101 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ status: 'done' }, 'status'],
    [{ status: '' }, 'status'],
    [{ type: 'x' }, 'type'],
    [{ subscriptionId: 'x' }, 'subscriptionId'],
    [{ cursor: '' }, 'cursor'],
    [{ cursor: 'x' }, 'cursor'],
  ])('rejects %j, naming %s', async (query, field) => {
    const refused = service.as().call('ListDeliveries', query);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });
});

describe('metrics', () => {
  test('count attempts, and report depth, lag and load', async () => {
    expect(await service.metric('tautan_webhook_attempts_total')).toBeGreaterThan(50);
    // This metric excludes deliveries that wait for their endpoint. The first delivery of each test does not wait.
    expect(await service.metric('tautan_webhook_first_attempt_delay_seconds_count')).toBeGreaterThan(10);
    for (const name of ['queue_depth', 'queue_lag_seconds', 'attempts_in_flight', 'endpoints_failing']) {
      expect(await service.metric(`tautan_webhook_${name}`)).toBe(0);
    }
  });

  describe('do not measure the first attempt delay of', () => {
    const measuredDelays = () => service.metric('tautan_webhook_first_attempt_delay_seconds_count');
    const attempts = () => service.metric('tautan_webhook_attempts_total');
    const publishMany = async (workspaceId: string, count: number) => {
      for (let i = 0; i < count; i += 1) await service.publish(anEvent(workspaceId));
    };
    let held: (() => void)[];
    const release = (): void => {
      receiver.respond = (_request, response) => void response.writeHead(200).end('ok');
      for (const each of held.splice(0)) each();
    };

    beforeEach(() => {
      held = [];
      receiver.respond = (_request, response) => void held.push(() => response.writeHead(200).end());
    });
    afterEach(() => release());

    /** Publishes six events to a new endpoint, whose receiver holds the first four attempts. */
    async function fourOfSixHeld() {
      const caller = service.as();
      const path = aPath();
      const { id } = await caller.anEndpoint(receiver.url(path));
      const before = [await measuredDelays(), await attempts()] as const;
      await publishMany(caller.workspaceId, 6);
      await arrived(path, 4);
      await until(async () => (await caller.deliveries()).length === 6);
      return { caller, id, before };
    }

    test('deliveries that wait because their endpoint has four concurrent attempts', async () => {
      const { caller, before } = await fourOfSixHeld();
      release();
      await until(async () => (await attempts()) === before[1] + 6);
      expect(await measuredDelays()).toBe(before[0] + 4);
      await publishMany(caller.workspaceId, 1);
      await until(async () => (await attempts()) === before[1] + 7);
      expect(await measuredDelays()).toBe(before[0] + 5);
    });

    test('deliveries that wait until their endpoint is resumed', async () => {
      const { caller, id, before } = await fourOfSixHeld();
      await caller.call('UpdateEndpoint', { id, active: false });
      release();
      await until(async () => (await service.models.queues.countDocuments({ _id: id, owner: null })) === 1);
      expect((await caller.deliveries({ status: 'pending' })).length).toBe(2);
      await caller.call('UpdateEndpoint', { id, active: true });
      await until(async () => (await attempts()) === before[1] + 6);
      expect(await measuredDelays()).toBe(before[0] + 4);
    });

    test('deliveries to a failing endpoint', async () => {
      const caller = service.as();
      const path = aPath();
      const { id } = await caller.anEndpoint(receiver.url(path));
      receiver.respond = (_request, response) => void response.writeHead(500).end();
      const before = [await measuredDelays(), await attempts()] as const;
      await publishMany(caller.workspaceId, 1);
      await until(async () => (await service.models.queues.countDocuments({ _id: id, failing: true })) === 1);
      await until(async () => (await attempts()) === before[1] + 1);
      const second = await service.publish(anEvent(caller.workspaceId));
      await until(() => receiver.at(path).some(({ headers }) => headers['webhook-id'] === second.id));
      await until(async () => (await attempts()) >= before[1] + 2);
      expect(await measuredDelays()).toBe(before[0] + 1);
    });
  });
});
