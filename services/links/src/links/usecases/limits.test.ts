import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, newUlid, type Principal } from '@tautan/kit';
import { allowedMs } from '@tautan/kit/testing';
import { openDeps } from '../../testing/deps.js';
import { startReplica } from '../../testing/replica.js';
import { aPrincipal, startService, type Caller, type TestService } from '../../testing/service.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { getUsage } from './get-usage.js';
import { importLinks } from './import-links.js';
import { usageCounters } from '../store/usage.js';

const LIMIT = 6;
/** Maximum duration of 200 concurrent creations, milliseconds. */
const MAX_MS = allowedMs(3_000);
const url = 'https://example.com/';

let service: TestService;
let replicas: Awaited<ReturnType<typeof startReplica>>[];
beforeAll(async () => {
  const PLAN_PRO = JSON.stringify({ limits: { links: LIMIT, domains: LIMIT } });
  const PLAN_FREE = JSON.stringify({ limits: { links: 2, domains: 1 } });
  service = await startService({ PLAN_PRO, PLAN_FREE, MAX_TAGS: '4', MAX_PENDING_DOMAINS: '8' });
  replicas = [await startReplica(service.settings), await startReplica(service.settings)];
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await service.stop();
});

const onPlan = (plan: Principal['plan'], workspaceId = newId('ws')): Caller =>
  service.as(aPrincipal(workspaceId, { plan }));
const usageOf = async (caller: Caller) => (await caller.usage('GetUsage', {})).used;
const exceeded = (field: string) => ({ code: 'PLAN_LIMIT_EXCEEDED', field });

interface Attempt {
  ms: number;
  error?: { code: string; field: string };
}

async function timed(work: Promise<unknown>): Promise<Attempt> {
  const began = performance.now();
  const error = await work.then(
    () => undefined,
    (reason: Attempt['error']) => reason,
  );
  return { ms: performance.now() - began, ...(error && { error }) };
}

describe.each([
  {
    limit: 'links',
    create: (caller: ReturnType<(typeof replicas)[0]['as']>, i: number) =>
      caller.createLink({ tags: ['shared'], ...(i % 2 && { slug: newUlid() }) }),
    existing: (workspaceId: string) => service.models.links.countDocuments({ workspaceId }),
  },
  {
    limit: 'domains',
    create: (caller: ReturnType<(typeof replicas)[0]['as']>) => caller.addDomain(`d${newUlid()}.example.org`),
    existing: (workspaceId: string) => service.models.domains.countDocuments({ workspaceId }),
  },
])('the limit of $limit', ({ limit, create, existing }) => {
  test('allows exactly one of 200 concurrent creations on two replicas if there is room for only one', async () => {
    const by = aPrincipal(undefined, { plan: 'PRO' });
    const callers = replicas.map((replica) => replica.as(by));
    for (let i = 1; i < LIMIT; i += 1) await create(callers[0]!, i);
    const attempts = await Promise.all(Array.from({ length: 200 }, (_, i) => timed(create(callers[i % 2]!, i))));
    const refused = attempts.flatMap(({ error }) => error ?? []);
    expect(refused).toHaveLength(199);
    for (const error of refused) expect(error).toMatchObject(exceeded(limit));
    expect(Math.max(...attempts.map(({ ms }) => ms))).toBeLessThan(MAX_MS);
    expect(await existing(by.workspaceId)).toBe(LIMIT);
    expect((await callers[1]!.usage())[limit]).toBe(LIMIT);
  });

  test('depends on the plan of the request', async () => {
    const workspaceId = newId('ws');
    const [free, pro] = (['FREE', 'PRO'] as const).map((plan) => replicas[0]!.as(aPrincipal(workspaceId, { plan })));
    for (let i = 0; i < LIMIT; i += 1) await create(pro!, i);
    await expect(create(free!, 0)).rejects.toMatchObject({
      ...exceeded(limit),
      message: expect.stringContaining('FREE plan'),
    });
    await create(replicas[0]!.as(aPrincipal(workspaceId, { plan: 'UNLIMITED' })), 1);
    expect((await free!.usage())[limit]).toBe(LIMIT + 1);
  });
});

test('200 concurrent creations with a shared new tag, on two replicas, all succeed within 3 s', async () => {
  const by = aPrincipal();
  const callers = replicas.map((replica) => replica.as(by));
  const attempts = await Promise.all(
    Array.from({ length: 200 }, (_, i) => timed(callers[i % 2]!.createLink({ tags: ['Herd'] }))),
  );
  expect(attempts.filter(({ error }) => error)).toEqual([]);
  expect(Math.max(...attempts.map(({ ms }) => ms))).toBeLessThan(MAX_MS);
  const tag = await service.models.tags.findOne({ workspaceId: by.workspaceId }).lean();
  expect(tag).toMatchObject({ name: 'Herd', linkCount: 200 });
  expect((await callers[0]!.usage())['links']).toBe(200);
});

