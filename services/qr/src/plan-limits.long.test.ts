import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { inTransaction } from '@tautan/kit/mongo';
import { until } from '@tautan/kit/testing';
import type { PlanName } from '@tautan/proto';
import fc from 'fast-check';
import { createCounters } from './store/usage.js';
import { aPrincipal, startService, type Caller, type TestService } from './testing/service.js';

const LIMITS = { FREE: 3, PRO: 20 };

let service: TestService;
beforeAll(async () => {
  const plan = (qrCodes: number) => JSON.stringify({ limits: { qrCodes } });
  service = await startService({
    PLAN_FREE: plan(LIMITS.FREE),
    PLAN_PRO: plan(LIMITS.PRO),
    ABANDONED_MS: '2000',
    LEASE_MS: '1500',
  });
  await service.addReplica();
});
afterEach(() => service.linkProxy.restore());
afterAll(() => service.stop());

const on = (plan: PlanName, workspaceId?: string): Caller => service.as(aPrincipal(workspaceId, { plan }));
const exceeded = { code: 'PLAN_LIMIT_EXCEEDED', field: 'qrCodes' };
const stored = (workspaceId: string) =>
  service.models.qrCodes.countDocuments({ workspaceId, state: { $in: ['begun', 'live'] } });

/** Returns the usage, and checks that it equals the number of stored QR codes. */
async function exactUsage({ usage, workspaceId }: Caller): Promise<number | undefined> {
  const used = await usage();
  expect(used).toBe(await stored(workspaceId));
  const drift = await createCounters(service.models).drift({ workspaceId, limit: 'qrCodes' });
  expect(drift).toBe(0);
  return used;
}

const concurrently = (times: number, work: () => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: times }, work));

describe('the QR code limit', () => {
  test('grants the last place to exactly one of 200 concurrent creations on two replicas', async () => {
    const caller = on('PRO');
    for (let i = 1; i < LIMITS.PRO; i += 1) await caller.aCode();
    const results = await concurrently(200, () => caller.aCode());
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    expect(refused).toHaveLength(199);
    for (const error of refused) expect(error).toMatchObject(exceeded);
    expect(refused[0]!.message).toBe(
      'The PRO plan limits QR codes to 20 (in use: 20). Upgrade the plan to create more.',
    );
    expect(await exactUsage(caller)).toBe(LIMITS.PRO);
    expect((await caller.call('ListQrCodes', { limit: 200, tags: [] })).qrCodes).toHaveLength(LIMITS.PRO);
  });

  test('grants only the remaining places to concurrent creations, and counts codes that existed before the counter', async () => {
    const caller = on('FREE');
    await caller.aCode();
    await service.models.usageCounters.deleteMany({});
    const results = await concurrently(10, () => caller.aCode());
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await exactUsage(caller)).toBe(3);
  });

  test('leaves codes above a lowered limit usable, and rejects creations until usage is below it', async () => {
    const { aCode, workspaceId } = on('PRO');
    const codes = [];
    for (let i = 0; i < LIMITS.FREE + 2; i += 1) codes.push(await aCode());
    const free = on('FREE', workspaceId);
    for (const { id, slug } of codes) {
      expect(await free.get(id)).toMatchObject({ id });
      expect(await service.scan(slug)).toBe(302);
    }
    expect(await free.update(codes[0]!.id, { title: 'Changed' })).toMatchObject({ title: 'Changed' });
    for (const { id } of codes.slice(0, 3)) {
      await expect(free.aCode()).rejects.toMatchObject(exceeded);
      await free.call('DeleteQrCode', { id });
    }
    expect(await exactUsage(free)).toBe(LIMITS.FREE - 1);
    await free.aCode();
    await expect(free.aCode()).rejects.toMatchObject(exceeded);
    expect(await exactUsage(free)).toBe(LIMITS.FREE);
  });

  test('counts concurrent deletions of a code as one', async () => {
    const caller = on('FREE');
    const [{ id }] = [await caller.aCode(), await caller.aCode()];
    const results = await concurrently(10, () => caller.call('DeleteQrCode', { id }));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await exactUsage(caller)).toBe(1);
  });

  test('does not count rejected creations', async () => {
    const caller = on('FREE');
    await caller.aCode();
    const bad = [
      { linkId: newId('lnk') },
      { url: 'ftp://example.com' },
      { url: 'https://go.example.com/loop' },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { styleConfig: JSON.stringify({ size: 64, margin: 16 }) },
      { logoRunRef: newId('lgo') },
      { tags: Array.from({ length: 21 }, (_, i) => `tag ${i}`) },
    ];
    for (const fields of bad)
      await expect(caller.aCode(fields)).rejects.toMatchObject({ code: expect.not.stringMatching('PLAN|SERVICE') });
    expect(await exactUsage(caller)).toBe(1);
    const results = await concurrently(40, () =>
      on('UNLIMITED', caller.workspaceId).aCode({ url: 'ftp://example.com' }),
    );
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'VALIDATION_ERROR', field: 'url' } });
    expect(await exactUsage(caller)).toBe(1);
  });

  test('counts a retried creation once, and never rejects the retry', async () => {
    const caller = on('FREE');
    for (let i = 1; i < LIMITS.FREE; i += 1) await caller.aCode();
    const operationId = newUlid();
    const results = await concurrently(20, () => caller.aCode({ operationId }));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).not.toMatchObject(exceeded);
    expect(await caller.aCode({ operationId })).toMatchObject({ id: `qr_${operationId}` });
    expect(await exactUsage(caller)).toBe(LIMITS.FREE);
    await expect(caller.aCode({ operationId: newUlid() })).rejects.toMatchObject(exceeded);
  });

  test('no longer counts an abandoned creation after it has been undone', async () => {
    const caller = on('FREE');
    service.linkProxy.failOn('PutQrRoute', 'after');
    await expect(caller.aCode()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await exactUsage(caller)).toBe(1);
    service.linkProxy.restore();
    await until(async () => (await caller.usage()) === 0);
    expect(await exactUsage(caller)).toBe(0);
  });
});

