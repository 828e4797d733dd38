import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, newId, Registry } from '@tautan/kit';
import { Outbox } from '@tautan/kit/mongo';
import { until } from '@tautan/kit/testing';
import { monthOf, startOfMonth } from '@tautan/plans/usage';
import { parseEvent, withOverrides, type PlanName, type TautanEvent } from '@tautan/proto';
import { ClickUsageStore } from './store/click-usage.js';
import { PlanStore } from './store/plans.js';
import { StatsStore } from './store/stats.js';
import { UsageNoticeStore } from './store/usage-notices.js';
import { aClickBatch, unlimitedRetention } from '../testing/clicks.js';
import { startFixture, type Fixture } from '../testing/redirects.js';
import { applyBatches } from './apply-batches.js';
import { ClickThresholds } from './click-thresholds.js';

const log = createLog('test', 'silent');
const plans = withOverrides({ FREE: { limits: { clicks: 10 } }, PRO: { limits: { clicks: 50 } } });

let fixture: Fixture;
let outbox: Outbox;
let events: TautanEvent[];
let replicas: ClickThresholds[];
let now = new Date();

beforeAll(async () => {
  fixture = await startFixture();
  const { models, bus } = fixture;
  outbox = new Outbox({ connection: models.links.db, bus, log, registry: new Registry() });
  await outbox.prepare();
  events = [];
  bus.listen('events.usage.>', (message) => {
    const event = parseEvent(message);
    if (!events.some(({ id }) => id === event.id)) events.push(event);
  });
  replicas = [0, 1].map(
    () =>
      new ClickThresholds({
        clickUsage: new ClickUsageStore(models),
        planStore: new PlanStore(models, unlimitedRetention),
        plans,
        notices: new UsageNoticeStore(models),
        transact: outbox.transact,
        ready: () => false,
        log,
        now: () => now,
        everyMs: 60_000,
      }),
  );
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await outbox.stop();
  await fixture.stop();
});

/** Counts clicks of a workspace in batches of `size`, on both replicas alternately. */
async function click(workspace: string, clicks: number, { size = 1, bot = false } = {}) {
  const { models } = fixture;
  const deps = {
    models,
    connection: models.links.db,
    stats: new StatsStore(models),
    plans: new PlanStore(models, unlimitedRetention),
  };
  const link = newId('lnk');
  for (let counted = 0; counted < clicks; counted += size) {
    const replica = replicas[(counted / size) % 2]!;
    const batch = aClickBatch(
      Array.from({ length: size }, (_, i) => ({ link, workspace, at: now.getTime(), visitor: `${counted + i}`, bot })),
    );
    await applyBatches({ ...deps, onCounted: (added) => replica.record(added) }, [batch]);
    await replica.check();
  }
}

async function aWorkspaceOn(plan: PlanName): Promise<string> {
  const workspaceId = newId('ws');
  await new PlanStore(fixture.models, unlimitedRetention).record(workspaceId, plan, 1);
  return workspaceId;
}

const reached = (workspaceId: string) =>
  events
    .filter((event) => event.workspaceId === workspaceId)
    .map(({ data }) => data as { threshold: number; used: number; max: number });

test('emits an event at 80% and at 100%, each exactly once across replicas', async () => {
  const workspaceId = await aWorkspaceOn('FREE');
  await click(workspaceId, 7);
  expect(reached(workspaceId)).toEqual([]);
  await click(workspaceId, 13);
  await until(() => reached(workspaceId).length === 2);
  await Promise.all(replicas.map((replica) => replica.check()));
  expect(reached(workspaceId)).toEqual([
    { limit: 'clicks', period: monthOf(now), threshold: 80, used: 8, max: 10, plan: 'FREE' },
    { limit: 'clicks', period: monthOf(now), threshold: 100, used: 10, max: 10, plan: 'FREE' },
  ]);
  const own = events.filter((event) => event.workspaceId === workspaceId);
  expect(own.map(({ target }) => target.label)).toEqual(['clicks (80%)', 'clicks (100%)']);
});

test('emits both events if one batch exceeds both thresholds', async () => {
  const workspaceId = await aWorkspaceOn('PRO');
  await click(workspaceId, 60, { size: 60 });
  await until(() => reached(workspaceId).length === 2);
  expect(reached(workspaceId).map(({ threshold, used }) => [threshold, used])).toEqual([
    [80, 60],
    [100, 60],
  ]);
});

test('ignores bots, and plans without a limit', async () => {
  const [bots, unlimited] = [await aWorkspaceOn('FREE'), await aWorkspaceOn('UNLIMITED')];
  await click(bots, 20, { size: 20, bot: true });
  await click(unlimited, 20, { size: 20 });
  expect([...reached(bots), ...reached(unlimited)]).toEqual([]);
  expect(await new ClickUsageStore(fixture.models).read([bots, unlimited], monthOf(now))).toEqual(
    new Map([
      [bots, 0],
      [unlimited, 20],
    ]),
  );
});

test('starts from zero every month', async () => {
  const workspaceId = await aWorkspaceOn('FREE');
  await click(workspaceId, 9, { size: 9 });
  await until(() => reached(workspaceId).length === 1);
  now = startOfMonth(monthOf(now), 1);
  await click(workspaceId, 7, { size: 7 });
  expect(reached(workspaceId)).toHaveLength(1);
  await click(workspaceId, 1);
  await until(() => reached(workspaceId).length === 2);
});
