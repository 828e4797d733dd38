import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isId } from '@tautan/kit';
import { Bus, consume } from '@tautan/kit/bus';
import { until } from '@tautan/kit/testing';
import { generateApiKey, invalidations, isWellFormedApiKey, parseEvent, type TautanEvent } from '@tautan/proto';
import { createLog } from '@tautan/kit';
import mongoose, { type Connection } from 'mongoose';
import { aPrincipal, as, startService, untilReady, type TestService } from './testing/service.js';

let service: TestService;
let database: Connection;
let bus: Bus;
let consumer: { stop(): Promise<void> };
const events: TautanEvent[] = [];
const invalidatedKeyIds: string[] = [];

beforeAll(async () => {
  service = await startService();
  const { mongodbUri, database: dbName, natsUrl } = service.servers;
  database = await mongoose.createConnection(mongodbUri, { dbName }).asPromise();
  const log = createLog('test', 'silent');
  bus = new Bus({ url: natsUrl, name: 'test', log });
  bus.listen(invalidations.credential, (payload) =>
    invalidatedKeyIds.push(...(payload as { apiKeyIds: string[] }).apiKeyIds),
  );
  await until(() => bus.connected);
  const handle = async (payload: Uint8Array) =>
    void events.push(parseEvent(JSON.parse(Buffer.from(payload).toString())));
  const settings = {
    stream: 'EVENTS',
    durable: `test-${dbName}`,
    subject: 'events.>',
    handle,
    onDeadLetter: handle,
    log,
  };
  consumer = consume(bus, settings, () => false);
  await untilReady(service);
});
afterAll(async () => {
  await consumer.stop();
  await bus.close();
  await database.dropDatabase();
  await database.close();
  await service.stop();
});

const aWorkspace = () => service.operators.call('CreateWorkspace', { name: 'Kopi', plan: 'PRO' }, as());
const aKey = async () => {
  const { id: workspaceId } = await aWorkspace();
  const minted = await service.operators.call('MintApiKey', { workspaceId, label: 'CI' }, as());
  return { ...minted, workspaceId };
};
const verify = (key: string) => service.apiKeys.call('VerifyApiKey', { key }, as());
const stored = (id: string) =>
  database.collection<{ _id: string; lastUsedAt: Date | null }>('api_keys').findOne({ _id: id });
const eventsAbout = (id: string) => events.filter(({ target }) => target.id === id).map(({ type }) => type);

