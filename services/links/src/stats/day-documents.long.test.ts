import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import mongoose, { mongo, type Connection } from 'mongoose';
import { DAY_MS } from './domain/quarters.js';
import { readRange } from './domain/range.js';
import { daysBetween, tallyId } from './domain/subject.js';
import { createModels } from '../store/models.js';
import { PlanStore } from './store/plans.js';
import { StatsStore } from './store/stats.js';
import { aClickBatch, unlimitedRetention } from '../testing/clicks.js';
import { startFixture, type Fixture } from '../testing/redirects.js';
import { StatsFigures } from './steps/stats-figures.js';
import { applyBatches, type ApplyBatchesDeps } from './apply-batches.js';
import { closeDays } from './close-days.js';

let fixture: Fixture;
let connection: Connection;
let deps: ApplyBatchesDeps;
/** Total size of the commands that write statistics, bytes. */
let written = 0;
/** The collection of each query so far. */
const queriedCollections: string[] = [];
const log = createLog('test', 'silent');

beforeAll(async () => {
  fixture = await startFixture();
  const { MONGODB_URI, MONGODB_DATABASE } = fixture.settings as Record<'MONGODB_URI' | 'MONGODB_DATABASE', string>;
  connection = await mongoose
    .createConnection(MONGODB_URI, { dbName: MONGODB_DATABASE, autoIndex: false, monitorCommands: true })
    .asPromise();
  const models = createModels(connection);
  deps = { models, connection, stats: new StatsStore(models), plans: new PlanStore(models, unlimitedRetention) };
  connection.getClient().on('commandStarted', ({ command }) => {
    if (command['find']) queriedCollections.push(String(command['find']));
    if (!/^stats_/.test(String(command['update']))) return;
    written += mongo.BSON.calculateObjectSize({ updates: command['updates'] as object[] });
  });
});
afterAll(async () => {
  await connection.close();
  await fixture.stop();
});
beforeEach(() => void (written = 0));

const DAY = '2026-05-01';
const noon = Date.parse(`${DAY}T12:00:00Z`);

/**
 * Applies `count` clicks of a link in batches of `size`. The clicks are numbered from `from`, and each number has its
 * own visitor and referrer. Returns the bytes that each batch wrote.
 */
async function applyClicks(
  link: string,
  workspace: string,
  from: number,
  count: number,
  size: number,
  at = noon,
): Promise<number[]> {
  const bytes: number[] = [];
  for (let first = from; first < from + count; first += size) {
    const clicks = Array.from({ length: size }, (_, i) => ({
      link,
      workspace,
      at: at + first + i,
      visitor: `visitor ${first + i}`,
      referrer: `www.site-${first + i}.example.com`,
    }));
    const before = written;
    await applyBatches(deps, [aClickBatch(clicks)]);
    bytes.push(written - before);
  }
  return bytes;
}
const mean = (values: number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

test('the size of rewritten documents stays bounded, even with 10,000 unique referrers', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  await applyClicks(link, workspace, 0, 10_000, 250);
  const bytes = await applyClicks(link, workspace, 10_000, 200, 4);
  // Most batches only rewrite the latest clicks of the link's day and of the workspace's day: up to 4 KB each, plus
  // BSON overhead. The mean includes the batches that move these clicks to the tallies.
  expect(bytes.toSorted((a, b) => a - b)[Math.floor(bytes.length * 0.9)]).toBeLessThan(16_384);
  expect(mean(bytes)).toBeLessThan(16_384);
  expect(Math.max(...bytes)).toBeLessThan(262_144);
  const range = readRange({ from: DAY, to: DAY }, new Date());
  const { total } = await StatsFigures.read(deps.stats, 'link', link, range);
  expect(total.clicks).toBe(10_200);
  const referrers = total.by.get('referrers')!;
  expect(referrers.state().counts.reduce((sum, each) => sum + each, 0) + referrers.other).toBe(10_200);
  expect(Math.abs(total.visitors.estimate() / 10_200 - 1)).toBeLessThan(0.02);
});

