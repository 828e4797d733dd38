import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { driverCollection } from '@tautan/kit/mongo';
import { allowedMs, eventually, until } from '@tautan/kit/testing';
import { startPlanFixture, type PlanFixture } from './testing/plans.js';

let fixture: PlanFixture;
beforeAll(async () => {
  fixture = await startPlanFixture();
});
afterAll(() => fixture.stop());

describe('the plan of a subscription', () => {
  test('applies within a second, emits an event with the next version, and notifies the gateways', async () => {
    const [id, other] = [await fixture.create(), await fixture.create('BUSINESS')];
    const began = performance.now();
    expect(await fixture.publishAndWait(id, { plan: 'PRO', version: 1 })).toBe('PRO');
    expect(performance.now() - began).toBeLessThan(allowedMs(1_000));
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 2 })).toBe('BUSINESS');
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 3 })).toBe('FREE');
    expect(await fixture.planOf(other)).toBe('BUSINESS');
    await until(() => fixture.announced(id).length === 4);
    expect(fixture.announced(id)).toEqual([
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

  test('is that of the highest version, even if events are late, repeated or lost and clocks differ', async () => {
    const id = await fixture.create();
    expect(await fixture.publishAndWait(id, { plan: 'PRO', version: 2, at: '2030-03-01T00:00:00.000Z' })).toBe('PRO');
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 1, at: '2030-04-01T00:00:00.000Z' })).toBe(
      'PRO',
    );
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 2, at: '2030-04-01T00:00:00.000Z' })).toBe(
      'PRO',
    );
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 5, at: '2030-01-01T00:00:00.000Z' })).toBe(
      'BUSINESS',
    );
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 4, at: '2030-05-01T00:00:00.000Z' })).toBe(
      'BUSINESS',
    );
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 5 })).toBe('BUSINESS');
    await until(() => fixture.announced(id).length === 3);
    expect(fixture.announced(id).map(({ plan, version }) => [plan, version])).toEqual([
      ['FREE', 1],
      ['PRO', 2],
      ['BUSINESS', 3],
    ]);
  });

  test('is that of the latest event by time if an event carries no version', async () => {
    const id = await fixture.create();
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', at: '2030-02-01T00:00:00.000Z' })).toBe('BUSINESS');
    expect(await fixture.publishAndWait(id, { plan: 'PRO', at: '2030-01-01T00:00:00.000Z' })).toBe('BUSINESS');
    expect(await fixture.publishAndWait(id, { plan: 'PRO', version: 7, at: '2030-03-01T00:00:00.000Z' })).toBe('PRO');
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', at: '2030-02-02T00:00:00.000Z' })).toBe('PRO');
    expect(await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 6, at: '2030-04-01T00:00:00.000Z' })).toBe(
      'PRO',
    );
  });

  test('converges to that of the highest version when two replicas apply shuffled events', async () => {
    await fixture.startReplica();
    const ids = await Promise.all([1, 2, 3].map(() => fixture.create()));
    const versions = Array.from({ length: 20 }, (_, i) => i + 1);
    const storm = ids.flatMap((id) =>
      [...versions, ...versions].map((version) => ({ id, version, plan: ['PRO', 'BUSINESS', 'FREE'][version % 3]! })),
    );
    storm.sort(() => Math.random() - 0.5);
    const before = fixture.invalidated.length;
    await Promise.all(storm.map(({ id, ...fields }) => fixture.publish(id, fields)));
    await eventually(async () => {
      for (const id of ids) {
        const { subscription, plan } = (await fixture.models.workspaces.findById(id).lean())!;
        expect([subscription!.version, plan]).toEqual([20, 'FREE']);
      }
    });
    await until(() => ids.every((id) => fixture.invalidated.slice(before).includes(id)));
    for (const id of ids) {
      await eventually(() => expect(fixture.announced(id).at(-1)!.plan).toBe('FREE'));
      const published = fixture.announced(id);
      expect(published.map(({ version }) => version)).toEqual(published.map((_event, i) => i + 1));
    }
  });

  test('of a workspace that does not exist is ignored', async () => {
    const unknown = newId('ws');
    await fixture.publish(unknown, { plan: 'PRO', version: 1 });
    await until(() => fixture.invalidated.includes(unknown));
    expect(await fixture.models.deadLetters.countDocuments()).toBe(0);
  });
});

