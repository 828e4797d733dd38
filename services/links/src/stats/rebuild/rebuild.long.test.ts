import type { StreamAPI } from '@nats-io/jetstream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { driverCollection } from '@tautan/kit/mongo';
import { rpcClient } from '@tautan/kit/rpc';
import { until } from '@tautan/kit/testing';
import { clickSubject, streams } from '@tautan/proto';
import { operatorServices } from '@tautan/proto/rpc';
import { readLinksConfig } from '../../config.js';
import { DAY_MS, startOfDay } from '../domain/quarters.js';
import { readRange } from '../domain/range.js';
import { dayIdOf, tallyId } from '../domain/subject.js';
import type { SubjectKind } from '../domain/tally.js';
import { utcDay } from '../../redirects/domain/visitor.js';
import { start } from '../../main.js';
import { PlanStore } from '../store/plans.js';
import { StatsStore } from '../store/stats.js';
import { aClickBatch, type TestClick, unlimitedRetention } from '../../testing/clicks.js';
import { startFixture, type Fixture } from '../../testing/redirects.js';
import { StatsFigures } from '../steps/stats-figures.js';
import { applyBatches } from '../apply-batches.js';
import type { PartitionBatch } from '../collect-additions.js';
import { clickStreamState } from './click-messages.js';
import { rebuildStats } from './index.js';

let fixture: Fixture;
let deps: Parameters<typeof rebuildStats>[0];
const today = startOfDay(Date.now());
const day = utcDay(today);
let links: string[];
let codes: string[];
let workspace: string;

beforeAll(async () => {
  fixture = await startFixture();
  const { models, bus } = fixture;
  deps = {
    models,
    bus,
    connection: models.links.db,
    stats: new StatsStore(models),
    plans: new PlanStore(models, unlimitedRetention),
  };
});
afterAll(() => fixture.stop());
beforeEach(() => {
  links = [newId('lnk'), newId('lnk'), newId('lnk')];
  codes = [newId('qr'), newId('qr')];
  workspace = newId('ws');
});

const publish = ({ batch, partition }: PartitionBatch, id = batch.id) =>
  fixture.bus.publish(clickSubject(partition), JSON.stringify(batch), { id });

/**
 * Publishes `count` batches of clicks, each for one link, cycling through `links`, and one batch of scans for each QR
 * code. The day of the first link, with 60 clicks per batch, has a tally if `count` is at least 7.
 */
async function publishBatches(count: number, overrides: Partial<TestClick> = {}): Promise<PartitionBatch[]> {
  const batches = Array.from({ length: count }, (_, i) => {
    const link = links[i % links.length]!;
    const clicks = Array.from({ length: link === links[0] ? 60 : 3 }, (_, n) => ({
      link,
      workspace,
      at: today + ((i * 7 + n) % 96) * 900_000,
      visitor: `${n % 40}`,
      referrer: `h${n % 9}`,
      ...overrides,
    }));
    return aClickBatch(clicks);
  });
  // Scans of a QR code of the second link, and of a standalone QR code.
  const [ofLink, standalone] = codes;
  for (const scan of [
    { link: links[1]!, qr: ofLink! },
    { link: null, qr: standalone! },
  ])
    batches.push(
      aClickBatch(Array.from({ length: 3 }, (_, n) => ({ ...scan, workspace, at: today + n * 900_000, ...overrides }))),
    );
  for (const batch of batches) await publish(batch);
  return batches;
}
const apply = async (batches: PartitionBatch[]): Promise<void> => {
  for (const batch of batches) await applyBatches(deps, [batch]);
};

/** Returns the ids of the stored days of the links, codes and the workspace, and their statistics. */
async function storedStats() {
  const ids = new RegExp(`^(${[...links, ...codes, workspace].join('|')})/`);
  const days = await driverCollection(fixture.models.statsDays).find({ _id: ids }).toArray();
  const figures = [];
  for (const id of [...links, ...codes]) figures.push(...(await figuresOf('link', id)));
  const dayIds = [...new Set(days.map(({ _id }) => dayIdOf(String(_id))))].sort();
  return [...dayIds, ...figures, ...(await figuresOf('workspace', workspace))];
}

