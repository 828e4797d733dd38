import { describe, expect, test } from '@jest/globals';
import { ClickLog } from './click-log.js';
import type { StatsClick } from './click.js';
import { ClosedDay } from './closed-day.js';
import { DayUniques } from './day-uniques.js';
import { Period } from './period.js';
import { QUARTERS } from './quarters.js';
import { linkDimensions, Tally, workspaceDimensions } from './tally.js';
import { visitorHash } from './visitor-hash.js';
import { VisitorSketch } from './visitor-sketch.js';

const human: StatsClick = {
  ...{ quarter: 3, human: true, clicks: 1, source: 'link', country: 'ID', city: 'Jakarta', device: 'mobile' },
  ...{ browser: 'Firefox', os: 'Android', referrer: 'direct', link: '', visitorHash: visitorHash('a') },
};
const scan: StatsClick = { ...human, quarter: 95, source: 'qr', city: '', clicks: 2, visitorHash: visitorHash('b') };
const bot: StatsClick = {
  ...{ quarter: 4, human: false, clicks: 5, source: 'link', country: '', city: '', device: '', browser: '', os: '' },
  ...{ referrer: '', link: '', visitorHash: 0 },
};
const logOf = (clicks: StatsClick[], maxRows = 100): ClickLog => {
  const log = new ClickLog();
  log.add(clicks, maxRows);
  return log;
};
const counts = (tally: Tally, dimension: (typeof linkDimensions)[number]) => tally.by.get(dimension)!.state();
const nonZeroQuarters = (tally: Tally) =>
  [...tally.quarters].flatMap((clicks, i) => (clicks > 0 ? [[i, clicks] as const] : []));

