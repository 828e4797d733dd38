import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, createMetrics, firstIdAt, newId, newUlid, type Principal } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { connectMongo, Outbox } from '@tautan/kit/mongo';
import { eventually, until } from '@tautan/kit/testing';
import { eventSubject, type TautanEvent } from '@tautan/proto';
import { entryOf, FIRST_HASH, type AuditFilterInput } from './audit/domain/audit.js';
import { appliedEventStore } from './store/applied-events.js';
import { auditStore } from './audit/store/audit.js';
import { createModels } from './store/models.js';
import { workspaceStore } from './workspaces/store/workspaces.js';
import { aPrincipal, as, startService, type TestService } from './testing/service.js';
import { recordAudit } from './audit/steps/record-audit.js';
import { applyEvents } from './audit/usecases/apply-events.js';
import { verifyAudit } from './audit/usecases/verify-audit.js';

const log = createLog('test', 'silent');
let service: TestService;
let bus: Bus;
let mongo: ReturnType<typeof connectMongo>;
let models: ReturnType<typeof createModels>;
let audit: ReturnType<typeof auditStore>;
let workspaces: ReturnType<typeof workspaceStore>;
let outbox: Outbox;

beforeAll(async () => {
  service = await startService();
  bus = new Bus({ url: service.servers.natsUrl, name: 'test', log });
  const { mongodbUri: uri, database } = service.servers;
  mongo = connectMongo({ uri, database, poolSize: 10, name: 'test', log, prepare: async () => undefined });
  await until(() => mongo.ready() && bus.connected);
  models = createModels(mongo.connection);
  audit = auditStore(models);
  workspaces = workspaceStore(models, 'FREE');
  outbox = new Outbox({ connection: mongo.connection, bus, log, registry: createMetrics('test') });
});
afterAll(async () => {
  await outbox?.stop();
  await bus?.close();
  await mongo?.close();
  await service?.stop();
});

const anEvent = (workspaceId: string, fields: Partial<TautanEvent> = {}): TautanEvent => ({
  id: newId('evt'),
  type: 'tag.updated',
  at: new Date().toISOString(),
  workspaceId,
  actor: { type: 'user', id: newId('usr'), name: 'Ayu' },
  requestId: 'req_1',
  ip: '192.0.2.7',
  userAgent: 'test/1',
  target: { type: 'tag', id: 'tag_1', label: 'spring' },
  changes: { name: { before: 'sprnig', after: 'spring' } },
  data: { id: 'tag_1', name: 'spring', linkCount: 0, qrCodeCount: 0, createdAt: '', updatedAt: '' },
  ...fields,
});

/** Records events as the consumer does. */
const record = (audited: TautanEvent[]): Promise<void> =>
  applyEvents(
    {
      audit,
      workspaces,
      appliedEvents: appliedEventStore(models),
      transact: outbox.transact,
      now: () => new Date(),
    },
    { audited },
  );
const publish = (event: TautanEvent) => bus.publish(eventSubject(event.type), JSON.stringify(event), { id: event.id });
const list = async (by: Principal, query: AuditFilterInput & { cursor?: string; limit?: number } = {}) =>
  service.audit.call(
    'ListAuditLog',
    { action: '', cursor: '', limit: 50, ...query },
    { requestId: 'req_1', principal: by },
  );
const rows = async (by: Principal, query = {}) => (await list(by, query)).entries;

