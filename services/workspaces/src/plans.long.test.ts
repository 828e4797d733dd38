import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { driverCollection } from '@tautan/kit/mongo';
import { eventually, until } from '@tautan/kit/testing';
import { startPlanStage, type PlanStage } from './testing/plans.js';

let stage: PlanStage;
beforeAll(async () => {
  stage = await startPlanStage();
});
afterAll(() => stage.stop());

describe('the plan of a subscription', () => {
  test('applies within a second, is announced with the next version, and the gateways are notified', async () => {
    const [id, other] = [await stage.create(), await stage.create('BUSINESS')];
    const began = performance.now();
    expect(await stage.publishAndWait(id, { plan: 'PRO', version: 1 })).toBe('PRO');
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', version: 2 })).toBe('BUSINESS');
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 3 })).toBe('FREE');
    expect(await stage.planOf(other)).toBe('BUSINESS');
    await until(() => stage.announced(id).length === 4);
    expect(stage.announced(id)).toEqual([
      { type: 'workspace.created', version: 1, plan: 'FREE', changes: {} },
      { type: 'workspace.updated', version: 2, plan: 'PRO', changes: { plan: { before: 'FREE', after: 'PRO' } } },
      {
        type: 'workspace.updated',
        version: 3,
        plan: 'BUSINESS',
        changes: { plan: { before: 'PRO', after: 'BUSINESS' } },
      },
      { type: 'workspace.updated', version: 4, plan: 'FREE', changes: { plan: { before: 'BUSINESS', after: 'FREE' } } },
    ]);
  });

  test('is that of the highest version, whatever is late, repeated or lost, independently of clocks', async () => {
    const id = await stage.create();
    expect(await stage.publishAndWait(id, { plan: 'PRO', version: 2, at: '2030-03-01T00:00:00.000Z' })).toBe('PRO');
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', version: 1, at: '2030-04-01T00:00:00.000Z' })).toBe(
      'PRO',
    );
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', version: 2, at: '2030-04-01T00:00:00.000Z' })).toBe(
      'PRO',
    );
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', version: 5, at: '2030-01-01T00:00:00.000Z' })).toBe(
      'BUSINESS',
    );
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 4, at: '2030-05-01T00:00:00.000Z' })).toBe(
      'BUSINESS',
    );
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', version: 5 })).toBe('BUSINESS');
    await until(() => stage.announced(id).length === 3);
    expect(stage.announced(id).map(({ plan, version }) => [plan, version])).toEqual([
      ['FREE', 1],
      ['PRO', 2],
      ['BUSINESS', 3],
    ]);
  });

  test('is ordered by time while events carry no version', async () => {
    const id = await stage.create();
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', at: '2030-02-01T00:00:00.000Z' })).toBe('BUSINESS');
    expect(await stage.publishAndWait(id, { plan: 'PRO', at: '2030-01-01T00:00:00.000Z' })).toBe('BUSINESS');
    expect(await stage.publishAndWait(id, { plan: 'PRO', version: 7, at: '2030-03-01T00:00:00.000Z' })).toBe('PRO');
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', at: '2030-02-02T00:00:00.000Z' })).toBe('PRO');
    expect(await stage.publishAndWait(id, { plan: 'BUSINESS', version: 6, at: '2030-04-01T00:00:00.000Z' })).toBe(
      'PRO',
    );
  });

  test('converges to the newest when two replicas apply shuffled events', async () => {
    await stage.startReplica();
    const ids = await Promise.all([1, 2, 3].map(() => stage.create()));
    const versions = Array.from({ length: 20 }, (_, i) => i + 1);
    const storm = ids.flatMap((id) =>
      [...versions, ...versions].map((version) => ({ id, version, plan: ['PRO', 'BUSINESS', 'FREE'][version % 3]! })),
    );
    storm.sort(() => Math.random() - 0.5);
    const before = stage.dropped.length;
    await Promise.all(storm.map(({ id, ...notice }) => stage.publish(id, notice)));
    await eventually(async () => {
      for (const id of ids) {
        const { subscription, plan } = (await stage.models.workspaces.findById(id).lean())!;
        expect([subscription!.version, plan]).toEqual([20, 'FREE']);
      }
    });
    await until(() => ids.every((id) => stage.dropped.slice(before).includes(id)));
    for (const id of ids) {
      await eventually(() => expect(stage.announced(id).at(-1)!.plan).toBe('FREE'));
      const published = stage.announced(id);
      expect(published.map(({ version }) => version)).toEqual(published.map((_event, i) => i + 1));
    }
  });

  test('of a workspace that does not exist is ignored', async () => {
    const unknown = newId('ws');
    await stage.publish(unknown, { plan: 'PRO', version: 1 });
    await until(() => stage.dropped.includes(unknown));
    expect(await stage.models.deadLetters.countDocuments()).toBe(0);
  });
});