describe('a workspace', () => {
  test('is created with its plan, and emits an event', async () => {
    const created = await service.operators.call(
      'CreateWorkspace',
      { name: '  Kopi Kenangan ', plan: 'BUSINESS' },
      as(),
    );
    expect(created).toMatchObject({ name: 'Kopi Kenangan', plan: 'BUSINESS' });
    expect(isId(created.id, 'ws')).toBe(true);
    await until(() => eventsAbout(created.id).length > 0);
    const event = events.find(({ target }) => target.id === created.id)!;
    expect(event).toMatchObject({
      type: 'workspace.created',
      workspaceId: created.id,
      actor: { type: 'system' },
      data: { id: created.id, name: created.name, plan: created.plan, createdAt: created.createdAt },
    });
  });

  test('is on the FREE plan by default', async () => {
    expect((await service.operators.call('CreateWorkspace', { name: 'x' }, as())).plan).toBe('FREE');
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'x', plan: 'GOLD' }, 'plan'],
  ])('%j is rejected, naming %s', async (request, field) => {
    const refused = service.operators.call('CreateWorkspace', request, as());
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('can be read only by its own principals', async () => {
    const created = await aWorkspace();
    const read = (workspaceId: string) => service.workspaces.call('GetWorkspace', {}, as(aPrincipal({ workspaceId })));
    const { externalId: _externalId, givenPlan: _givenPlan, ...visible } = created;
    expect(await read(created.id)).toEqual({ ...visible, role: 'owner', current: true });
    const key = as(aPrincipal({ workspaceId: created.id, kind: 'api_key' }));
    expect((await service.workspaces.call('GetWorkspace', {}, key)).role).toBe('');
    await expect(read(aPrincipal().workspaceId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.workspaces.call('GetWorkspace', {}, as())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('an API key', () => {
  test('can be verified, which returns its workspace', async () => {
    const { id, key, prefix, label, workspaceId } = await aKey();
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(key.startsWith(prefix)).toBe(true);
    expect(await verify(key)).toEqual({ id, label, workspaceId, plan: 'PRO' });
  });

  test('is stored only as a hash', async () => {
    const { id, key } = await aKey();
    const document = await stored(id);
    expect(JSON.stringify(document)).not.toContain(key.slice(20));
    const everything = await Promise.all(
      (await database.listCollections()).map(({ name }) => database.collection(name).find().toArray()),
    );
    expect(JSON.stringify(everything)).not.toContain(key.slice(20));
  });

  test('emits an event about its creation, without the key', async () => {
    const { id, key, label, prefix, createdAt } = await aKey();
    const created = await until(() => events.find(({ target }) => target.id === id));
    expect(created).toMatchObject({ type: 'api_key.created', target: { type: 'api_key', label } });
    expect(created.data).toEqual({ id, label, prefix, createdAt });
    expect(JSON.stringify(events)).not.toContain(key);
  });

  test.each([
    ['unknown', generateApiKey().key],
    ['malformed', 'tau_live_x'],
    ['empty', ''],
    ['a query operator', '{"$ne":1}'],
  ])('that is %s is rejected', async (_kind, key) => {
    await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message: 'The API key is invalid.' });
  });

  test('records its last use at most once per minute', async () => {
    const { id, key } = await aKey();
    expect((await stored(id))!['lastUsedAt']).toBeNull();
    await verify(key);
    const first = await until(async () => (await stored(id))!['lastUsedAt']);
    await verify(key);
    await verify(key);
    expect((await stored(id))!['lastUsedAt']).toEqual(first);
    const overAMinuteAgo = new Date(first.getTime() - 61_000);
    await database
      .collection<{ _id: string; lastUsedAt: Date | null }>('api_keys')
      .updateOne({ _id: id }, { $set: { lastUsedAt: overAMinuteAgo } });
    await verify(key);
    await until(async () => ((await stored(id))!['lastUsedAt'] as Date) > overAMinuteAgo);
  });

  test('is invalid after its revocation, and every gateway is notified', async () => {
    const { id, key, workspaceId } = await aKey();
    await service.operators.call('RevokeApiKey', { workspaceId, id }, as());
    await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await until(() => invalidatedKeyIds.includes(id));
    await until(() => eventsAbout(id).includes('api_key.revoked'));
  });

  test('can be revoked again without another event', async () => {
    const { id, workspaceId } = await aKey();
    for (let i = 0; i < 3; i += 1) await service.operators.call('RevokeApiKey', { workspaceId, id }, as());
    const marker = await aKey();
    await until(() => eventsAbout(marker.id).length === 1 && eventsAbout(id).length === 2);
    expect(eventsAbout(id).sort()).toEqual(['api_key.created', 'api_key.revoked']);
  });

  test.each([
    ['the owner of another workspace', {}, 'FORBIDDEN'],
    ['an API key', { kind: 'api_key' as const }, 'PERSON_ONLY'],
    ['a member', { role: 'member' as const }, 'FORBIDDEN'],
    ['a viewer', { role: 'viewer' as const }, 'FORBIDDEN'],
  ])('cannot be minted or revoked by %s', async (_who, overrides, code) => {
    const { id, workspaceId } = await aKey();
    const belongsToWorkspace = Object.keys(overrides).length > 0;
    const by = as(aPrincipal({ ...(belongsToWorkspace && { workspaceId }), ...overrides }));
    await expect(service.apiKeys.call('MintApiKey', { workspaceId, label: 'x' }, by)).rejects.toMatchObject({ code });
    await expect(service.apiKeys.call('RevokeApiKey', { workspaceId, id }, by)).rejects.toMatchObject({ code });
  });

  test("of another workspace cannot be revoked with the id of one's own workspace", async () => {
    const mine = await aKey();
    const theirs = await aKey();
    const revoke = (id: string) =>
      service.apiKeys.call(
        'RevokeApiKey',
        { workspaceId: mine.workspaceId, id },
        as(aPrincipal({ workspaceId: mine.workspaceId })),
      );
    await expect(revoke(theirs.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(revoke('key_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await verify(theirs.key)).id).toBe(theirs.id);
  });

  test('requires a label and an existing workspace', async () => {
    const { id: workspaceId } = await aWorkspace();
    const mint = (request: object) => service.operators.call('MintApiKey', request, as());
    await expect(mint({ workspaceId, label: ' ' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'label' });
    await expect(mint({ workspaceId: 'ws_none', label: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