describe('the audit log', () => {
  test('records a change with its actor, origin, and values before and after', async () => {
    const me = aPrincipal();
    const event = anEvent(me.workspaceId);
    await publish(event);
    await eventually(async () => expect(await rows(me)).toHaveLength(1));
    const [entry] = await rows(me);
    expect(entry).toMatchObject({
      id: `aud_${event.id.slice(4)}`,
      action: 'tag.updated',
      actorType: 'user',
      actorId: event.actor.id,
      actorName: 'Ayu',
      targetType: 'tag',
      targetId: 'tag_1',
      targetLabel: 'spring',
      changes: JSON.stringify(event.changes),
      ip: '192.0.2.7',
      userAgent: 'test/1',
      requestId: 'req_1',
      createdAt: event.at,
    });
  });

  test('contains only the entries of its own workspace', async () => {
    const [mine, theirs] = [aPrincipal(), aPrincipal()];
    await publish(anEvent(theirs.workspaceId));
    await eventually(async () => expect(await rows(theirs)).toHaveLength(1));
    expect(await rows(mine)).toEqual([]);
  });

  test('filters by action and by prefix, and is paged newest first', async () => {
    const me = aPrincipal();
    const types = ['tag.created', 'tag.updated', 'link.created', 'tag.deleted', 'tag.created'] as const;
    for (const type of types) await record([anEvent(me.workspaceId, { type })]);
    const actions = async (query: object) => (await rows(me, query)).map(({ action }) => action);
    expect(await actions({})).toEqual([...types].reverse());
    expect(await actions({ action: 'tag.created' })).toEqual(['tag.created', 'tag.created']);
    expect(await actions({ action: 'tag.' })).toEqual(['tag.created', 'tag.deleted', 'tag.updated', 'tag.created']);
    const paged: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Awaited<ReturnType<typeof list>> = await list(me, { action: 'tag.', limit: 3, cursor });
      paged.push(...page.entries.map(({ action }) => action));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(['tag.created', 'tag.deleted', 'tag.updated', 'tag.created']);
    const { nextCursor } = await list(me, { limit: 1 });
    const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });
    await expect(list(me, { action: 'tag.', cursor: nextCursor! })).rejects.toEqual(refused('cursor'));
    await expect(list(me, { action: 'Tag Created' })).rejects.toEqual(refused('action'));
    await expect(list(me, { limit: 201 })).rejects.toEqual(refused('limit'));
  });
});