describe('links per month', () => {
  test('are limited by the plan of each request, even if concurrent requests have different plans', async () => {
    const workspaceId = newId('ws');
    const [free, pro] = [onPlan('FREE', workspaceId), onPlan('PRO', workspaceId)];
    for (let i = 0; i < 2; i += 1) await pro.aLink();
    const outcomes = await Promise.allSettled([pro, free, pro, free].map(({ aLink }) => aLink()));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  });

  test('include deleted links that were imported with an earlier creation time, but not deleted links of earlier months', async () => {
    const caller = onPlan('PRO');
    const { workspaceId } = caller;
    const rows = [{ link: { url }, createdAt: '2015-01-01T00:00:00Z' }];
    const { id: imported } = (await caller.links('ImportLinks', { links: rows })).results[0]!;
    const { id: older } = await caller.aLink();
    const { models } = service;
    const { countedIn: month } = (await models.links.findById(older).lean())!;
    const counters = usageCounters(models, models.links.db);
    await models.links.updateOne({ _id: older }, { countedIn: '2020-01' });
    await counters.drift({ workspaceId, limit: 'links', month }, true);
    for (const id of [imported!, older]) {
      await caller.links('DeleteLink', { id });
      expect(await counters.drift({ workspaceId, limit: 'links', month })).toBe(0);
    }
    expect(await counters.ids({ workspaceId, limit: 10 })).not.toContain(`${workspaceId}/links/2020-01`);
    expect(await usageOf(caller)).toMatchObject({ links: 1 });
  });

  test('include deleted links', async () => {
    const caller = onPlan('FREE');
    const { id } = await caller.aLink();
    await caller.aLink();
    await caller.links('DeleteLink', { id });
    await expect(caller.aLink()).rejects.toMatchObject({
      ...exceeded('links'),
      message: 'The FREE plan limits links per month to 2 (in use: 2). Upgrade the plan to create more.',
    });
    expect(await usageOf(caller)).toMatchObject({ links: 2 });
  });

  test('are counted once for a repeated operation, even when the limit is reached', async () => {
    const caller = onPlan('FREE');
    const operationId = newUlid();
    await caller.aLink();
    const link = await caller.aLink({ operationId });
    expect(await caller.aLink({ operationId })).toEqual(link);
    expect(await usageOf(caller)).toMatchObject({ links: 2 });
  });

  test('are not counted for rejected requests', async () => {
    const caller = onPlan('FREE');
    await service.as().aLink({ slug: 'taken-by-others' });
    await expect(caller.aLink({ slug: 'taken-by-others' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    await expect(caller.aLink({ domain: 'nobody.example' })).rejects.toMatchObject({ field: 'domain' });
    expect(await usageOf(caller)).toMatchObject({ links: 0 });
  });

  test('are counted in the current month even if an imported link has an earlier creation time', async () => {
    const caller = onPlan('FREE');
    const rows = [{ link: { url }, createdAt: '2015-01-01T00:00:00Z' }];
    await caller.links('ImportLinks', { links: rows });
    expect(await usageOf(caller)).toMatchObject({ links: 1 });
  });
});

describe('an import', () => {
  const rows = [
    { link: { url } },
    { link: { url: 'nonsense' } },
    ...Array.from({ length: 9 }, () => ({ link: { url } })),
  ];

  test.each([true, false])('rejects the rows beyond the limit individually (dry run: %s)', async (dryRun) => {
    const caller = onPlan('PRO');
    await caller.aLink();
    const { results, created, failed } = await caller.links('ImportLinks', { dryRun, links: rows });
    expect([created, failed]).toEqual(dryRun ? [0, 6] : [5, 6]);
    const codes = results.map(({ status, error }) => (status === 'failed' ? `${error!.code} ${error!.field}` : status));
    const [valid, refused] = [dryRun ? 'valid' : 'created', 'PLAN_LIMIT_EXCEEDED links'];
    expect(codes).toEqual([
      valid,
      'VALIDATION_ERROR url',
      valid,
      valid,
      valid,
      valid,
      ...Array<string>(5).fill(refused),
    ]);
    expect(results.at(-1)!.error!.message).toContain(`(in use: ${LIMIT})`);
    expect(await usageOf(caller)).toMatchObject({ links: dryRun ? 1 : LIMIT });
  });

  test.each([true, false])('rejects all rows if the workspace exceeds the limit (dry run: %s)', async (dryRun) => {
    const workspaceId = newId('ws');
    for (let i = 0; i < 4; i += 1) await onPlan('PRO', workspaceId).aLink();
    const links = Array.from({ length: 3 }, () => ({ link: { url } }));
    const { results } = await onPlan('FREE', workspaceId).links('ImportLinks', { dryRun, links });
    const error = { ...exceeded('links'), message: expect.stringContaining('(in use: 4)') };
    expect(results).toMatchObject(links.map(() => ({ status: 'failed', error })));
  });

  test.each([true, false])('rejects the rows with too many new tags individually (dry run: %s)', async (dryRun) => {
    const caller = onPlan('UNLIMITED');
    await caller.aLink({ tags: ['1', '2'] });
    const links = [['1', '3', '4'], ['3', '5'], ['4', '2'], []].map((tags) => ({ link: { url, tags } }));
    const { results } = await caller.links('ImportLinks', { dryRun, links });
    const fine = { status: dryRun ? 'valid' : 'created' };
    const refused = { status: 'failed', error: { code: 'VALIDATION_ERROR', field: 'tags' } };
    expect(results).toMatchObject([fine, refused, fine, fine]);
  });

  test('that is retried while the first attempt still runs returns the links of the first attempt', async () => {
    const caller = onPlan('FREE');
    const operationId = newUlid();
    const rows = [{ link: { url, tags: [] } }, { link: { url, tags: [] } }];
    const opened = await openDeps(service.settings);
    // The first attempt runs after the second one has checked its rows, and before it writes them.
    let first: Promise<object> | undefined;
    const inOrder: ApiDeps['inOrder'] = async (key, work) => {
      await (first ??= caller.links('ImportLinks', { links: rows, operationId }));
      return opened.deps.inOrder(key, work);
    };
    const links = rows.map((row) => ({ ...row, error: null }));
    const deps = { ...opened.deps, inOrder };
    const second = await importLinks(deps, caller.by, { dryRun: false, links, operationId });
    await opened.close();
    expect(second).toMatchObject({ created: 2, failed: 0 });
    expect(await first).toMatchObject({ results: second.results });
  });

  test('that is retried returns the results of the first attempt, even when the limit is reached', async () => {
    const caller = onPlan('FREE');
    const input = { operationId: newUlid(), links: [{ link: { url } }, { link: { url } }, { link: { url } }] };
    const first = await caller.links('ImportLinks', input);
    expect(await caller.links('ImportLinks', input)).toEqual(first);
    expect(first).toMatchObject({ created: 2, failed: 1 });
  });
});

test('the usage includes the clicks of the current month, of all partitions', async () => {
  const { by, workspaceId } = onPlan('FREE');
  const clicks = { '2030-01/0': 1, '2030-02/0': 2, '2030-02/15': 4 };
  const rows = Object.entries(clicks).map(([key, used]) => ({ _id: `${workspaceId}/${key}`, used }));
  await service.models.clickUsage.insertMany(rows.map((row) => ({ ...row, expireAt: new Date('2090-01-01') })));
  const opened = await openDeps(service.settings, { now: () => new Date('2030-02-01T00:00:00Z') });
  const usage = await getUsage(opened.deps, by).finally(() => opened.close());
  expect(usage).toEqual({ links: 0, domains: 0, clicks: 6 });
});

test('a deleted domain no longer counts toward the limit', async () => {
  const caller = onPlan('FREE');
  const { id } = await caller.domains('AddDomain', { domain: `a${newUlid()}.example.org` });
  const another = { domain: `b${newUlid()}.example.org` };
  await expect(caller.domains('AddDomain', another)).rejects.toMatchObject(exceeded('domains'));
  await caller.domains('DeleteDomain', { id });
  await caller.domains('AddDomain', another);
  expect(await usageOf(caller)).toMatchObject({ domains: 1 });
});

test('the maximum numbers of tags and pending domains apply to every plan, and the errors name the field', async () => {
  const caller = onPlan('UNLIMITED');
  await caller.aLink({ tags: ['1', '2', '3', '4'] });
  const tooMany = {
    code: 'VALIDATION_ERROR',
    message: 'A workspace can have at most 4 tags. Delete unused tags first.',
  };
  await expect(caller.aLink({ tags: ['4', '5'] })).rejects.toMatchObject({ ...tooMany, field: 'tags' });
  await expect(caller.tags('CreateTag', { name: '5' })).rejects.toMatchObject({ ...tooMany, field: 'name' });
  const add = () => caller.domains('AddDomain', { domain: `c${newUlid()}.example.org` });
  for (let i = 0; i < 8; i += 1) await add();
  await expect(add()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'domain' });
  expect(await usageOf(caller)).toMatchObject({ links: 1, domains: 8 });
});

test('when calls time out, only the links that were created are counted', async () => {
  const by = aPrincipal();
  const busy = Array.from({ length: 60 }, () => replicas[0]!.as(by).createLink({ tags: ['busy'] }));
  // With a timeout of 1 ms.
  const late = Array.from({ length: 40 }, () => replicas[0]!.as(by, 1).createLink({ slug: `late-${newUlid()}` }));
  const outcomes = await Promise.allSettled(late);
  await Promise.all(busy);
  const failed = outcomes.filter(({ status }) => status === 'rejected').length;
  expect(failed).toBeGreaterThan(0);
  const created = await service.models.links.countDocuments({ workspaceId: by.workspaceId, slug: /^late-/ });
  const counted = (await replicas[0]!.as(by).usage())['links'];
  expect(counted).toBe(60 + created);
});