describe('an operator', () => {
  test('can give a workspace a plan and take it back', async () => {
    const id = await stage.create();
    expect(await stage.setPlan(id, 'UNLIMITED')).toMatchObject({ id, plan: 'UNLIMITED' });
    expect(await stage.setPlan(id, 'UNLIMITED')).toMatchObject({ plan: 'UNLIMITED' });
    expect(await stage.setPlan(id, '')).toMatchObject({ plan: 'FREE' });
    expect(await stage.planOf(id)).toBe('FREE');
    await until(() => stage.announced(id).length === 3);
    expect(stage.announced(id).map(({ plan, version }) => [plan, version])).toEqual([
      ['FREE', 1],
      ['UNLIMITED', 2],
      ['FREE', 3],
    ]);
  });

  test('can give a plan that applies while there is no live subscription', async () => {
    const id = await stage.create('BUSINESS');
    expect(await stage.publishAndWait(id, { plan: 'PRO', version: 1 })).toBe('PRO');
    expect(await stage.setPlan(id, 'UNLIMITED')).toMatchObject({ plan: 'PRO' });
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 2 })).toBe('UNLIMITED');
  });

  test('must name a known plan and a known workspace', async () => {
    const id = await stage.create();
    await expect(stage.setPlan(id, 'GOLD')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'plan' });
    await expect(stage.setPlan(newId('ws'), 'PRO')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await stage.planOf(id)).toBe('FREE');
  });
});

describe('changing DEFAULT_PLAN by a restart', () => {
  test('applies to every workspace without its own plan, emits events, and notifies the gateways', async () => {
    const given = await stage.create('FREE');
    const cancelled = await stage.create();
    await stage.publishAndWait(cancelled, { plan: 'PRO', version: 1 });
    await stage.publishAndWait(cancelled, { plan: 'FREE', version: 2 });
    const without = [cancelled, ...(await Promise.all(Array.from({ length: 60 }, () => stage.create())))];
    const before = stage.dropped.length;
    await stage.restart({ DEFAULT_PLAN: 'UNLIMITED' });
    expect(await stage.planOf(without[7]!)).toBe('UNLIMITED');
    await until(() => without.every((id) => stage.dropped.slice(before).includes(id)));
    for (const id of without) {
      expect(await stage.planOf(id)).toBe('UNLIMITED');
      await until(() => stage.announced(id).at(-1)!.plan === 'UNLIMITED');
    }
    expect(stage.announced(cancelled).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(await stage.planOf(given)).toBe('FREE');
    expect(stage.dropped.slice(before)).not.toContain(given);
    expect(await stage.planOf(await stage.create())).toBe('UNLIMITED');
    await stage.restart({});
    await until(() => without.every((id) => stage.announced(id).at(-1)!.plan === 'FREE'));
  });
});

describe('a record of an earlier version', () => {
  const aRecord = async (plan: string, more: object = {}) => {
    const _id = newId('ws');
    const record = { name: 'Kopi', plan, linkCount: 0, qrCodeCount: 0, asOf: new Date(), createdAt: new Date() };
    await stage.models.workspaces.collection.insertOne({ _id: _id as never, ...record, ...more });
    return _id;
  };
  const planAsOf = new Date('2030-02-01T00:00:00.000Z');

  test('has no plan of its own if it is FREE', async () => {
    const [plain, ended] = [await aRecord('FREE'), await aRecord('FREE', { planAsOf })];
    await stage.restart({ DEFAULT_PLAN: 'UNLIMITED' });
    for (const id of [plain, ended]) {
      expect(await stage.planOf(id)).toBe('UNLIMITED');
      await until(() => stage.announced(id).length === 1);
      expect(stage.announced(id)).toMatchObject([
        { version: 1, changes: { plan: { before: 'FREE', after: 'UNLIMITED' } } },
      ]);
    }
    await stage.restart({});
  });

  test('keeps the plan of its subscription until a later event', async () => {
    const id = await aRecord('PRO', { planAsOf });
    await stage.restart({ DEFAULT_PLAN: 'UNLIMITED' });
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 1, at: '2030-01-01T00:00:00.000Z' })).toBe('PRO');
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 3, at: '2030-03-01T00:00:00.000Z' })).toBe(
      'UNLIMITED',
    );
    await stage.restart({});
  });

  test('keeps the plan given by an operator', async () => {
    const id = await aRecord('BUSINESS');
    expect(await stage.publishAndWait(id, { plan: 'PRO', version: 1 })).toBe('PRO');
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 2 })).toBe('BUSINESS');
  });

  test('written during a rolling upgrade is ordered by its time', async () => {
    const id = await stage.create();
    await stage.publishAndWait(id, { plan: 'BUSINESS', version: 1, at: '2030-01-01T00:00:00.000Z' });
    await driverCollection(stage.models.workspaces).updateOne({ _id: id }, { $set: { plan: 'PRO', planAsOf } });
    expect(await stage.planOf(id)).toBe('PRO');
    expect(await stage.publishAndWait(id, { plan: 'FREE', version: 2, at: '2030-03-01T00:00:00.000Z' })).toBe('FREE');
  });
});