/**
 * Returns the statistics of a link for the whole day, and those for the day until 23:45. The latter are read from
 * quarter hours: the given end is 23:30, and the quarter hour that contains the end is counted completely.
 */
async function statsOf(link: string) {
  const ranges = [
    { from: DAY, to: DAY },
    { from: DAY, to: `${DAY}T23:30:00Z` },
  ];
  const figures = ranges.map(async (range) => {
    const { total, uniques } = await StatsFigures.read(deps.stats, 'link', link, readRange(range, new Date()));
    return { clicks: total.clicks, uniques, referrers: total.by.get('referrers')!.size };
  });
  return Promise.all(figures);
}

test('reads a tally that an earlier version stored in the document of its day; the next click moves it to its own document', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  await applyClicks(link, workspace, 0, 200, 200);
  const days = connection.collection<{ _id: string; tally?: object }>('stats_days');
  const [dayDocument, tallyDocument] = [`${link}/${DAY}`, tallyId(`${link}/${DAY}`)];
  const tally = (await days.findOneAndDelete({ _id: tallyDocument }))!;
  await days.replaceOne({ _id: dayDocument }, { ...tally, _id: dayDocument } as never);
  const same = { clicks: 200, uniques: 200, referrers: 200 };
  expect(await statsOf(link)).toEqual([same, same]);
  await applyClicks(link, workspace, 200, 1, 1);
  expect(await days.findOne({ _id: dayDocument })).not.toHaveProperty('tally');
  expect(await days.findOne({ _id: tallyDocument })).toHaveProperty('tally');
  const more = { clicks: 201, uniques: 201, referrers: 201 };
  expect(await statsOf(link)).toEqual([more, more]);
});

test('clicks that move to the tally during a read are counted once', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  await applyClicks(link, workspace, 0, 60, 60);
  const days = daysBetween(link, noon, noon);
  const found = await deps.stats.snapshot(async (read) => {
    const states: object[] = [];
    for await (const { state } of read.periods('days', [days])) states.push(state);
    await applyClicks(link, workspace, 60, 100, 100);
    for (const which of ['days', 'quarters'] as const) {
      for await (const { id } of read.periods(which, [days])) states.push({ id });
    }
    return states;
  });
  expect(found).toEqual([{ log: expect.anything() }, { id: `${link}/${DAY}` }]);
  expect((await statsOf(link))[1]).toEqual({ clicks: 160, uniques: 160, referrers: 160 });
});

/**
 * Reads the days of a link in a time zone. Returns the number of queries for quarter hours that this took, and the
 * uniques per day.
 */
async function readDays(link: string, tz: string) {
  const range = readRange({ from: DAY, to: '2026-05-02', granularity: 'day', tz }, new Date('2026-06-01'));
  const before = queriedCollections.length;
  const figures = await StatsFigures.read(deps.stats, 'link', link, range);
  const quarters = queriedCollections.slice(before).filter((name) => name === 'stats_quarters').length;
  return { quarters, uniques: figures.series().map((point) => point.uniques) };
}

