import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isId, newUlid } from '@tautan/kit';
import { inTransaction } from '@tautan/kit/mongo';
import { until } from '@tautan/kit/testing';
import { aPrincipal, startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const url = 'https://hooks.example.com/tautan';

describe('an endpoint', () => {
  test('is created with a secret that the list omits, and emits an event', async () => {
    const { call, workspaceId } = service.as();
    const { endpoint, secret } = await call('CreateEndpoint', { url, events: ['link.created', 'tag.created'] });
    expect(endpoint).toMatchObject({ url, events: ['link.created', 'tag.created'], active: true });
    expect(endpoint!.disabledReason).toBeUndefined();
    expect(isId(endpoint!.id, 'whe')).toBe(true);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await call('ListEndpoints', {})).endpoints).toEqual([endpoint]);
    const [event] = await service.events(workspaceId, 1);
    expect(event).toMatchObject({ type: 'webhook_endpoint.created', target: { id: endpoint!.id } });
    expect(event!.data).toEqual({ ...endpoint, disabledReason: null });
  });

  test('has a secret that is stored encrypted and never published', async () => {
    const { call, workspaceId } = service.as();
    const { endpoint, secret } = await call('CreateEndpoint', { url, events: ['*'] });
    await call('RotateSecret', { id: endpoint!.id });
    const stored = await Promise.all(
      (await service.connection.listCollections()).map(({ name }) =>
        service.connection.collection(name).find().toArray(),
      ),
    );
    const published = await service.events(workspaceId, 2);
    for (const text of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex')]) {
      expect(JSON.stringify(stored)).not.toContain(text);
      expect(JSON.stringify(published)).not.toContain(text);
    }
  });

  test.each([
    ['', 'empty'],
    ['hooks.example.com', 'no scheme'],
    ['http://hooks.example.com/x', 'http'],
    ['ftp://hooks.example.com/x', 'another scheme'],
    ['javascript:alert(1)', 'a script'],
    ['https://user:secret@hooks.example.com/', 'credentials'],
    ['https://10.0.0.1/', 'a private address'],
    ['https://169.254.169.254/latest/meta-data', 'the metadata service'],
    ['https://[::ffff:10.0.0.1]/', 'a mapped private address'],
    ['https://0x0a000001/', 'a private address in hexadecimal'],
    ['https://hooks.example.com:8080/', 'a port that is not accepted'],
    ['https://hooks.example.com:22/', 'the port of another protocol'],
  ])('with URL %s (%s) is rejected, and the error names the field url', async (bad) => {
    const refused = service.as().call('CreateEndpoint', { url: bad, events: ['*'] });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'url' });
  });

  test('may use the ports 80, 443 and 8443, or any port on this machine', async () => {
    const { anEndpoint, call } = service.as();
    const urls = [
      'https://hooks.example.com/',
      'https://hooks.example.com:443/b',
      'https://hooks.example.com:80/',
      'https://hooks.example.com:8443/',
    ];
    for (const each of [...urls, 'http://127.0.0.1:3999/']) await anEndpoint(each);
    const { id } = await anEndpoint(url);
    const moved = call('UpdateEndpoint', { id, url: 'https://hooks.example.com:8080/' });
    await expect(moved).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'url',
      message: expect.stringContaining('80, 443, 8443'),
    });
  });

  test('may have a URL of 2,048 characters, but not more', async () => {
    const long = `https://hooks.example.com/${'x'.repeat(2_048 - 26)}`;
    expect((await service.as().anEndpoint(long)).url).toBe(long);
    const refused = service.as().call('CreateEndpoint', { url: `${long}x`, events: ['*'] });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'url' });
  });

  test.each([
    [[], 'none'],
    [['link.made'], 'an unknown type'],
    [['*', 'link.created'], '"*" and another type'],
    [['workspace.updated'], 'an audit-only type'],
    [['webhook_endpoint.created'], 'an event about endpoints'],
    [['api_key.created'], 'an event about API keys'],
    [['session.created'], 'an event about sessions'],
    [['__proto__'], 'a JavaScript property name'],
  ])('with events %j (%s) is rejected, and the error names the field events', async (events) => {
    const refused = service.as().call('CreateEndpoint', { url, events });
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'events' });
  });

  test('with the URL of another endpoint of the workspace, in any spelling, is rejected with ENDPOINT_EXISTS', async () => {
    const { call, anEndpoint } = service.as();
    await anEndpoint(url);
    const other = await anEndpoint('https://hooks.example.com/other');
    const exists = { code: 'ENDPOINT_EXISTS', field: 'url' };
    for (const same of [url, 'HTTPS://Hooks.Example.com:443/tautan', `${url}#part`]) {
      await expect(call('CreateEndpoint', { url: same, events: ['*'] })).rejects.toMatchObject(exists);
      await expect(call('UpdateEndpoint', { id: other.id, url: same })).rejects.toMatchObject(exists);
    }
    expect((await service.as().anEndpoint(url)).url).toBe(url);
  });

  test('is created once by twenty concurrent requests with the same URL', async () => {
    const { call } = service.as();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => call('CreateEndpoint', { url, events: ['*'] })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ENDPOINT_EXISTS' });
    expect((await call('ListEndpoints', {})).endpoints).toHaveLength(1);
  });

  test('is changed only in the given fields, and emits the changes', async () => {
    const { call, anEndpoint, workspaceId } = service.as();
    const { id, secret: _, ...before } = await anEndpoint(url, ['link.created']);
    await service.models.endpoints.updateOne({ _id: id }, { updatedAt: new Date(0) });
    const paused = await call('UpdateEndpoint', { id, active: false });
    expect(paused).toMatchObject({ ...before, active: false, updatedAt: expect.any(String) });
    expect(Date.parse(paused.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.createdAt));
    expect((await call('ListEndpoints', {})).endpoints).toEqual([paused]);
    const moved = await call('UpdateEndpoint', { id, url: 'https://hooks.example.com/new', events: { types: ['*'] } });
    expect(moved).toMatchObject({ url: 'https://hooks.example.com/new', events: ['*'], active: false });
    await call('UpdateEndpoint', { id, active: false });
    await call('UpdateEndpoint', { id, active: true });
    await call('UpdateEndpoint', { id, active: true });
    await call('DeleteEndpoint', { id });
    const published = await service.events(workspaceId, 5);
    expect(published.map(({ type }) => type)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.updated',
      'webhook_endpoint.updated',
      'webhook_endpoint.resumed',
      'webhook_endpoint.deleted',
    ]);
    expect(published[1]!.changes).toEqual({ active: { before: true, after: false } });
    expect(Object.keys(published[2]!.changes)).toEqual(['url', 'events']);
    expect(published[2]).toMatchObject({ target: { id, label: moved.url }, data: { ...moved, disabledReason: null } });
    expect(published[3]!.changes).toEqual({ active: { before: false, after: true } });
    expect((await call('ListEndpoints', {})).endpoints).toEqual([]);
  });

  test('that was disabled because its receiver responded with 410 keeps the reason until it is resumed', async () => {
    const { call, anEndpoint, workspaceId } = service.as();
    const { id } = await anEndpoint(url);
    const disabledReason = 'The receiver responded with 410 Gone.';
    await service.models.endpoints.updateOne({ _id: id }, { active: false, disabledReason });
    const events = { types: ['tag.created'] };
    expect(await call('UpdateEndpoint', { id, events })).toMatchObject({ active: false, disabledReason });
    expect(await call('UpdateEndpoint', { id, active: false })).toMatchObject({ active: false, disabledReason });
    const resumed = await call('UpdateEndpoint', { id, active: true });
    expect([resumed.active, resumed.disabledReason]).toEqual([true, undefined]);
    expect((await call('ListEndpoints', {})).endpoints).toEqual([resumed]);
    const published = await service.events(workspaceId, 3);
    expect(published[2]!.changes).toEqual({
      active: { before: false, after: true },
      disabledReason: { before: disabledReason, after: null },
    });
  });

  test.each([
    ['is no longer failing', 'resumed', { active: false }, { active: true }],
    ['is no longer failing', 'given another URL', {}, { url: `${url}/new` }],
    ['remains failing', 'given other events', {}, { events: { types: ['tag.created'] } }],
    ['remains failing', 'paused', {}, { active: false }],
    ['remains failing', 'given another URL while paused', { active: false }, { url: `${url}/new` }],
  ])('%s when it is %s', async (effect, _how, first, change) => {
    const { call, anEndpoint } = service.as();
    const { id } = await anEndpoint(url);
    await call('UpdateEndpoint', { id, ...first });
    const failingSince = new Date();
    await service.models.queues.updateOne({ _id: id }, { failing: true, failingSince });
    await call('UpdateEndpoint', { id, ...change });
    const isFailing = effect === 'remains failing';
    expect(await service.models.queues.findById(id).lean()).toMatchObject(
      isFailing ? { failing: true, failingSince } : { failing: false, failingSince: null },
    );
  });

  test('that is deleted loses its queue', async () => {
    const { call, anEndpoint } = service.as();
    const { id } = await anEndpoint(url);
    expect(await service.models.queues.exists({ _id: id })).not.toBeNull();
    await call('DeleteEndpoint', { id });
    await until(async () => (await service.models.queues.exists({ _id: id })) === null);
  });

  test('is not changed once the call has timed out', async () => {
    const principal = aPrincipal();
    const caller = service.as(principal);
    const { id } = (await caller.call('CreateEndpoint', { url, events: ['*'] })).endpoint!;
    await inTransaction(service.connection, 5_000, async (session) => {
      // The uncommitted write blocks the update of the endpoint until the call has timed out.
      await service.models.endpoints.updateOne({ _id: id }, { $inc: { held: 1 } }, { session, strict: false });
      const late = service.as(principal, 300).call('UpdateEndpoint', { id, url: `${url}/late` });
      await expect(late).rejects.toMatchObject({ code: expect.stringMatching(/^(TIMEOUT|SERVICE_UNAVAILABLE)$/) });
    });
    await sleep(1_000);
    expect((await caller.call('ListEndpoints', {})).endpoints).toMatchObject([{ url }]);
  });

  test('rejects an update to no types, to an unknown type or to a private address', async () => {
    const { call, anEndpoint } = service.as();
    const { id } = await anEndpoint(url);
    const update = (request: object) => call('UpdateEndpoint', { id, ...request });
    await expect(update({ events: { types: [] } })).rejects.toMatchObject({ field: 'events' });
    await expect(update({ events: { types: ['x'] } })).rejects.toMatchObject({ field: 'events' });
    await expect(update({ url: 'https://192.168.1.1/' })).rejects.toMatchObject({ field: 'url' });
  });

  test('keeps its secret when edited, and has a second one after a rotation', async () => {
    const { call, anEndpoint } = service.as();
    const { id, secret } = await anEndpoint(url);
    const sealed = async () => (await service.models.endpoints.findById(id).lean())!.secrets;
    const before = await sealed();
    await call('UpdateEndpoint', { id, events: { types: ['tag.created'] } });
    expect(await sealed()).toEqual(before);
    const rotated = await call('RotateSecret', { id });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(await sealed()).toHaveLength(2);
  });

  test('has a new secret after each rotation without an operation id, and the events hide the secrets', async () => {
    const { call, anEndpoint, workspaceId } = service.as();
    const { id, secret, createdAt } = await anEndpoint(url);
    await service.models.endpoints.updateOne({ _id: id }, { updatedAt: new Date(0) });
    const rotations = [await call('RotateSecret', { id }), await call('RotateSecret', { id })];
    expect(new Set([secret, ...rotations.map((rotation) => rotation.secret)]).size).toBe(3);
    const published = (await service.events(workspaceId, 3)).slice(1);
    for (const [i, { endpoint }] of rotations.entries()) {
      expect(Date.parse(endpoint!.updatedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
      expect(published[i]).toMatchObject({
        type: 'webhook_endpoint.updated',
        target: { type: 'webhook_endpoint', id, label: url },
        data: { ...endpoint, disabledReason: null },
        changes: { secret: { before: '(hidden)', after: '(hidden)' } },
      });
    }
    expect((await call('ListEndpoints', {})).endpoints).toEqual([rotations[1]!.endpoint]);
  });

  test('drops a stored secret at a rotation if the secret cannot be decrypted', async () => {
    const { call, anEndpoint } = service.as();
    const { id } = await anEndpoint(url);
    await service.models.endpoints.updateOne({ _id: id }, { secrets: [{ sealed: Buffer.alloc(60) }] });
    await call('RotateSecret', { id });
    expect((await service.models.endpoints.findById(id).lean())!.secrets).toHaveLength(1);
  });

  test('is created, rotated and tested once per operation id; a repeated creation returns the current secret', async () => {
    const { call, workspaceId } = service.as();
    const request = { url, events: ['tag.created'], operationId: newUlid() };
    const created = await call('CreateEndpoint', request);
    expect(await call('CreateEndpoint', request)).toEqual(created);
    await expect(call('CreateEndpoint', { ...request, operationId: newUlid() })).rejects.toMatchObject({
      code: 'ENDPOINT_EXISTS',
    });
    const { id } = created.endpoint!;
    const rotation = { id, operationId: newUlid() };
    const rotated = await call('RotateSecret', rotation);
    expect(await call('RotateSecret', rotation)).toEqual(rotated);
    const next = await call('RotateSecret', { id, operationId: newUlid() });
    expect(new Set([created.secret, rotated.secret, next.secret]).size).toBe(3);
    expect((await service.models.endpoints.findById(id).lean())!.secrets).toHaveLength(3);
    expect(await call('CreateEndpoint', request)).toMatchObject({ endpoint: { id }, secret: next.secret });
    const testing = { id, operationId: newUlid() };
    const delivery = await call('TestEndpoint', testing);
    expect(await call('TestEndpoint', testing)).toMatchObject({ id: delivery.id, eventId: delivery.eventId });
    expect((await call('ListDeliveries', {})).deliveries.map((each) => each.id)).toEqual([delivery.id]);
    const published = (await service.events(workspaceId, 4)).map(({ type }) => type);
    const updated = 'webhook_endpoint.updated';
    expect(published).toEqual(['webhook_endpoint.created', updated, updated, 'webhook.test']);
  });

  test('is listed only in its own workspace, after newer endpoints', async () => {
    const { call, anEndpoint, workspaceId } = service.as();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await anEndpoint(`${url}/${i}`)).id);
    const viewer = service.as(aPrincipal(workspaceId, { role: 'viewer' }));
    expect((await viewer.call('ListEndpoints', {})).endpoints.map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await call('ListEndpoints', {})).endpoints).toHaveLength(5);
    expect((await service.as().call('ListEndpoints', {})).endpoints).toEqual([]);
  });

  test.each(['member', 'viewer'] as const)('cannot be managed by a %s', async (role) => {
    const { anEndpoint, workspaceId } = service.as();
    const { id } = await anEndpoint(url);
    const { call } = service.as(aPrincipal(workspaceId, { kind: 'user', role }));
    const forbidden = { code: 'FORBIDDEN' };
    await expect(call('CreateEndpoint', { url: `${url}/2`, events: ['*'] })).rejects.toMatchObject(forbidden);
    await expect(call('UpdateEndpoint', { id, active: false })).rejects.toMatchObject(forbidden);
    await expect(call('DeleteEndpoint', { id })).rejects.toMatchObject(forbidden);
    await expect(call('RotateSecret', { id })).rejects.toMatchObject(forbidden);
    await expect(call('TestEndpoint', { id })).rejects.toMatchObject(forbidden);
  });

  test('of another workspace is rejected with FORBIDDEN, and an unknown one with NOT_FOUND', async () => {
    const { id } = await service.as().anEndpoint(url);
    const { call } = service.as();
    for (const [which, code] of [
      [id, 'FORBIDDEN'],
      ['whe_01k8z6r7d2v4m9q0s3t5w7x9yf', 'NOT_FOUND'],
      ['x', 'NOT_FOUND'],
    ] as const) {
      await expect(call('UpdateEndpoint', { id: which, active: false })).rejects.toMatchObject({ code });
      await expect(call('DeleteEndpoint', { id: which })).rejects.toMatchObject({ code });
      await expect(call('RotateSecret', { id: which })).rejects.toMatchObject({ code });
      await expect(call('TestEndpoint', { id: which })).rejects.toMatchObject({ code });
    }
  });
});

test('event types are listed with description, trigger and a complete example body', async () => {
  const { eventTypes } = await service.as().call('ListEventTypes', {});
  expect(eventTypes.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['link.created', 'link.clicked', 'webhook.test']),
  );
  for (const { type, description, trigger, example } of eventTypes) {
    expect(description && trigger).toBeTruthy();
    expect(JSON.parse(example)).toMatchObject({ type, id: expect.stringMatching(/^evt_/), data: expect.anything() });
  }
});
