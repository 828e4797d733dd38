import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import { DeadLetters } from '@tautan/kit/mongo';
import { until } from '@tautan/kit/testing';
import { eventSubject } from '@tautan/proto';
import type { Retention } from './domain/retention.js';
import { DAY_MS } from './domain/quarters.js';
import { PlanStore } from './store/plans.js';
import { StatsStore } from './store/stats.js';
import { aClickBatch } from '../testing/clicks.js';
import { startFixture, type Fixture } from '../testing/redirects.js';
import { applyBatches, type ApplyBatchesDeps } from './apply-batches.js';
import { trackPlans } from './track-plans.js';

const retention: Retention = { FREE: 30, PRO: 365, BUSINESS: 1_095, UNLIMITED: 36_500, other: 90 };
// Today, because MongoDB deletes expired statistics.
const day = new Date().toISOString().slice(0, 10);
const start = Date.parse(day);

let fixture: Fixture;
let deps: ApplyBatchesDeps & { deadLetters: DeadLetters };
let tracker: { stop(): Promise<void> };

beforeAll(async () => {
  fixture = await startFixture();
  const { models, bus } = fixture;
  deps = {
    models,
    connection: models.links.db,
    stats: new StatsStore(models),
    plans: new PlanStore(models, retention),
    deadLetters: new DeadLetters(models.deadLetters),
  };
  tracker = trackPlans({ ...deps, bus, log: createLog('test', 'silent'), settleMs: 10 });
});
afterAll(async () => {
  await tracker.stop();
  await fixture.stop();
});

/** Applies `clicks` clicks of a new link on `day`, in a new workspace by default. */
async function createClicks(workspace = newId('ws'), clicks = 3): Promise<{ workspace: string; link: string }> {
  const link = newId('lnk');
  await applyBatches(deps, [
    aClickBatch(Array.from({ length: clicks }, (_, i) => ({ link, workspace, at: start, visitor: `${i}` }))),
  ]);
  return { workspace, link };
}

/** Returns the distinct retentions of the link's documents, in days. */
async function retentionOf(link: string): Promise<number[]> {
  const { statsDays, statsQuarters } = fixture.models;
  const ofLink = { _id: { $gte: `${link}/`, $lt: `${link}0` } };
  const found = [...(await statsDays.find(ofLink).lean()), ...(await statsQuarters.find(ofLink).lean())];
  return [...new Set(found.map(({ expireAt }) => (expireAt.getTime() - start) / DAY_MS - 1))];
}

let version = 0;
/** Publishes an event of the workspaces service. */
async function publishPlan(workspaceId: string, plan: string, ofVersion = (version += 1)): Promise<void> {
  const data = { id: workspaceId, name: 'Toko', plan, createdAt: day };
  const event = {
    id: newId('evt'),
    type: 'workspace.updated',
    at: new Date().toISOString(),
    workspaceId,
    version: ofVersion,
    actor: { type: 'system', id: null, name: 'Tautan' },
    requestId: null,
    ip: null,
    userAgent: null,
    target: { type: 'workspace', id: workspaceId, label: 'Toko' },
    changes: {},
    data,
  } as const;
  await fixture.bus.publish(eventSubject(event.type), JSON.stringify(event), { id: event.id });
}
const untilRetentionApplied = (workspaceId: string, plan: string) =>
  until(async () => (await fixture.models.workspacePlans.findById(workspaceId))?.datedBy === plan);

test('statistics have the retention of the plan, and a default one while the plan is unknown', async () => {
  const { workspace, link } = await createClicks();
  expect(await retentionOf(link)).toEqual([90]);
  await publishPlan(workspace, 'PRO');
  await untilRetentionApplied(workspace, 'PRO');
  expect(await retentionOf((await createClicks(workspace)).link)).toEqual([365]);
});

test('an upgrade extends the retention of stored statistics, including quarter hours', async () => {
  const { workspace, link } = await createClicks(newId('ws'), 300);
  expect(await fixture.models.statsQuarters.countDocuments({ workspaceId: workspace })).toBeGreaterThan(0);
  await publishPlan(workspace, 'BUSINESS');
  await until(async () => (await retentionOf(link)).join() === '1095');
});

test('a downgrade only affects new statistics', async () => {
  const { workspace, link } = await createClicks();
  await publishPlan(workspace, 'PRO');
  await untilRetentionApplied(workspace, 'PRO');
  await publishPlan(workspace, 'FREE');
  await until(async () => (await fixture.models.workspacePlans.findById(workspace))?.plan === 'FREE');
  expect(await retentionOf(link)).toEqual([365]);
  expect(await retentionOf((await createClicks(workspace)).link)).toEqual([30]);
});

test('an upgrade after a downgrade extends the retention of statistics written in between', async () => {
  const { workspace } = await createClicks();
  await publishPlan(workspace, 'PRO');
  await untilRetentionApplied(workspace, 'PRO');
  await publishPlan(workspace, 'FREE');
  await until(async () => (await fixture.models.workspacePlans.findById(workspace))?.plan === 'FREE');
  const { link } = await createClicks(workspace);
  expect(await retentionOf(link)).toEqual([30]);
  await publishPlan(workspace, 'PRO');
  await until(async () => (await retentionOf(link)).join() === '365');
});

test('the completion of an earlier upgrade does not record a later one as applied', async () => {
  const { plans } = deps;
  const workspace = newId('ws');
  expect(await plans.record(workspace, 'PRO', 1)).toEqual({ days: 365, version: 1 });
  expect(await plans.record(workspace, 'BUSINESS', 2)).toEqual({ days: 1_095, version: 2 });
  await plans.recordRetentionApplied(workspace, 1);
  expect(await plans.record(workspace, 'BUSINESS', 2)).toEqual({ days: 1_095, version: 2 });
  await plans.recordRetentionApplied(workspace, 2);
  expect(await plans.record(workspace, 'BUSINESS', 2)).toBeUndefined();
});

test('late, repeated and reordered events change nothing', async () => {
  const workspace = newId('ws');
  await publishPlan(workspace, 'BUSINESS', 3);
  await untilRetentionApplied(workspace, 'BUSINESS');
  for (const [plan, lateVersion] of [
    ['FREE', 2],
    ['PRO', 1],
    ['BUSINESS', 3],
    ['FREE', 0],
  ] as const)
    await publishPlan(workspace, plan, lateVersion);
  // Events are delivered in order, so those above have been delivered before this one takes effect.
  const { workspace: later } = await createClicks();
  await publishPlan(later, 'PRO');
  await untilRetentionApplied(later, 'PRO');
  expect(await retentionOf((await createClicks(workspace)).link)).toEqual([1_095]);
});

test('if a stop interrupts the extension of the retention, the next process completes it', async () => {
  const { workspace, link } = await createClicks();
  await tracker.stop();
  const track = (settleMs: number) =>
    trackPlans({ ...deps, bus: fixture.bus, log: createLog('test', 'silent'), settleMs });
  const slow = track(60_000);
  await publishPlan(workspace, 'PRO');
  await until(async () => (await fixture.models.workspacePlans.findById(workspace))?.plan === 'PRO');
  const began = performance.now();
  await slow.stop();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await retentionOf(link)).toEqual([90]);
  tracker = track(10);
  await until(async () => (await retentionOf(link)).join() === '365');
});