describe('a creation or deletion whose caller has given up', () => {
  test('is dropped if it has not started', async () => {
    const caller = on('PRO');
    const { id } = await caller.aCode();
    const hasty = service.as(caller.by, 300);
    let results: Promise<PromiseSettledResult<unknown>[]> | undefined;
    // On each replica, one creation waits for the counter, so that later ones queue behind it.
    await inTransaction(service.connection, 5_000, async (session) => {
      const counter = { _id: `${caller.workspaceId}/qrCodes` };
      await service.models.usageCounters.updateOne(counter, { $inc: { used: 1 } }, { session });
      const patient = concurrently(2, () => caller.aCode());
      await new Promise((resolve) => setTimeout(resolve, 100));
      const late = await Promise.all([
        concurrently(10, () => hasty.aCode()),
        concurrently(2, () => hasty.call('DeleteQrCode', { id })),
      ]);
      for (const each of late.flat())
        expect(each).toMatchObject({ reason: { code: expect.stringMatching(/^(SERVICE_UNAVAILABLE|TIMEOUT)$/) } });
      results = patient;
      await service.models.usageCounters.updateOne(counter, { $inc: { used: -1 } }, { session });
    });
    for (const each of await results!) expect(each).toMatchObject({ status: 'fulfilled' });
    await caller.aCode();
    expect(await caller.get(id)).toMatchObject({ id });
    expect(await exactUsage(caller)).toBe(4);
  });
});

describe('a creation or deletion whose database connection breaks', () => {
  test.each(['findAndModify', 'insert', 'commitTransaction', 'update', 'delete'])(
    'during %s keeps the usage equal to the number of stored QR codes',
    async (command) => {
      const caller = on('UNLIMITED');
      const { id } = await caller.aCode();
      const admin = service.connection.getClient().db('admin');
      const data = { failCommands: [command], closeConnection: true, appName: 'qr' };
      await admin.command({ configureFailPoint: 'failCommand', mode: { activationProbability: 0.3 }, data });
      await concurrently(12, () => caller.aCode());
      await concurrently(3, () => caller.aCode({ url: 'ftp://example.com' }));
      await concurrently(2, () => caller.call('DeleteQrCode', { id }));
      await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
      await until(
        async () => !(await service.models.qrCodes.exists({ workspaceId: caller.workspaceId, dueAt: { $ne: null } })),
      );
      await exactUsage(caller);
    },
  );
});

type Step = { kind: 'create' | 'burst' | 'refused'; plan: PlanName } | { kind: 'delete' | 'repeat'; which: number };
const kinds = <K extends string>(...names: K[]) => fc.constantFrom<K>(...names);
const plan = kinds<PlanName>('FREE', 'PRO', 'UNLIMITED');
const creation = fc.record({ kind: kinds('create', 'create', 'burst', 'refused'), plan });
const other = fc.record({ kind: kinds('delete', 'delete', 'repeat'), which: fc.nat() });
const steps = fc.array(fc.oneof<fc.Arbitrary<Step>[]>(creation, other), { maxLength: 12, size: 'max' });
const BURST = 4;

/** The expected QR codes of a workspace. */
class Model {
  readonly ids: string[] = [];
  readonly operations = new Map<string, string>();
  constructor(readonly workspaceId = newId('ws')) {}

  async apply(step: Step): Promise<void> {
    if ('which' in step) return step.kind === 'delete' ? this.#delete(step.which) : this.#repeat(step.which);
    const { kind, plan } = step;
    const caller = on(plan, this.workspaceId);
    const limit = plan === 'FREE' || plan === 'PRO' ? LIMITS[plan] : Infinity;
    const room = Math.max(0, limit - this.ids.length);
    if (kind === 'refused') {
      const refused = room > 0 ? { code: 'VALIDATION_ERROR', field: 'linkId' } : exceeded;
      await expect(caller.aCode({ linkId: newId('lnk') })).rejects.toMatchObject(refused);
      return;
    }
    const wanted = kind === 'burst' ? BURST : 1;
    const operations = Array.from({ length: wanted }, () => newUlid());
    const results = await Promise.allSettled(operations.map((operationId) => caller.aCode({ operationId })));
    const granted = Math.min(wanted, room);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(granted);
    for (const [i, result] of results.entries()) {
      if (result.status === 'fulfilled') {
        this.ids.push(result.value.id);
        this.operations.set(result.value.id, operations[i]!);
      } else expect(result.reason).toMatchObject(exceeded);
    }
  }

  async #delete(which: number): Promise<void> {
    const [id] = this.ids.splice(which % Math.max(1, this.ids.length), 1);
    if (id) await on('FREE', this.workspaceId).call('DeleteQrCode', { id });
  }

  async #repeat(which: number): Promise<void> {
    const id = this.ids[which % Math.max(1, this.ids.length)];
    if (id)
      expect(await on('FREE', this.workspaceId).aCode({ operationId: this.operations.get(id)! })).toMatchObject({ id });
  }
}

test('usage equals the model after any sequence of creations, rejections, retries, deletions and plan changes', async () => {
  const property = fc.asyncProperty(steps, async (sequence) => {
    const model = new Model();
    for (const step of sequence) await model.apply(step);
    expect(await exactUsage(on('FREE', model.workspaceId))).toBe(model.ids.length);
  });
  await fc.assert(property, { numRuns: 15 });
}, 120_000);