test('closed days are read without quarter hours in a zone other than UTC, until late clicks arrive', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  const days = connection.collection<{ _id: string; closed?: object; closeAt?: Date; rows?: object }>('stats_days');
  const tally = () => days.findOne({ _id: tallyId(`${link}/${DAY}`) });
  await applyClicks(link, workspace, 0, 200, 200, noon - 6 * 3_600_000);
  await applyClicks(link, workspace, 200, 200, 200, noon + 8 * 3_600_000);
  await applyClicks(link, workspace, 400, 20, 20, noon + 8 * 3_600_000);
  expect(await tally()).toMatchObject({ closeAt: new Date('2026-05-02T01:00:00Z') });
  expect(await closeDays({ ...deps, log }, new Date('2026-05-02T00:59:00Z'))).toBe(0);
  const open = await readDays(link, 'Asia/Kolkata');
  expect(open).toEqual({ quarters: 1, uniques: [200, 220] });
  await closeDays({ ...deps, log }, new Date('2026-05-02T01:00:00Z'));
  expect(await tally()).not.toHaveProperty('closeAt');
  expect(await days.findOne({ _id: `${link}/${DAY}` })).toBeNull();
  expect(await readDays(link, 'Asia/Kolkata')).toEqual({ quarters: 0, uniques: [200, 220] });
  await applyClicks(link, workspace, 410, 1, 1, noon + 8 * 3_600_000);
  expect(await readDays(link, 'Asia/Kolkata')).toEqual({ quarters: 1, uniques: [200, 220] });
  // Clicks of ten earlier visitors and of a new one.
  await applyClicks(link, workspace, 410, 11, 11, noon + 8 * 3_600_000);
  expect(await readDays(link, 'Asia/Kolkata')).toEqual({ quarters: 1, uniques: [200, 221] });
  await applyClicks(link, workspace, 300, 150, 150, noon + 8 * 3_600_000);
  expect(await tally()).not.toHaveProperty('closed');
  expect(await readDays(link, 'Asia/Kolkata')).toEqual({ quarters: 1, uniques: [200, 250] });
  await closeDays({ ...deps, log }, new Date());
  expect(await readDays(link, 'Asia/Kolkata')).toEqual({ quarters: 0, uniques: [200, 250] });
});

test('many clicks on more than 64 days, one of them closed, are counted per day in a zone other than UTC', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  for (let day = 0; day < 66; day += 1) await applyClicks(link, workspace, 0, 130, 130, noon + day * DAY_MS);
  await closeDays({ ...deps, log }, new Date('2026-05-02T01:00:00Z'));
  const range = readRange({ from: DAY, to: '2026-07-05', granularity: 'day', tz: 'Asia/Kolkata' }, new Date());
  const points = (await StatsFigures.read(deps.stats, 'link', link, range)).series();
  expect(points.map(({ clicks, uniques }) => [clicks, uniques])).toEqual(Array(66).fill([130, 130]));
});

test('a replica that closes a day does not block others, and concurrent clicks are counted', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  await applyClicks(link, workspace, 0, 200, 200);
  await Promise.all([
    closeDays({ ...deps, log }, new Date()),
    applyClicks(link, workspace, 200, 300, 100),
    closeDays({ ...deps, log }, new Date()),
  ]);
  await closeDays({ ...deps, log }, new Date());
  const same = { clicks: 500, uniques: 500, referrers: 500 };
  expect(await statsOf(link)).toEqual([same, same]);
});

test('the latest clicks of a day move to its tally when the next day gets a tally', async () => {
  const [link, workspace] = [newId('lnk'), newId('ws')];
  const days = connection.collection<{ _id: string }>('stats_days');
  const ids = () =>
    days
      .find({ _id: { $regex: `^${link}/` } }, { projection: { _id: 1 } })
      .map(({ _id }) => _id.slice(link.length + 1))
      .toArray();
  await applyClicks(link, workspace, 0, 200, 200);
  await applyClicks(link, workspace, 200, 20, 20);
  await applyClicks(link, workspace, 0, 20, 20, noon + DAY_MS);
  expect(await ids()).toEqual([DAY, `${DAY}/tally`, '2026-05-02']);
  await applyClicks(link, workspace, 20, 200, 200, noon + DAY_MS);
  expect(await ids()).toEqual([`${DAY}/tally`, '2026-05-02', '2026-05-02/tally']);
  const same = { clicks: 220, uniques: 220, referrers: 220 };
  expect(await statsOf(link)).toEqual([same, same]);
  await applyClicks(link, workspace, 220, 1, 1);
  const more = { clicks: 221, uniques: 221, referrers: 221 };
  expect(await statsOf(link)).toEqual([more, more]);
});
