import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { inTransaction } from '@tautan/kit/mongo';
import type { PlanName } from '@tautan/proto';
import fc from 'fast-check';
import { createCounters } from './store/usage.js';
import { aPrincipal, startService, type Caller, type TestService } from './testing/service.js';

const LIMITS = { FREE: 2, PRO: 5 };

let service: TestService;
beforeAll(async () => {
  service = await startService({ PLAN_FREE: JSON.stringify({ limits: { webhookEndpoints: LIMITS.FREE } }) });
  await service.addReplica();
});
afterAll(() => service.stop());

const on = (plan: PlanName, workspaceId?: string): Caller => service.as(aPrincipal(workspaceId, { plan }));
const exceeded = { code: 'PLAN_LIMIT_EXCEEDED', field: 'webhookEndpoints' };
let last = 0;
const aUrl = (): string => `https://hooks.example.com/${(last += 1)}`;
const settled = <T>(times: number, work: () => Promise<T>) => Promise.allSettled(Array.from({ length: times }, work));
const reasons = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));

/** Returns the usage, and checks that it equals the number of stored endpoints. */
async function exactUsage({ usage, workspaceId }: Caller): Promise<number | undefined> {
  const used = await usage();
  expect(used).toBe(await service.models.endpoints.countDocuments({ workspaceId }));
  const drift = await createCounters(service.models).drift({ workspaceId, limit: 'webhookEndpoints' });
  expect(drift).toBe(0);
  return used;
}

describe('the webhook endpoint limit', () => {
  test('grants the last place to exactly one of 200 concurrent creations on two replicas', async () => {
    const caller = on('PRO');
    for (let i = 1; i < LIMITS.PRO; i += 1) await caller.anEndpoint(aUrl());
    const started = performance.now();
    const refused = reasons(await settled(200, () => caller.anEndpoint(aUrl())));
    // Takes about one second on an idle machine. Other tests can run at the same time.
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(refused).toHaveLength(199);
    for (const error of refused) expect(error).toMatchObject(exceeded);
    expect(refused[0]!.message).toBe(
      'The PRO plan limits webhook endpoints to 5 (in use: 5). Upgrade the plan to create more.',
    );
    expect(await exactUsage(caller)).toBe(LIMITS.PRO);
  });

  test('leaves endpoints above a lowered limit usable, and rejects creations until usage is below it', async () => {
    const paid = on('PRO');
    const ids: string[] = [];
    for (let i = 0; i < LIMITS.FREE + 1; i += 1) ids.push((await paid.anEndpoint(aUrl())).id);
    const free = on('FREE', paid.workspaceId);
    expect((await free.call('ListEndpoints', {})).endpoints).toHaveLength(3);
    expect(await free.call('UpdateEndpoint', { id: ids[0]!, active: false })).toMatchObject({ active: false });
    for (const id of ids.slice(0, 2)) {
      await expect(free.anEndpoint(aUrl())).rejects.toMatchObject(exceeded);
      await free.call('DeleteEndpoint', { id });
    }
    expect(await exactUsage(free)).toBe(1);
    await free.anEndpoint(aUrl());
    await expect(free.anEndpoint(aUrl())).rejects.toMatchObject(exceeded);
  });

  test('counts endpoints that existed before the counter', async () => {
    const caller = on('FREE');
    await caller.anEndpoint(aUrl());
    await service.models.usageCounters.deleteMany({});
    expect(await exactUsage(caller)).toBe(1);
    expect(reasons(await settled(4, () => caller.anEndpoint(aUrl())))).toHaveLength(3);
    expect(await exactUsage(caller)).toBe(2);
  });

  test('counts one of many creations with the same URL; the others report ENDPOINT_EXISTS, even at the limit', async () => {
    const caller = on('FREE');
    const url = aUrl();
    await caller.anEndpoint(aUrl());
    const refused = reasons(await settled(20, () => caller.anEndpoint(url)));
    expect(refused).toHaveLength(19);
    for (const error of refused) expect(error).toMatchObject({ code: 'ENDPOINT_EXISTS', field: 'url' });
    expect(await exactUsage(caller)).toBe(LIMITS.FREE);
    await expect(caller.anEndpoint(aUrl())).rejects.toMatchObject(exceeded);
  });

  test('does not count rejected creations, and counts each deletion once', async () => {
    const caller = on('PRO');
    const { id } = await caller.anEndpoint(aUrl());
    await expect(caller.anEndpoint('https://10.0.0.1/')).rejects.toMatchObject({ field: 'url' });
    await expect(caller.anEndpoint(aUrl(), ['link.made'])).rejects.toMatchObject({ field: 'events' });
    const member = service.as(aPrincipal(caller.workspaceId, { kind: 'user', role: 'member' }));
    await expect(member.anEndpoint(aUrl())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await exactUsage(caller)).toBe(1);
    const refused = reasons(await settled(10, () => caller.call('DeleteEndpoint', { id })));
    expect(refused).toHaveLength(9);
    expect(await exactUsage(caller)).toBe(0);
  });

  test('is not consumed by a creation whose caller gave up before it started', async () => {
    const caller = on('UNLIMITED');
    await caller.anEndpoint(aUrl());
    const hasty = service.as(caller.by, 300);
    let patient: Promise<PromiseSettledResult<unknown>[]> | undefined;
    // On each replica, one creation waits for the counter, so that later ones queue behind it.
    await inTransaction(service.connection, 5_000, async (session) => {
      const counter = { _id: `${caller.workspaceId}/webhookEndpoints` };
      await service.models.usageCounters.updateOne(counter, { $inc: { used: 1 } }, { session });
      patient = settled(2, () => caller.anEndpoint(aUrl()));
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const error of reasons(await settled(10, () => hasty.anEndpoint(aUrl()))))
        expect(error).toMatchObject({ code: expect.stringMatching(/^(SERVICE_UNAVAILABLE|TIMEOUT)$/) });
      await service.models.usageCounters.updateOne(counter, { $inc: { used: -1 } }, { session });
    });
    expect(reasons(await patient!)).toEqual([]);
    await caller.anEndpoint(aUrl());
    expect(await exactUsage(caller)).toBe(4);
  });

  test.each(['findAndModify', 'insert', 'delete', 'update', 'commitTransaction'])(
    'has an exact usage counter, even if connections break during %s',
    async (command) => {
      const caller = on('UNLIMITED');
      const { id } = await caller.anEndpoint(aUrl());
      const admin = service.connection.getClient().db('admin');
      const data = { failCommands: [command], closeConnection: true, appName: 'webhooks' };
      await admin.command({ configureFailPoint: 'failCommand', mode: { activationProbability: 0.3 }, data });
      await settled(12, () => caller.anEndpoint(aUrl()));
      await settled(2, () => caller.call('DeleteEndpoint', { id }));
      await admin.command({ configureFailPoint: 'failCommand', mode: 'off' });
      await exactUsage(caller);
    },
  );
});

