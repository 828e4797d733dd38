import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLog, newId, newUlid } from '@tautan/kit';
import { clickPartition, type ClickBatch } from '@tautan/proto';
import { QUARTER_MS } from './domain/quarters.js';
import { readRange, type RangeInput, type StatsRange } from './domain/range.js';
import type { Dimension } from './domain/tally.js';
import { utcDay } from '../redirects/domain/visitor.js';
import { PlanStore } from './store/plans.js';
import { StatsStore } from './store/stats.js';
import { unlimitedRetention } from '../testing/clicks.js';
import { startFixture, type Fixture } from '../testing/redirects.js';
import { StatsFigures } from './steps/stats-figures.js';
import { applyBatches, type ApplyBatchesDeps } from './apply-batches.js';
import { closeDays } from './close-days.js';
import type { PartitionBatch } from './collect-additions.js';

let fixture: Fixture;
let deps: ApplyBatchesDeps & { stats: StatsStore };

beforeAll(async () => {
  fixture = await startFixture();
  const { models } = fixture;
  deps = {
    models,
    connection: models.links.db,
    stats: new StatsStore(models),
    plans: new PlanStore(models, unlimitedRetention),
  };
});
afterAll(() => fixture.stop());

interface Click {
  at: number;
  link: string | null;
  qr: string | null;
  human: boolean;
  visitor: string;
  referrer: string;
  agent: (typeof agents)[number];
  country: string;
  city: string;
}

/**
 * First days of the tested periods. Clocks change on the third day of each: in New York (the first two periods), in
 * Berlin (the next two), and on Lord Howe Island (the last two, by half an hour).
 */
const firstDays = ['2026-03-06', '2026-10-30', '2026-03-27', '2026-10-23', '2026-04-03', '2026-10-02'];
const DAYS = 4;
const agents = [
  {
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    device: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
  },
  {
    text: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    device: 'mobile',
    browser: 'Chrome',
    os: 'Android',
  },
  { text: 'curl', device: 'other', browser: 'other', os: 'other' },
];

/** Returns a seeded Lehmer generator. Each call returns an integer from 0 to `limit` - 1. */
function randomFrom(seed: number): (limit: number) => number {
  let state = (seed % 0x7ffffffe) + 1;
  return (limit) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % limit;
  };
}

/**
 * Generates clicks over four days. Half of the clicks are in two busy hours, on the second and the third day, so that
 * some days and quarter hours are stored as logs, and others as tallies. Visitor ids change daily, as in production.
 */
function someClicks(seed: number, first: number, count: number, links: string[], [qr, standalone]: string[]): Click[] {
  const random = randomFrom(seed);
  const times = Array.from(
    { length: count },
    () => first + (random(2) ? random(DAYS * 86_400_000) : (30 + 24 * random(2)) * 3_600_000 + random(3_600_000)),
  );
  return times.map((at) => ({
    at,
    ...(random(6)
      ? { link: links[random(3) && random(links.length)]!, qr: random(4) ? null : qr! }
      : { link: null, qr: standalone! }),
    human: random(8) > 0,
    visitor: `visitor ${random(300)} of ${utcDay(at)}`,
    referrer: random(3) ? `host${random(40)}.example.com` : '',
    agent: agents[random(3)]!,
    country: ['', 'ID', 'DE'][random(3)]!,
    city: ['', 'Jakarta', 'Bonn'][random(3)]!,
  }));
}

/** Groups clicks by partition and divides them into batches of random sizes. */
function inBatches(clicks: Click[], workspaceId: string, random: (limit: number) => number): PartitionBatch[] {
  const batches: PartitionBatch[] = [];
  for (let partition = 0; partition < 16; partition += 1) {
    const own = clicks.filter(({ link, qr }) => clickPartition(link ?? qr!) === partition);
    while (own.length) batches.push({ partition, batch: batchOf(own.splice(0, 1 + random(150)), workspaceId) });
  }
  return batches;
}

function batchOf(clicks: Click[], workspaceId: string): ClickBatch {
  const base = Math.min(...clicks.map(({ at }) => at));
  const texts: string[] = [];
  const indexOf = (text: string) => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const rows = clicks.map(
    ({ at, link, qr, human, visitor, referrer, agent, country, city }) =>
      [
        at - base,
        link === null ? -1 : indexOf(link),
        qr === null ? -1 : indexOf(qr),
        indexOf(workspaceId),
        human ? 'h' : 'b',
        indexOf(agent.text),
        indexOf(referrer),
        indexOf(country),
        indexOf(city),
        indexOf(visitor),
        qr === null ? 'l' : 'q',
      ] as ClickBatch['clicks'][number],
  );
  return { v: 1, id: newUlid(), base, texts, clicks: rows };
}