/**
 * Returns the hourly statistics of a subject for the whole day and for each half of the day. If the day has a tally,
 * the totals of the whole day are read from the tally, and the totals of a half from the quarter hours.
 */
async function figuresOf(kind: SubjectKind, id: string) {
  const noon = new Date(today + DAY_MS / 2).toISOString();
  const ranges = [
    { from: day, to: day },
    { from: day, to: noon },
    { from: noon, to: day },
  ];
  return Promise.all(
    ranges.map(async (range) => {
      const figures = await StatsFigures.read(deps.stats, kind, id, readRange(range, new Date()));
      const { clicks, bots, by, quarters } = figures.total;
      const keys = Array.from(by, ([dimension, counts]) => [dimension, counts.top(99)]);
      return { id, range, clicks, bots, quarters: [...quarters], keys, series: figures.series() };
    }),
  );
}
const rebuild = () => rebuildStats(deps, day);

test('a day is recomputed regardless of its stored data', async () => {
  await apply(await publishBatches(12));
  const before = await storedStats();
  expect(before).toEqual(expect.arrayContaining([...links, ...codes].map((id) => `${id}/${day}`)));
  const { statsDays, statsQuarters } = fixture.models;
  await rebuild();
  expect(await storedStats()).toEqual(before);
  await driverCollection(statsDays).updateOne({ _id: tallyId(`${links[0]}/${day}`) }, { $inc: { 'tally.clicks': 5 } });
  await driverCollection(statsDays).deleteOne({ _id: `${links[1]}/${day}` });
  await driverCollection(statsDays).insertOne({
    ...(await driverCollection(statsDays).findOne({ _id: `${links[2]}/${day}` }))!,
    _id: `${newId('lnk')}/${day}`,
  });
  await driverCollection(statsQuarters).deleteMany({
    _id: { $gte: `${links[0]}/${day}/10`, $lt: `${links[0]}/${day}/20` },
  });
  expect(await storedStats()).not.toEqual(before);
  await rebuild();
  expect(await storedStats()).toEqual(before);
  expect(await driverCollection(statsDays).countDocuments({ _id: new RegExp(`^lnk_.*/${day}$`) })).toBe(links.length);
});

test('counts only applied batches, and duplicates on the stream once', async () => {
  const batches = await publishBatches(6);
  await apply(batches.slice(0, 4));
  await publish(batches[0]!, 'again');
  await publish(batches[5]!, 'once more');
  const before = await storedStats();
  await rebuild();
  expect(await storedStats()).toEqual(before);
  await apply(batches);
  const all = await storedStats();
  expect(all).not.toEqual(before);
  await rebuild();
  expect(await storedStats()).toEqual(all);
});

test('concurrent clicks are neither lost nor counted twice', async () => {
  await apply(await publishBatches(6));
  let over = false;
  const sent: PartitionBatch[] = [];
  const clicking = (async () => {
    while (!over || sent.length < 20) {
      const batches = await publishBatches(3);
      sent.push(...batches);
      for (const batch of batches) await applyBatches(deps, [batch]).catch(() => applyBatches(deps, [batch]));
    }
  })();
  for (let i = 0; i < 4; i += 1) await rebuild();
  over = true;
  await clicking;
  const before = await storedStats();
  await rebuild();
  expect(await storedStats()).toEqual(before);
});

test('an interrupted rebuild is completed by the next one', async () => {
  await apply(await publishBatches(12));
  const before = await storedStats();
  await driverCollection(fixture.models.statsDays).updateMany({ _id: new RegExp(`/${day}`) }, { $set: { texts: [] } });
  const save = deps.stats.save.bind(deps.stats);
  let calls = 0;
  const failingStats = Object.create(deps.stats) as StatsStore;
  failingStats.save = (which, ...rest) =>
    (calls += 1) === 2 ? Promise.reject(new Error('killed')) : save(which, ...rest);
  failingStats.load = deps.stats.load.bind(deps.stats);
  for (const name of ['idsOfDay', 'remove', 'removeParts'] as const)
    failingStats[name] = deps.stats[name].bind(deps.stats) as never;
  await expect(rebuildStats({ ...deps, stats: failingStats }, day)).rejects.toThrow('killed');
  await rebuild();
  expect(await storedStats()).toEqual(before);
});