describe('a log of clicks', () => {
  test('returns its clicks, even after it was stored; for bots, only their time and number', () => {
    const log = logOf([human, scan, { ...human, human: false, quarter: 4, clicks: 5 }]);
    expect(log.clicks()).toEqual([human, scan, bot]);
    const { rows, texts } = log.state();
    const shifted = new Uint8Array(rows.length + 5).subarray(5);
    shifted.set(rows);
    const restored = new ClickLog({ rows: shifted, texts: [...texts] });
    expect(restored.clicks()).toEqual([human, scan, bot]);
    restored.add([human], 100);
    expect(restored.clicks()).toEqual([human, scan, bot, human]);
    expect(restored.state().texts).toEqual(texts);
  });

  test('takes 16 bytes per row, and stores each text once', () => {
    const log = logOf([human, human, { ...human, country: 'é' }]);
    expect([log.length, log.state().rows.length]).toEqual([3, 48]);
    const texts = ['ID\nJakarta', 'mobile\nFirefox\nAndroid', 'direct', '', 'é\nJakarta'];
    expect(log.state().texts).toEqual(texts);
    expect(log.bytes).toBe(48 + Buffer.byteLength(texts.join('')));
    expect(new ClickLog().bytes).toBe(0);
  });

  test('merges rows that differ only in their number of clicks once the log has more rows than the maximum', () => {
    const others: Partial<StatsClick>[] = [
      { quarter: 4 },
      { source: 'qr' },
      { country: 'SG' },
      { device: 'desktop' },
      { referrer: 'a.example' },
      { link: 'lnk_1' },
      { visitorHash: visitorHash('c') },
    ];
    const different = others.map((fields) => ({ ...human, ...fields }));
    expect(logOf([human, ...different, human], 8).clicks()).toEqual([{ ...human, clicks: 2 }, ...different]);
    expect(logOf([human, ...different], 1).clicks()).toEqual([human, ...different]);
    expect(logOf([bot, { ...bot, visitorHash: 7 }], 1).clicks()).toEqual([{ ...bot, clicks: 10 }]);
    expect(logOf([human, human], 2).length).toBe(2);
  });

  test('stores and adds clicks correctly after rows were merged', () => {
    const log = logOf([human, scan, human, scan], 1);
    const merged = [
      { ...human, clicks: 2 },
      { ...scan, clicks: 4 },
    ];
    expect(new ClickLog(log.state()).clicks()).toEqual(merged);
    log.add([bot, bot], 1);
    expect(log.clicks()).toEqual([...merged, { ...bot, clicks: 10 }]);
  });

  test('is stored in a format that stays the same across versions', () => {
    const hash = (click: StatsClick) => [0, 8, 16, 24].map((bits) => (click.visitorHash >>> bits) & 0xff);
    expect([...logOf([human, scan, bot]).state().rows]).toEqual([
      ...[3, 0, 1, 0, 0, 0, 1, 0, 2, 0, 3, 0, ...hash(human)],
      ...[95, 2, 2, 0, 4, 0, 1, 0, 2, 0, 3, 0, ...hash(scan)],
      ...[4, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]);
  });

  test('counts at most 65,535 clicks per row', () => {
    const [many, few] = [60_000, 5_535].map((clicks) => ({ ...human, clicks }));
    expect(logOf([many!, few!], 1).clicks()).toEqual([{ ...human, clicks: 65_535 }]);
    expect(logOf([many!, few!, human, human], 1).clicks()).toEqual([
      { ...human, clicks: 65_535 },
      { ...human, clicks: 2 },
    ]);
  });

  test('adds the clicks of a range of quarter hours to a tally, and their visitors to a sketch', () => {
    const log = logOf([human, scan, bot]);
    const all = new Tally('link');
    log.addTo(all, 0, QUARTERS);
    expect([all.clicks, all.bots, all.visitors.estimate()]).toEqual([3, 5, 2]);
    expect(nonZeroQuarters(all)).toEqual([
      [3, 1],
      [95, 2],
      [QUARTERS + 4, 5],
    ]);
    const expected: Record<string, Record<string, number>> = {
      ...{ countries: { ID: 3 }, cities: { Jakarta: 1 }, devices: { mobile: 3 }, browsers: { Firefox: 3 } },
      ...{ os: { Android: 3 }, referrers: { direct: 3 }, sources: { link: 1, qr: 2 } },
    };
    for (const dimension of linkDimensions) {
      const { keys, counts: clicks } = counts(all, dimension);
      expect([dimension, Object.fromEntries(keys.map((key, i) => [key, clicks[i]]))]).toEqual([
        dimension,
        expected[dimension],
      ]);
    }
    const part = new Tally('link');
    log.addTo(part, 3, 4);
    expect([part.clicks, part.bots, counts(part, 'sources').keys]).toEqual([1, 0, ['link']]);
    const [sketch, workspaceTally] = [new VisitorSketch(), new Tally('workspace')];
    log.addTo(workspaceTally, 95, 96, () => sketch);
    expect([workspaceTally.clicks, workspaceTally.visitors.estimate(), sketch.estimate()]).toEqual([2, 0, 1]);
    expect([...workspaceTally.by.keys()]).toEqual([...workspaceDimensions]);
    expect(counts(workspaceTally, 'sources')).toEqual({ keys: ['qr'], counts: [2], other: 0 });
    logOf([{ ...human, link: 'lnk_1', clicks: 4 }]).addTo(workspaceTally, 0, QUARTERS);
    expect(workspaceTally.by.get('links')!.state()).toEqual({ keys: ['lnk_1'], counts: [4], other: 0 });
  });
});

describe('a period', () => {
  const different = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...human, visitorHash: visitorHash(`${i}`) }));

  test.each([
    ['day', 128],
    ['quarter', 64],
  ] as const)('with the length `%s` has a log of up to %d rows, and then a tally', (length, rows) => {
    const period = new Period('link', length);
    expect(period.add(different(rows))).toEqual([]);
    expect([period.log?.length, period.tally]).toEqual([rows, undefined]);
    const stored = new Period('link', length, period.state());
    expect(stored.add([{ ...human, visitorHash: visitorHash('more') }])).toHaveLength(rows + 1);
    expect([stored.log, stored.tally?.clicks, stored.tally?.visitors.estimate()]).toEqual([
      undefined,
      rows + 1,
      rows + 1,
    ]);
    const restored = new Period('link', length, stored.state());
    expect(restored.add([human])).toEqual([human]);
    expect(restored.tally?.clicks).toBe(rows + 2);
    expect('quarters' in (stored.state() as { tally: object }).tally).toBe(length === 'day');
  });

  test('becomes a tally if too many clicks, even equal ones, are added at once, or if its texts are too long', () => {
    const many = new Period('link', 'quarter');
    expect(many.add(Array.from({ length: 128 }, () => human))).toEqual([]);
    expect(many.log?.length).toBe(1);
    const more = Array.from({ length: 129 }, () => human);
    expect(new Period('link', 'quarter').add(more)).toEqual(more);
    expect(many.add(more)).toEqual([{ ...human, clicks: 128 }, ...more]);
    const long = new Period('link', 'day');
    const texts = [{ ...human, referrer: 'x'.repeat(4_000) }];
    expect(long.add(texts)).toEqual([]);
    expect(long.add([{ ...human, referrer: 'y'.repeat(100) }])).toHaveLength(2);
  });

  test('counts every click if clicks that are added at once have more different texts than a log can hold', () => {
    const period = new Period('link', 'day');
    const clicks = Array.from({ length: 70_000 }, (_, i) => {
      const text = `${i}.example`;
      return { ...human, city: text, browser: text, referrer: text, link: text };
    });
    expect(period.add(clicks)).toHaveLength(70_000);
    expect([period.tally?.clicks, period.tally?.visitors.estimate()]).toEqual([70_000, 1]);
  });

  test('merges a tally, with its visitors', () => {
    const tally = new Tally('link');
    logOf([scan]).addTo(tally, 0, QUARTERS);
    const period = new Period('link', 'day');
    period.add([human]);
    period.merge(tally);
    expect([period.log, period.tally?.clicks, period.tally?.visitors.estimate()]).toEqual([undefined, 3, 2]);
    expect(period.toTally()).toEqual([]);
    const ofWorkspace = new Period('workspace', 'day', { tally: new Tally('workspace').state(true) });
    expect(ofWorkspace.tally?.kind).toBe('workspace');
  });
});

