import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId, newUlid } from '@tautan/kit';
import { clickPartition, type ClickBatch } from '@tautan/proto';
import { QUARTER_MS } from '../domain/stats/quarters.js';
import { readRange, type RangeInput, type StatsRange } from '../domain/stats/range.js';
import type { Dimension } from '../domain/stats/tally.js';
import { PlanStore } from '../store/plans.js';
import { StatsStore } from '../store/stats.js';
import { keptForEver } from '../testing/clicks.js';
import { startStage, type Stage } from '../testing/redirects.js';
import { StatsFigures } from '../usecases/stats-figures.js';
import { applyBatches, type ApplyBatchesDeps } from './apply-batches.js';
import type { PartitionBatch } from './gather.js';

let stage: Stage;
let deps: ApplyBatchesDeps & { stats: StatsStore };

beforeAll(async () => {
  stage = await startStage();
  const { models } = stage;
  deps = {
    models,
    connection: models.links.db,
    stats: new StatsStore(models),
    plans: new PlanStore(models, keptForEver),
  };
});
afterAll(() => stage.stop());

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

// Clocks in Berlin go forward on the 29th.
const FIRST = Date.parse('2026-03-27T00:00:00Z');
const DAYS = 4;
const agents = [
  { text: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', device: 'desktop', browser: 'Firefox', os: 'Linux' }, // prettier-ignore
  { text: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36', device: 'mobile', browser: 'Chrome', os: 'Android' }, // prettier-ignore
  { text: 'curl', device: 'other', browser: 'other', os: 'other' },
];

/** Numbers below a limit, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = (seed % 0x7ffffffe) + 1;
  return (limit) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % limit;
  };
}

/** Clicks over four days, half of them in one busy hour, so that days and quarters of an hour are kept in both forms. */
function someClicks(seed: number, count: number, links: string[], [qr, alone]: string[]): Click[] {
  const below = numbers(seed);
  return Array.from({ length: count }, () => ({
    at: FIRST + (below(2) ? below(DAYS * 86_400_000) : 30 * 3_600_000 + below(3_600_000)),
    ...(below(6) ? { link: links[below(3) && below(links.length)]!, qr: below(4) ? null : qr! } : { link: null, qr: alone! }), // prettier-ignore
    human: below(8) > 0,
    visitor: `visitor ${below(300)}`,
    referrer: below(3) ? `host${below(40)}.example.com` : '',
    agent: agents[below(3)]!,
    country: ['', 'ID', 'DE'][below(3)]!,
    city: ['', 'Jakarta', 'Bonn'][below(3)]!,
  }));
}

/** The clicks in batches of their partitions, each click in one batch. */
function inBatches(clicks: Click[], workspaceId: string, below: (limit: number) => number): PartitionBatch[] {
  const batches: PartitionBatch[] = [];
  for (let partition = 0; partition < 16; partition += 1) {
    const own = clicks.filter(({ link, qr }) => clickPartition(link ?? qr!) === partition);
    while (own.length) batches.push({ partition, batch: batchOf(own.splice(0, 1 + below(150)), workspaceId) });
  }
  return batches;
}

function batchOf(clicks: Click[], workspaceId: string): ClickBatch {
  const base = Math.min(...clicks.map(({ at }) => at));
  const texts: string[] = [];
  const number = (text: string) => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const rows = clicks.map(({ at, link, qr, human, visitor, referrer, agent, country, city }) => [at - base, link === null ? -1 : number(link), qr === null ? -1 : number(qr), number(workspaceId), human ? 'h' : 'b', number(agent.text), number(referrer), number(country), number(city), number(visitor), qr === null ? 'l' : 'q'] as ClickBatch['clicks'][number]); // prettier-ignore
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

/** Tells what the clock of a zone shows of the hour, day or month, as Node's own calendar has it. */
function labels({ granularity, tz }: StatsRange): (at: number) => string {
  const parts: Intl.DateTimeFormatOptions = { timeZone: tz, year: 'numeric', month: 'numeric' };
  if (granularity !== 'month') parts.day = 'numeric';
  if (granularity === 'hour') Object.assign(parts, { hour: 'numeric', timeZoneName: 'longOffset' });
  const format = new Intl.DateTimeFormat('en', parts);
  return (at) => format.format(at);
}

/** The figures by a plain count over the clicks. */
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

/** The figures that the product tells, in the same form. */
async function told(kind: 'link' | 'workspace', id: string, range: StatsRange, dimensions: Dimension[]) {
  const figures = await StatsFigures.read(deps.stats, kind, id, range);
  const { total } = figures;
  const labelOf = labels(range);
  const points = figures.series();
  expect(points.map(({ time }) => Date.parse(time))).toEqual(range.starts);
  const busy = points.filter(({ clicks }) => clicks > 0);
  return {
    totals: [total.clicks, total.visitors.estimate(), total.bots],
    series: Object.fromEntries(
      busy.map(({ time, clicks, uniques }) => [labelOf(Date.parse(time)), { clicks, uniques }]),
    ),
    ...Object.fromEntries(
      dimensions.map((each) => [each, Object.fromEntries(total.by.get(each)!.top(9_999).map(({ key, clicks }) => [key, clicks]))]), // prettier-ignore
    ),
  };
}

const ofLinks: Dimension[] = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'];
const ofWorkspaces: Dimension[] = ['countries', 'devices', 'referrers', 'sources', 'links'];
const now = new Date('2026-04-01T00:00:00Z');
const aMoment = fc.integer({ min: -20, max: DAYS * 96 }).map((quarter) => new Date(FIRST + quarter * QUARTER_MS + 1).toISOString()); // prettier-ignore
const aRange = fc
  .record({
    ends: fc.oneof(
      fc.constant(['2026-03-27', '2026-03-30']),
      fc.tuple(aMoment, aMoment).map((both) => both.sort()),
    ),
    granularity: fc.constantFrom('hour', 'day', 'month'),
    tz: fc.constantFrom('UTC', 'Asia/Jakarta', 'Asia/Kathmandu', 'Europe/Berlin', 'America/New_York'),
  })
  .map(({ ends: [from, to], ...rest }): RangeInput => ({ from, to, ...rest }));

test('whatever was clicked, delivered in whatever order and repeated, is told as a plain count tells it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ seed: fc.nat(), count: fc.constantFrom(1, 30, 200, 900), lanes: fc.integer({ min: 1, max: 3 }) }),
      fc.array(aRange, { minLength: 3, maxLength: 6 }),
      async ({ seed, count, lanes }, ranges) => {
        const below = numbers(seed);
        const [links, codes, workspace] = [[newId('lnk'), newId('lnk'), newId('lnk')], [newId('qr'), newId('qr')], newId('ws')]; // prettier-ignore
        const clicks = someClicks(seed, count, links, codes);
        await deps.models.qrTargets.create(codes.map((_id) => ({ _id, workspaceId: workspace })));
        const batches = inBatches(clicks, workspace, below);
        const deliveries = [...batches, ...batches.filter(() => below(2))].sort(() => below(3) - 1);
        // Several at once, as replicas do, meeting at the same documents.
        const lane = async (): Promise<void> => {
          for (let next = deliveries.splice(0, 1 + below(4)); next.length; next = deliveries.splice(0, 1 + below(4))) await applyUntilDone(next); // prettier-ignore
        };
        await Promise.all(Array.from({ length: lanes }, lane));
        const scans = codes.map((qr) => clicks.filter((click) => click.human && click.qr === qr).length);
        const targets = await deps.models.qrTargets.find({ workspaceId: workspace }).lean();
        expect(codes.map((qr) => targets.find(({ _id }) => _id === qr)!.scanCount)).toEqual(scans);
        for (const range of ranges.map((each) => readRange(each, now))) {
          for (const link of links) expect(await told('link', link, range, ofLinks)).toEqual(counted(clicks.filter((click) => click.link === link), range, ofLinks)); // prettier-ignore
          for (const qr of codes) expect(await told('link', qr, range, ofLinks)).toEqual(counted(clicks.filter((click) => click.qr === qr), range, ofLinks)); // prettier-ignore
          expect(await told('workspace', workspace, range, ofWorkspaces)).toEqual(counted(clicks, range, ofWorkspaces)); // prettier-ignore
        }
      },
    ),
    { numRuns: 12 },
  );
}, 180_000);

/** As the role does: what met another transaction is done again. */
async function applyUntilDone(batches: PartitionBatch[]): Promise<void> {
  const unlike = [...new Map(batches.map((each) => [each.batch.id, each])).values()];
  for (let attempt = 0; ; attempt += 1) {
    try {
      return void (await applyBatches(deps, unlike));
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