test.each(['yesterday', '2026-02-30', ''])('rejects %j as a day', async (text) => {
  await expect(rebuildStats(deps, text)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'day' });
});

test('an operator rebuilds a day through the process that applies clicks', async () => {
  await apply(await publishBatches(6));
  const before = await storedStats();
  await driverCollection(fixture.models.statsDays).deleteMany({ _id: new RegExp(`^${links[0]}/`) });
  const running = await start(readLinksConfig({ ...fixture.settings, ROLES: 'stats' }));
  const operator = rpcClient(operatorServices.stats, { address: `127.0.0.1:${running.ports['operator']}` });
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${running.ports['admin']}/readyz`)).ok);
    const rebuild = (text: string) =>
      operator.call('RebuildDay', { day: text }, { requestId: 'test', timeoutMs: 60_000 });
    const rebuilt = await until(() => rebuild(day).catch(() => undefined), 30_000);
    expect(rebuilt).toMatchObject({ day, removed: 0 });
    expect(await storedStats()).toEqual(before);
    await expect(rebuild('x')).rejects.toMatchObject({ message: 'day must be a date, YYYY-MM-DD.', field: 'day' });
  } finally {
    operator.close();
    await running.stop();
  }
});

// These tests change the stream of the fixture, so they are last.
describe('if the stream lacks applied clicks of the day', () => {
  const refused = { code: 'VALIDATION_ERROR', field: 'day', message: expect.stringContaining('Nothing was changed.') };
  const changeStream = async (change: (streams: StreamAPI) => Promise<unknown>): Promise<void> => {
    const { streams: api } = await fixture.bus.jetstream().jetstreamManager();
    await change(api);
  };
  const recreate = async (api: StreamAPI): Promise<void> => {
    const { config } = await api.info(streams.clicks.name);
    await api.delete(streams.clicks.name);
    await api.add(config);
  };

  test('because it was restored from an older copy, a rebuild is refused, and changes nothing', async () => {
    await apply(await publishBatches(3));
    const { last } = await clickStreamState(deps.bus);
    const lost = await publishBatches(2);
    await apply(lost);
    await changeStream(async (api) => {
      for (let n = 1; n <= lost.length; n += 1) await api.deleteMessage(streams.clicks.name, last + n);
    });
    await apply(await publishBatches(2));
    const before = await storedStats();
    await expect(rebuild()).rejects.toMatchObject(refused);
    expect(await storedStats()).toEqual(before);
  });

  test('because they have expired, a rebuild is refused, and changes nothing', async () => {
    await apply(await publishBatches(3));
    const before = await storedStats();
    await changeStream((api) => api.purge(streams.clicks.name));
    await expect(rebuildStats(deps, day)).rejects.toMatchObject(refused);
    await expect(rebuildStats(deps, '2026-01-01')).rejects.toMatchObject(refused);
    expect(await storedStats()).toEqual(before);
  });

  test('because it was lost and created anew, a rebuild is refused, and changes nothing', async () => {
    await apply(await publishBatches(3));
    await changeStream(recreate);
    await apply(await publishBatches(2));
    const before = await storedStats();
    await expect(rebuildStats(deps, day)).rejects.toMatchObject(refused);
    expect(await storedStats()).toEqual(before);
  });

  test('because they exceed the maximum age of the stream, a rebuild is refused even if their markers have expired', async () => {
    await changeStream(recreate);
    await driverCollection(fixture.models.appliedBatches).deleteMany({});
    await expect(rebuildStats(deps, utcDay(today - 4 * DAY_MS))).rejects.toMatchObject(refused);
  });
});