const keysOf: Record<Dimension, (click: Click) => string> = {
  countries: ({ country }) => country || 'unknown',
  cities: ({ city }) => city,
  devices: ({ agent }) => agent.device,
  browsers: ({ agent }) => agent.browser,
  os: ({ agent }) => agent.os,
  referrers: ({ referrer }) => referrer || 'direct',
  sources: ({ qr }) => (qr === null ? 'link' : 'qr'),
  links: ({ link }) => link ?? '',
};

/** Returns a function that formats the local hour, day or month of an instant with `Intl`. */
function labels({ granularity, tz }: StatsRange): (at: number) => string {
  const parts: Intl.DateTimeFormatOptions = { timeZone: tz, year: 'numeric', month: 'numeric' };
  if (granularity !== 'month') parts.day = 'numeric';
  if (granularity === 'hour') Object.assign(parts, { hour: 'numeric', minute: 'numeric', timeZoneName: 'longOffset' });
  const format = new Intl.DateTimeFormat('en', parts);
  return (at) => format.format(granularity === 'hour' ? lastHourStart(tz, at) : at);
}

/**
 * Returns the last time, at or before `at`, when the clocks of a zone showed minute 0. After the clocks were set
 * back by half an hour, that time can be more than an hour before `at`.
 */
function lastHourStart(tz: string, at: number): number {
  const minute = new Intl.DateTimeFormat('en', { timeZone: tz, minute: 'numeric' });
  let quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  while (minute.format(quarter) !== '0') quarter -= QUARTER_MS;
  return quarter;
}

/** Returns the expected statistics, counted from the clicks. */
function counted(clicks: Click[], range: StatsRange, dimensions: Dimension[]) {
  const inRange = clicks.filter(({ at }) => at >= range.counted.from && at < range.counted.to);
  const humans = inRange.filter(({ human }) => human);
  const series = new Map<string, Click[]>();
  const labelOf = labels(range);
  for (const click of humans) {
    const label = labelOf(click.at);
    series.set(label, [...(series.get(label) ?? []), click]);
  }
  const uniques = (of: Click[]) => new Set(of.map(({ visitor }) => visitor)).size;
  return {
    totals: [humans.length, uniques(humans), inRange.length - humans.length],
    series: Object.fromEntries(
      Array.from(series, ([label, of]) => [label, { clicks: of.length, uniques: uniques(of) }]),
    ),
    ...Object.fromEntries(dimensions.map((each) => [each, countsOf(humans.map(keysOf[each]))])),
  };
}

function countsOf(keys: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) if (key !== '') counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** Returns the statistics that the code under test reports, in the form of `counted`. */
async function statsOf(kind: 'link' | 'workspace', id: string, range: StatsRange, dimensions: Dimension[]) {
  const figures = await StatsFigures.read(deps.stats, kind, id, range);
  const { total } = figures;
  const labelOf = labels(range);
  const points = figures.series();
  expect(points.map(({ time }) => Date.parse(time))).toEqual(range.starts);
  const busy = points.filter(({ clicks }) => clicks > 0);
  return {
    totals: [total.clicks, figures.uniques, total.bots],
    series: Object.fromEntries(
      busy.map(({ time, clicks, uniques }) => [labelOf(Date.parse(time)), { clicks, uniques }]),
    ),
    ...Object.fromEntries(
      dimensions.map((each) => [
        each,
        Object.fromEntries(
          total.by
            .get(each)!
            .top(9_999)
            .map(({ key, clicks }) => [key, clicks]),
        ),
      ]),
    ),
  };
}

const ofLinks: Dimension[] = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'];
const ofWorkspaces: Dimension[] = ['countries', 'devices', 'referrers', 'sources', 'links'];
const now = new Date('2026-12-01T00:00:00Z');
const log = createLog('test', 'silent');
/**
 * The quarter hour in which a range starts or ends, relative to the start of the first day. Often the first or last
 * one of a UTC day.
 */