describe('an operator', () => {
  test('can assign a plan to a workspace and later remove the plan', async () => {
    const id = await fixture.create();
    expect(await fixture.setPlan(id, 'UNLIMITED')).toMatchObject({ id, plan: 'UNLIMITED' });
    expect(await fixture.setPlan(id, 'UNLIMITED')).toMatchObject({ plan: 'UNLIMITED' });
    expect(await fixture.setPlan(id, '')).toMatchObject({ plan: 'FREE' });
    expect(await fixture.planOf(id)).toBe('FREE');
    await until(() => fixture.announced(id).length === 3);
    expect(fixture.announced(id).map(({ plan, version }) => [plan, version])).toEqual([
      ['FREE', 1],
      ['UNLIMITED', 2],
      ['FREE', 3],
    ]);
  });

  test('can assign a plan that applies while the workspace has no live subscription', async () => {
    const id = await fixture.create('BUSINESS');
    expect(await fixture.publishAndWait(id, { plan: 'PRO', version: 1 })).toBe('PRO');
    expect(await fixture.setPlan(id, 'UNLIMITED')).toMatchObject({ plan: 'PRO' });
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 2 })).toBe('UNLIMITED');
  });

  test('must name a known plan and a known workspace', async () => {
    const id = await fixture.create();
    await expect(fixture.setPlan(id, 'GOLD')).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'plan' });
    await expect(fixture.setPlan(newId('ws'), 'PRO')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await fixture.planOf(id)).toBe('FREE');
  });
});

describe('a new DEFAULT_PLAN after a restart', () => {
  test('applies to every workspace without its own plan, emits events, and notifies the gateways', async () => {
    const assigned = await fixture.create('FREE');
    const canceled = await fixture.create();
    await fixture.publishAndWait(canceled, { plan: 'PRO', version: 1 });
    await fixture.publishAndWait(canceled, { plan: 'FREE', version: 2 });
    const withoutOwnPlan = [canceled, ...(await Promise.all(Array.from({ length: 60 }, () => fixture.create())))];
    const before = fixture.invalidated.length;
    await fixture.restart({ DEFAULT_PLAN: 'UNLIMITED' });
    expect(await fixture.planOf(withoutOwnPlan[7]!)).toBe('UNLIMITED');
    await until(() => withoutOwnPlan.every((id) => fixture.invalidated.slice(before).includes(id)));
    for (const id of withoutOwnPlan) {
      expect(await fixture.planOf(id)).toBe('UNLIMITED');
      await until(() => fixture.announced(id).at(-1)!.plan === 'UNLIMITED');
    }
    expect(fixture.announced(canceled).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(await fixture.planOf(assigned)).toBe('FREE');
    expect(fixture.invalidated.slice(before)).not.toContain(assigned);
    expect(await fixture.planOf(await fixture.create())).toBe('UNLIMITED');
    await fixture.restart({});
    await until(() => withoutOwnPlan.every((id) => fixture.announced(id).at(-1)!.plan === 'FREE'));
  });
});

describe('a record of an earlier version of the service', () => {
  const aRecord = async (plan: string, more: object = {}) => {
    const _id = newId('ws');
    const record = { name: 'Kopi', plan, linkCount: 0, qrCodeCount: 0, asOf: new Date(), createdAt: new Date() };
    await fixture.models.workspaces.collection.insertOne({ _id: _id as never, ...record, ...more });
    return _id;
  };
  const planAsOf = new Date('2030-02-01T00:00:00.000Z');

  test('gets a new DEFAULT_PLAN if its plan is FREE', async () => {
    const [plain, ended] = [await aRecord('FREE'), await aRecord('FREE', { planAsOf })];
    await fixture.restart({ DEFAULT_PLAN: 'UNLIMITED' });
    for (const id of [plain, ended]) {
      expect(await fixture.planOf(id)).toBe('UNLIMITED');
      await until(() => fixture.announced(id).length === 1);
      expect(fixture.announced(id)).toMatchObject([
        { version: 1, changes: { plan: { before: 'FREE', after: 'UNLIMITED' } } },
      ]);
    }
    await fixture.restart({});
  });

  test('keeps the plan of its subscription until a later event', async () => {
    const id = await aRecord('PRO', { planAsOf });
    await fixture.restart({ DEFAULT_PLAN: 'UNLIMITED' });
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 1, at: '2030-01-01T00:00:00.000Z' })).toBe('PRO');
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 3, at: '2030-03-01T00:00:00.000Z' })).toBe(
      'UNLIMITED',
    );
    await fixture.restart({});
  });

  test('keeps the plan assigned by an operator', async () => {
    const id = await aRecord('BUSINESS');
    expect(await fixture.publishAndWait(id, { plan: 'PRO', version: 1 })).toBe('PRO');
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 2 })).toBe('BUSINESS');
  });

  test('written during a rolling upgrade is compared with events by time', async () => {
    const id = await fixture.create();
    await fixture.publishAndWait(id, { plan: 'BUSINESS', version: 1, at: '2030-01-01T00:00:00.000Z' });
    await driverCollection(fixture.models.workspaces).updateOne({ _id: id }, { $set: { plan: 'PRO', planAsOf } });
    expect(await fixture.planOf(id)).toBe('PRO');
    expect(await fixture.publishAndWait(id, { plan: 'FREE', version: 2, at: '2030-03-01T00:00:00.000Z' })).toBe('FREE');
  });
});