describe('the filters of the audit log', () => {
  const me = aPrincipal();
  const idAt = (ms: number) => firstIdAt('evt', ms) + newUlid().slice(10);
  const day = (n: number) => new Date(Date.UTC(2030, 0, n, 12)).toISOString();
  const actors = ['usr_1', 'usr_2', null].map((id) => ({ type: id ? 'user' : 'system', id, name: '' }) as const);
  const events = [1, 2, 3, 4, 5, 6].map((n) =>
    anEvent(me.workspaceId, {
      id: idAt(Date.parse(day(n))),
      at: day(n),
      type: n % 2 ? 'link.updated' : 'tag.updated',
      actor: actors[n % 3]!,
      target: { type: 'link', id: `lnk_${Math.ceil(n / 3)}`, label: `${n}` },
    }),
  );
  beforeAll(() => record(events));

  test.each([
    [{ action: 'link' }, '5 3 1'],
    [{ action: 'link.' }, '5 3 1'],
    [{ action: 'link.updated' }, '5 3 1'],
    [{ action: 'lin' }, ''],
    [{ action: 'link.upd' }, ''],
    [{ actor: 'usr_2' }, '4 1'],
    [{ actor: 'system' }, '5 2'],
    [{ target: 'lnk_2' }, '6 5 4'],
    [{ from: day(4) }, '6 5 4'],
    [{ from: '2030-01-04' }, '6 5 4'],
    [{ to: day(2) }, '2 1'],
    [{ to: '2030-01-02' }, '2 1'],
    [{ to: '2030-01-02T11:59:59+00:00' }, '1'],
    [{ from: day(2), to: day(5), action: 'tag', target: 'lnk_1' }, '2'],
  ])('%j returns the entries %s', async (query, found) => {
    expect((await rows(me, query)).map(({ targetLabel }) => targetLabel).join(' ')).toBe(found);
    const paged: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Awaited<ReturnType<typeof list>> = await list(me, { ...query, limit: 1, cursor });
      paged.push(...page.entries.map(({ targetLabel }) => targetLabel));
      cursor = page.nextCursor;
    }
    expect(paged.join(' ')).toBe(found);
  });

  test('find an entry by its time even if its id was created with a skewed clock', async () => {
    const skewed = aPrincipal();
    for (const ms of [-3_600_000, 3_600_000]) {
      await record([anEvent(skewed.workspaceId, { id: idAt(Date.parse(day(3)) + ms), at: day(3) })]);
    }
    expect(await rows(skewed, { from: day(3), to: day(3) })).toHaveLength(2);
  });

  test.each([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2030-02-30' }, 'to'],
    [{ from: day(2), to: day(1) }, 'from'],
    [{ action: 'link.*' }, 'action'],
  ])('%j is rejected, naming %s', async (query, field) => {
    await expect(list(me, query)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('must be the same for every page of a list', async () => {
    const { nextCursor } = await list(me, { actor: 'usr_2', limit: 1 });
    const refused = { code: 'VALIDATION_ERROR', field: 'cursor' };
    for (const query of [{}, { actor: 'usr_1' }, { actor: 'usr_2', from: day(1) }]) {
      await expect(list(me, { ...query, cursor: nextCursor! })).rejects.toMatchObject(refused);
    }
  });

  test('each use an index', async () => {
    const explain = async (filter: object) =>
      JSON.stringify(
        await mongo.connection.db!.command({
          explain: { find: 'audit', filter: { workspaceId: me.workspaceId, ...filter }, sort: { _id: -1 } },
          verbosity: 'queryPlanner',
        }),
      );
    for (const field of ['actor.id', 'target.id', 'action']) {
      expect(await explain({ [field]: 'x' })).toContain(`workspaceId_1_${field}_1__id_-1`);
    }
    expect(await explain({ _id: { $gte: 'aud_0' }, createdAt: { $gte: new Date(0) } })).toContain(
      'workspaceId_1__id_-1',
    );
  });
});

test('operators can find the first broken entry of a workspace', async () => {
  const workspaceId = newId('ws');
  await record([anEvent(workspaceId), anEvent(workspaceId), anEvent(workspaceId)]);
  const verify = () => service.operators.call('VerifyAuditLog', { workspaceId }, as());
  expect(await verify()).toEqual({ workspaceId, entries: 3 });
  await mongo.connection.collection('audit').updateOne({ workspaceId, seq: 2 }, { $set: { ip: '203.0.113.9' } });
  const broken = { seq: 2, id: expect.stringMatching(/^aud_/), reason: expect.any(String) };
  expect(await verify()).toMatchObject({ workspaceId, entries: 1, broken });
});

test('operators cannot verify the log of an unknown workspace', async () => {
  const verify = (workspaceId: string) => service.operators.call('VerifyAuditLog', { workspaceId }, as());
  await expect(verify(newId('ws'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { id } = await service.operators.call('CreateWorkspace', { name: 'Kopi' }, as());
  expect(await verify(id)).toMatchObject({ workspaceId: id });
});

describe('the hash chain', () => {
  const chained = async (count: number): Promise<string> => {
    const workspaceId = newId('ws');
    await record(Array.from({ length: count }, () => anEvent(workspaceId)));
    return workspaceId;
  };
  const entries = () => mongo.connection.collection<{ _id: string; workspaceId: string; seq: number }>('audit');
  const verify = (workspaceId: string) => verifyAudit({ audit, workspaces }, { workspaceId });

  test('is valid after redeliveries in any order, even concurrent ones', async () => {
    const workspaceId = newId('ws');
    const events = Array.from({ length: 40 }, () => anEvent(workspaceId));
    const deliveries = Array.from({ length: 8 }, (_, i) => [...events.slice(i * 5), ...events.slice(0, i * 5)]);
    await Promise.all(deliveries.map((delivery) => record(delivery)));
    expect(await verify(workspaceId)).toEqual({ workspaceId, entries: 40, broken: undefined });
  });

  test('has one entry per audited event, even if an event occurs twice in a batch', async () => {
    const workspaceId = newId('ws');
    const event = anEvent(workspaceId);
    await record([event, anEvent(workspaceId, { type: 'webhook.test' }), event]);
    expect(await verify(workspaceId)).toEqual({ workspaceId, entries: 1, broken: undefined });
  });

  test('is unchanged if the transaction of new entries is aborted', async () => {
    const workspaceId = await chained(1);
    const aborted = outbox.transact(null, async (tx) => {
      await recordAudit({ audit }, tx, [anEvent(workspaceId)], false);
      throw new Error('aborted');
    });
    await expect(aborted).rejects.toThrow('aborted');
    expect(await verify(workspaceId)).toEqual({ workspaceId, entries: 1, broken: undefined });
  });

  const mismatch = 'its hash does not match its content';
  type Change = (workspaceId: string) => Promise<unknown>;
  // The last column is the original position of the entry that is reported.
  test.each<[string, Change, number, string, number | null]>([
    [
      'a changed entry',
      (workspaceId) => entries().updateOne({ workspaceId, seq: 3 }, { $set: { 'actor.name': 'Budi' } }),
      3,
      mismatch,
      3,
    ],
    [
      'a changed time',
      (workspaceId) => entries().updateOne({ workspaceId, seq: 2 }, { $set: { createdAt: new Date(0) } }),
      2,
      mismatch,
      2,
    ],
    [
      'a changed "before"',
      (workspaceId) => entries().updateOne({ workspaceId, seq: 4 }, { $set: { 'changes.name.before': 'x' } }),
      4,
      mismatch,
      4,
    ],
    ['a removed entry', (workspaceId) => entries().deleteOne({ workspaceId, seq: 2 }), 2, 'entry 2 is missing', 3],
    [
      'a removed last entry',
      (workspaceId) => entries().deleteOne({ workspaceId, seq: 5 }),
      5,
      'entry 5 is missing',
      null,
    ],
    [
      'a removal of the last entries',
      (workspaceId) => entries().deleteMany({ workspaceId, seq: { $gt: 3 } }),
      4,
      'entries 4 to 5 are missing',
      null,
    ],
    [
      'a changed order',
      async (workspaceId) => {
        await entries().updateOne({ workspaceId, seq: 2 }, { $set: { seq: 99 } });
        await entries().updateOne({ workspaceId, seq: 3 }, { $set: { seq: 2 } });
        await entries().updateOne({ workspaceId, seq: 99 }, { $set: { seq: 3 } });
      },
      2,
      mismatch,
      3,
    ],
  ])('reveals the position of %s', async (_change, tamper, seq, reason, position) => {
    const workspaceId = await chained(5);
    expect(await verify(workspaceId)).toEqual({ workspaceId, entries: 5, broken: undefined });
    const ids = (await entries().find({ workspaceId }).sort({ seq: 1 }).toArray()).map(({ _id }) => _id);
    await tamper(workspaceId);
    const id = position === null ? null : ids[position - 1];
    expect(await verify(workspaceId)).toEqual({ workspaceId, entries: seq - 1, broken: { id, seq, reason } });
  });

  test('reveals an entry added at the end, and a replaced last entry, even if their hashes are valid', async () => {
    const workspaceId = await chained(1);
    const head = (await audit.heads([workspaceId], { session: null })).get(workspaceId)!;
    const added = entryOf(anEvent(workspaceId), head);
    const replaced = entryOf(anEvent(workspaceId), { _id: workspaceId, seq: 0, hash: FIRST_HASH });
    for (const [{ _id: id, seq }, tamper] of [
      [added, () => entries().insertOne(added)],
      [replaced, async () => (await entries().deleteMany({ workspaceId }), entries().insertOne(replaced))],
    ] as const) {
      await tamper();
      const broken = { id, seq, reason: 'it does not match the recorded end of the log' };
      expect(await verify(workspaceId)).toEqual({ workspaceId, entries: seq - 1, broken });
    }
  });
});