type Step = { kind: 'create' | 'burst'; plan: PlanName } | { kind: 'delete' | 'duplicate'; index: number };
const kinds = <K extends string>(...names: K[]) => fc.constantFrom<K>(...names);
const plan = kinds<PlanName>('FREE', 'PRO', 'UNLIMITED');
const creation = fc.record({ kind: kinds('create', 'create', 'burst'), plan });
const other = fc.record({ kind: kinds('delete', 'delete', 'duplicate'), index: fc.nat() });
const steps = fc.array(fc.oneof<fc.Arbitrary<Step>[]>(creation, other), { maxLength: 15, size: 'max' });
const BURST = 4;

/** The expected endpoints of a workspace. */
class Model {
  readonly endpoints: { id: string; url: string }[] = [];
  readonly workspaceId = newId('ws');

  async apply(step: Step): Promise<void> {
    if ('plan' in step) return this.#create(step.plan, step.kind === 'burst' ? BURST : 1);
    const endpoint = this.endpoints[step.index % Math.max(1, this.endpoints.length)];
    if (!endpoint) return;
    const caller = on('FREE', this.workspaceId);
    if (step.kind === 'duplicate') {
      await expect(caller.anEndpoint(endpoint.url)).rejects.toMatchObject({ code: 'ENDPOINT_EXISTS' });
      return;
    }
    await caller.call('DeleteEndpoint', { id: endpoint.id });
    this.endpoints.splice(this.endpoints.indexOf(endpoint), 1);
  }

  async #create(plan: PlanName, wanted: number): Promise<void> {
    const limit = plan === 'FREE' || plan === 'PRO' ? LIMITS[plan] : Infinity;
    const room = Math.max(0, limit - this.endpoints.length);
    const results = await settled(wanted, () => on(plan, this.workspaceId).anEndpoint(aUrl()));
    for (const each of results) if (each.status === 'fulfilled') this.endpoints.push(each.value);
    const refused = reasons(results);
    expect(refused).toHaveLength(wanted - Math.min(wanted, room));
    for (const error of refused) expect(error).toMatchObject(exceeded);
  }
}

test('usage equals the model after any sequence of creations, deletions, duplicate creations and plan changes', async () => {
  const property = fc.asyncProperty(steps, async (sequence) => {
    const model = new Model();
    for (const step of sequence) await model.apply(step);
    expect(await exactUsage(on('FREE', model.workspaceId))).toBe(model.endpoints.length);
  });
  await fc.assert(property, { numRuns: 15 });
}, 120_000);