describe('a tally', () => {
  test('is stored with or without quarter hours', () => {
    const tally = new Tally('workspace');
    logOf([{ ...human, link: 'lnk_1' }, bot]).addTo(tally, 0, QUARTERS);
    const restored = Tally.from('workspace', tally.state(true));
    expect([restored.clicks, restored.bots, restored.visitors.estimate(), nonZeroQuarters(restored)]).toEqual([
      1,
      5,
      1,
      nonZeroQuarters(tally),
    ]);
    expect(restored.by.get('links')!.state().keys).toEqual(['lnk_1']);
    expect(nonZeroQuarters(Tally.from('workspace', tally.state(false)))).toEqual([]);
  });

  test('adds another tally, except its visitors', () => {
    const [one, other] = [new Tally('link'), new Tally('link')];
    for (const tally of [one, other]) logOf([human, bot]).addTo(tally, 0, QUARTERS);
    other.visitors.add(visitorHash('z'));
    one.merge(other);
    expect([one.clicks, one.bots, one.visitors.estimate()]).toEqual([2, 10, 1]);
    expect([counts(one, 'cities').counts, nonZeroQuarters(one)]).toEqual([
      [2],
      [
        [3, 2],
        [QUARTERS + 4, 10],
      ],
    ]);
  });

  test('holds up to 512 keys per dimension for a link, and 128 for a workspace, before it drops rare keys', () => {
    for (const [kind, capacity] of [
      ['link', 256],
      ['workspace', 64],
    ] as const) {
      const tally = new Tally(kind);
      for (let i = 0; i <= 2 * capacity; i += 1) tally.countBy('countries', `${i}`, 1);
      expect(tally.by.get('countries')!.size).toBe(0);
      const fewer = new Tally(kind);
      for (let i = 0; i < 2 * capacity; i += 1) fewer.countBy('countries', `${i}`, 1);
      const restored = Tally.from(kind, fewer.state(true));
      expect(restored.by.get('countries')!.size).toBe(2 * capacity);
      restored.countBy('countries', 'another', 1);
      expect(restored.by.get('countries')!.size).toBe(0);
    }
  });
});

test('a closed day has the counts of its tally, and returns those of a range of quarter hours', () => {
  const tally = new Tally('link');
  logOf([human, scan, bot]).addTo(tally, 0, QUARTERS);
  const state = ClosedDay.stateOf(tally, DayUniques.of(new Map([[3, tally.visitors]])));
  const unaligned = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(1), bytes]).subarray(1);
  const day = new ClosedDay({ ...state, quarters: unaligned(state.quarters), uniques: unaligned(state.uniques) });
  expect([day.clicksBetween(0, 96), day.clicksBetween(0, 3), day.clicksBetween(3, 95)]).toEqual([3, 0, 1]);
  expect(day.uniques.between(0, 96)).toBe(2);
  const sum = new Tally('link');
  for (let i = 0; i < 2; i += 1) day.addTo(sum);
  expect([sum.clicks, sum.bots, sum.visitors.estimate(), counts(sum, 'sources')]).toEqual([
    6,
    10,
    0,
    { keys: ['link', 'qr'], counts: [2, 4], other: 0 },
  ]);
  expect(nonZeroQuarters(sum)).toEqual([
    [3, 2],
    [95, 4],
    [QUARTERS + 4, 10],
  ]);
});