const aBoundary = fc.oneof(
  fc.integer({ min: -20, max: DAYS * 96 }),
  fc.constantFrom(0, DAYS * 96 - 1, (DAYS - 1) * 96 - 1),
);
const aRange = fc.record({
  boundaries: fc.tuple(aBoundary, aBoundary).map((boundaries) => boundaries.toSorted((a, b) => a - b)),
  granularity: fc.constantFrom('hour', 'day', 'month'),
  tz: fc.constantFrom(
    'UTC',
    'Asia/Jakarta',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
  ),
});
const rangeFrom = (
  first: number,
  { boundaries, ...rest }: { boundaries: number[]; granularity: string; tz: string },
): RangeInput => {
  const [from, to] = boundaries.map((quarter) => new Date(first + quarter * QUARTER_MS + 1).toISOString());
  return { from, to, ...rest };
};

test('statistics equal a plain count of the clicks, even if clicks are delivered repeatedly and in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        seed: fc.nat(),
        day: fc.constantFrom(...firstDays),
        count: fc.constantFrom(1, 30, 200, 900, 1_500),
        consumers: fc.integer({ min: 1, max: 3 }),
        // Number of deliveries that arrive after the days are closed for the first time.
        late: fc.constantFrom(0, 0, 2, 1_000),
        // Number of times that the days are closed: before the late deliveries, and again after them.
        closings: fc.integer({ min: 0, max: 2 }),
      }),
      fc.array(aRange, { minLength: 3, maxLength: 6 }),
      async ({ seed, day, count, consumers, late, closings }, ranges) => {
        const first = Date.parse(day);
        const random = randomFrom(seed);
        const [links, codes, workspace] = [
          [newId('lnk'), newId('lnk'), newId('lnk')],
          [newId('qr'), newId('qr')],
          newId('ws'),
        ];
        const clicks = someClicks(seed, first, count, links, codes);
        await deps.models.qrCodeData.create(codes.map((_id) => ({ _id, workspaceId: workspace })));
        const batches = inBatches(clicks, workspace, random);
        const deliveries = [...batches, ...batches.filter(() => random(2))].sort(() => random(3) - 1);
        // Consumers run concurrently, like replicas, so that they conflict on the same documents.
        const consume = async (from: PartitionBatch[]): Promise<void> => {
          for (let next = from.splice(0, 1 + random(4)); next.length; next = from.splice(0, 1 + random(4)))
            await applyUntilDone(next);
        };
        const close = () => Promise.all([closeDays({ ...deps, log }, now), closeDays({ ...deps, log }, now)]);
        const inTime = deliveries.splice(late);
        await Promise.all(Array.from({ length: consumers }, () => consume(inTime)));
        if (closings > 0) await close();
        await Promise.all(Array.from({ length: consumers }, () => consume(deliveries)));
        if (closings > 1) await close();
        const scans = codes.map((qr) => clicks.filter((click) => click.human && click.qr === qr).length);
        const stored = await deps.models.qrCodeData.find({ workspaceId: workspace }).lean();
        expect(codes.map((qr) => stored.find(({ _id }) => _id === qr)!.scanCount)).toEqual(scans);
        for (const range of ranges.map((each) => readRange(rangeFrom(first, each), now))) {
          for (const link of links)
            expect(await statsOf('link', link, range, ofLinks)).toEqual(
              counted(
                clicks.filter((click) => click.link === link),
                range,
                ofLinks,
              ),
            );
          for (const qr of codes)
            expect(await statsOf('link', qr, range, ofLinks)).toEqual(
              counted(
                clicks.filter((click) => click.qr === qr),
                range,
                ofLinks,
              ),
            );
          expect(await statsOf('workspace', workspace, range, ofWorkspaces)).toEqual(
            counted(clicks, range, ofWorkspaces),
          );
        }
      },
    ),
    {
      numRuns: 12,
      examples: [
        [
          { seed: 0, day: '2026-04-03', count: 1_500, consumers: 1, late: 0, closings: 0 },
          [{ boundaries: [0, 287], granularity: 'hour', tz: 'Australia/Lord_Howe' }],
        ],
        [
          { seed: 0, day: '2026-04-03', count: 1_500, consumers: 1, late: 0, closings: 1 },
          [{ boundaries: [0, 287], granularity: 'hour', tz: 'Australia/Lord_Howe' }],
        ],
      ],
    },
  );
}, 180_000);

/** Applies batches and retries after conflicts, like the stats role. */
async function applyUntilDone(batches: PartitionBatch[]): Promise<void> {
  const distinct = [...new Map(batches.map((each) => [each.batch.id, each])).values()];
  for (let attempt = 0; ; attempt += 1) {
    try {
      return void (await applyBatches(deps, distinct));
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
