import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, newId } from '@tautan/kit';
import { applyBatches, type ApplyBatchesDeps } from '../apply-batches.js';
import { closeDays } from '../close-days.js';
import { PlanStore } from '../store/plans.js';
import { StatsStore } from '../store/stats.js';
import { daysBetween } from '../domain/subject.js';
import { aClickBatch, type TestClick, unlimitedRetention } from '../../testing/clicks.js';
import { openDeps } from '../../testing/deps.js';
import { aPrincipal, startService, type Caller, type TestService } from '../../testing/service.js';
import { exportLinkStats } from './export-link-stats.js';
import { getLinkStats } from './get-link-stats.js';
import { getQrCodeStats } from './get-qr-code-stats.js';
import { getWorkspaceStats } from './get-workspace-stats.js';

let service: TestService;
let deps: ApplyBatchesDeps;

beforeAll(async () => {
  service = await startService();
  const { models } = service;
  deps = {
    models,
    connection: models.links.db,
    stats: new StatsStore(models),
    plans: new PlanStore(models, unlimitedRetention),
  };
});
afterAll(() => service.stop());

/** Returns a new link with clicks. */
async function aLinkWith(caller: Caller, clicks: Omit<TestClick, 'link'>[]) {
  const link = await caller.aLink();
  const full = clicks.map((click) => ({ ...click, link: link.id, workspace: caller.workspaceId }));
  if (full.length) await applyBatches(deps, [aClickBatch(full)]);
  return link;
}
const fault = (code: string, field?: string) =>
  expect.objectContaining(field === undefined ? { code } : { code, field });

describe('the statistics of a link', () => {
  test('contain all counts of the range, most clicks first', async () => {
    const caller = service.as();
    const link = await aLinkWith(caller, [
      { at: '2026-01-01T10:00:00Z', visitor: 'a', referrer: 'www.google.com', city: 'Jakarta' },
      { at: '2026-01-01T11:00:00Z', visitor: 'a', referrer: 'www.google.com' },
      { at: '2026-01-03T10:00:00Z', visitor: 'b', country: 'DE', qr: newId('qr'), userAgent: 'x' },
      { at: '2026-01-03T10:00:00Z', bot: true },
      { at: '2026-01-04T00:00:00Z', visitor: 'c' },
    ]);
    const stats = await caller.stats('GetLinkStats', { idOrSlug: link.id, from: '2026-01-01', to: '2026-01-03' });
    expect(stats).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-03T23:59:59.999Z',
      granularity: 'day',
      tz: 'UTC',
      totals: { clicks: 3, uniques: 2, bots: 1 },
      series: null,
      timeSeries: [
        { time: '2026-01-01T00:00:00.000Z', clicks: 2, uniques: 1 },
        { time: '2026-01-02T00:00:00.000Z', clicks: 0, uniques: 0 },
        { time: '2026-01-03T00:00:00.000Z', clicks: 1, uniques: 1 },
      ],
      countries: [
        { key: 'ID', clicks: 2 },
        { key: 'DE', clicks: 1 },
      ],
      cities: [{ key: 'Jakarta', clicks: 1 }],
      devices: [
        { key: 'desktop', clicks: 2 },
        { key: 'other', clicks: 1 },
      ],
      browsers: [
        { key: 'Firefox', clicks: 2 },
        { key: 'other', clicks: 1 },
      ],
      os: [
        { key: 'Linux', clicks: 2 },
        { key: 'other', clicks: 1 },
      ],
      referrers: [
        { key: 'www.google.com', clicks: 2 },
        { key: 'direct', clicks: 1 },
      ],
      sources: [
        { key: 'link', clicks: 2 },
        { key: 'qr', clicks: 1 },
      ],
    });
    const bySlug = await caller.stats('GetLinkStats', {
      idOrSlug: link.slug.toUpperCase(),
      from: '2026-01-01',
      to: '2026-01-03',
    });
    expect(bySlug).toEqual(stats);
  });

  test('have a packed time series on request, as do exports and the statistics of QR codes and workspaces', async () => {
    const caller = service.as();
    const { qrCodeId } = await caller.aCode();
    const { id } = await aLinkWith(caller, [{ at: '2026-01-01T10:00:00Z', qr: qrCodeId }]);
    const range = { from: '2026-01-01', to: '2026-01-02', granularity: 'day', packedSeries: true };
    const starts = ['2026-01-01', '2026-01-02'].map(Date.parse);
    for (const { series, timeSeries } of [
      await caller.stats('GetLinkStats', { idOrSlug: id, ...range }),
      await caller.stats('ExportLinkStats', { idOrSlug: id, ...range }),
      await caller.stats('GetQrCodeStats', { qrCodeId, ...range }),
      await caller.stats('GetWorkspaceStats', range),
    ])
      expect([series, timeSeries]).toEqual([{ starts, clicks: [1, 0], uniques: [1, 0] }, []]);
  });

  test('are exported only if the event export.performed can be written', async () => {
    const caller = service.as();
    const { id, slug } = await aLinkWith(caller, []);
    const opened = await openDeps(service.settings, { transact: () => Promise.reject(new Error('unavailable')) });
    await expect(exportLinkStats(opened.deps, caller.by, { idOrSlug: id })).rejects.toThrow('unavailable');
    await opened.close();
    await caller.stats('ExportLinkStats', { idOrSlug: slug });
    expect((await service.events(caller.workspaceId, 2)).at(-1)).toMatchObject({
      type: 'export.performed',
      target: { type: 'link', id, label: slug },
      data: { what: 'statistics' },
    });
  });

  test('use the requested time zone', async () => {
    const caller = service.as();
    const link = await aLinkWith(caller, [
      { at: '2026-01-01T16:59:00Z', visitor: 'a' },
      { at: '2026-01-01T17:00:00Z', visitor: 'b' },
    ]);
    const { timeSeries, totals } = await caller.stats('GetLinkStats', {
      idOrSlug: link.id,
      from: '2026-01-01',
      to: '2026-01-02',
      granularity: 'day',
      tz: 'Asia/Jakarta',
    });
    expect(totals).toEqual({ clicks: 2, uniques: 2, bots: 0 });
    expect(timeSeries).toEqual([
      { time: '2025-12-31T17:00:00.000Z', clicks: 1, uniques: 1 },
      { time: '2026-01-01T17:00:00.000Z', clicks: 1, uniques: 1 },
    ]);
    const second = await caller.stats('GetLinkStats', {
      idOrSlug: link.id,
      from: '2026-01-02',
      to: '2026-01-02',
      tz: 'Asia/Jakarta',
    });
    expect(second).toMatchObject({ granularity: 'hour', tz: 'Asia/Jakarta', totals: { clicks: 1 } });
    expect(second.countries).toEqual([{ key: 'ID', clicks: 1 }]);
  });

  test('contain a zero for every day if the link has no clicks', async () => {
    const caller = service.as();
    const { id } = await aLinkWith(caller, []);
    const { timeSeries, totals, referrers } = await caller.stats('GetLinkStats', { idOrSlug: id });
    expect(totals).toEqual({ clicks: 0, uniques: 0, bots: 0 });
    expect(timeSeries).toHaveLength(30);
    expect(new Set(timeSeries.map(({ clicks }) => clicks))).toEqual(new Set([0]));
    expect(referrers).toEqual([]);
  });

  test('count the visitors of closed days', async () => {
    const caller = service.as();
    const clicks = Array.from({ length: 300 }, (_, i) => ({ at: '2026-02-01T10:00:00Z', visitor: `${i}` }));
    const { id } = await aLinkWith(caller, clicks);
    await closeDays({ ...deps, log: createLog('test', 'silent') }, new Date('2026-02-03'));
    const { totals } = await caller.stats('GetLinkStats', { idOrSlug: id, from: '2026-02-01', to: '2026-02-01' });
    expect(totals).toEqual({ clicks: 300, uniques: 300, bots: 0 });
  });

  test('list at most fifty keys of each dimension', async () => {
    const caller = service.as();
    const clicks = Array.from({ length: 700 }, (_, i) => ({
      at: '2026-02-01T10:00:00Z',
      visitor: `${i}`,
      referrer: `h${i % 90}.example.com`,
      country: `C${i % 90}`,
      city: `City ${i % 90}`,
    }));
    const { id } = await aLinkWith(caller, clicks);
    const { referrers, countries, cities, totals } = await caller.stats('GetLinkStats', {
      idOrSlug: id,
      from: '2026-02-01',
      to: '2026-02-01',
    });
    expect(totals).toEqual({ clicks: 700, uniques: 700, bots: 0 });
    expect([referrers, countries, cities].map(({ length }) => length)).toEqual([50, 50, 50]);
    expect(referrers[0]).toEqual({ key: 'h0.example.com', clicks: 8 });
    const ofWorkspace = await caller.stats('GetWorkspaceStats', { from: '2026-02-01', to: '2026-02-01' });
    expect([ofWorkspace.referrers, ofWorkspace.countries]).toEqual([referrers, countries]);
  });

  test('return FORBIDDEN for links of other workspaces, and NOT_FOUND for unknown links', async () => {
    const [caller, stranger] = [service.as(), service.as()];
    const { id, slug } = await aLinkWith(caller, []);
    await expect(stranger.stats('GetLinkStats', { idOrSlug: id })).rejects.toEqual(fault('FORBIDDEN'));
    await expect(stranger.stats('GetLinkStats', { idOrSlug: slug })).rejects.toEqual(fault('FORBIDDEN'));
    await expect(caller.stats('GetLinkStats', { idOrSlug: newId('lnk') })).rejects.toEqual(fault('NOT_FOUND'));
    await expect(caller.stats('GetLinkStats', { idOrSlug: 'nowhere' })).rejects.toEqual(fault('NOT_FOUND'));
  });

  test.each([
    [{ from: '2026-01-02', to: '2026-01-01' }, 'from'],
    [{ from: '2020-01-01', to: '2026-01-01' }, 'from'],
    [{ to: 'tomorrow' }, 'to'],
    [{ tz: 'Nowhere/Else' }, 'tz'],
    [{ granularity: 'minute' }, 'granularity'],
  ])('reject %j, naming %s', async (range, field) => {
    const caller = service.as();
    const { id } = await aLinkWith(caller, []);
    await expect(caller.stats('GetLinkStats', { idOrSlug: id, ...range })).rejects.toEqual(
      fault('VALIDATION_ERROR', field),
    );
  });
});

describe('the statistics of a workspace', () => {
  test('count the clicks of all of its links, and of no other links', async () => {
    const caller = service.as();
    const at = '2026-01-01T10:00:00Z';
    const first = await aLinkWith(caller, [
      { at, visitor: 'a' },
      { at, visitor: 'b', qr: newId('qr'), country: 'SG', userAgent: 'x' },
      { at, bot: true },
    ]);
    const second = await aLinkWith(caller, [{ at, visitor: 'a', referrer: 't.co' }]);
    await aLinkWith(caller, []);
    await caller.aCode();
    await aLinkWith(service.as(aPrincipal()), [{ at, visitor: 'z' }]);
    const stats = await caller.stats('GetWorkspaceStats', { from: '2026-01-01', to: '2026-01-03' });
    expect(stats).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-03T23:59:59.999Z',
      totals: { links: 3, qrCodes: 1, clicks: 3, scans: 1, uniques: 2, bots: 1 },
      series: null,
      timeSeries: [
        { time: '2026-01-01T00:00:00.000Z', clicks: 3, uniques: 2 },
        { time: '2026-01-02T00:00:00.000Z', clicks: 0, uniques: 0 },
        { time: '2026-01-03T00:00:00.000Z', clicks: 0, uniques: 0 },
      ],
      topLinks: [
        { id: first.id, slug: first.slug, clicks: 2 },
        { id: second.id, slug: second.slug, clicks: 1 },
      ],
      countries: [
        { key: 'ID', clicks: 2 },
        { key: 'SG', clicks: 1 },
      ],
      devices: [
        { key: 'desktop', clicks: 2 },
        { key: 'other', clicks: 1 },
      ],
      referrers: [
        { key: 'direct', clicks: 2 },
        { key: 't.co', clicks: 1 },
      ],
    });
  });

  test('omit deleted links from the top links', async () => {
    const caller = service.as();
    const at = '2026-01-01T10:00:00Z';
    const deleted = await aLinkWith(caller, [{ at }, { at }]);
    const existing = await aLinkWith(caller, [{ at }]);
    await caller.links('DeleteLink', { id: deleted.id });
    const { topLinks, totals } = await caller.stats('GetWorkspaceStats', { from: '2026-01-01', to: '2026-01-01' });
    expect(topLinks).toEqual([{ id: existing.id, slug: existing.slug, clicks: 1 }]);
    expect(totals?.clicks).toBe(3);
  });

  test('list the first fifty existing links even if 110 deleted links outrank most of them', async () => {
    const caller = service.as();
    const [at, workspace] = ['2026-01-01T10:00:00Z', caller.workspaceId];
    const deleted = Array.from({ length: 110 }, () => ({ at, workspace, link: newId('lnk') }));
    const existing = await Promise.all(Array.from({ length: 51 }, () => caller.aLink()));
    const [first, ...others] = existing.map(({ id }) => ({ at, workspace, link: id }));
    const parts = [
      [...deleted, ...deleted],
      [first!, first!, first!, ...others],
    ];
    await applyBatches(
      deps,
      parts.map((clicks, partition) => ({ ...aClickBatch(clicks), partition })),
    );
    const { topLinks, totals } = await caller.stats('GetWorkspaceStats', { from: '2026-01-01', to: '2026-01-01' });
    const next = others.map(({ link }) => link).sort();
    expect(topLinks.map(({ id, clicks }) => [id, clicks])).toEqual([
      [first!.link, 3],
      ...next.slice(0, 49).map((id) => [id, 1]),
    ]);
    expect(totals?.clicks).toBe(273);
  });

  test('reject an invalid range', async () => {
    await expect(service.as().stats('GetWorkspaceStats', { from: '2026-01-02', to: '2026-01-01' })).rejects.toEqual(
      fault('VALIDATION_ERROR', 'from'),
    );
  });
});

test('statistics end at the current time if no range is given', async () => {
  const caller = service.as();
  const { id: idOrSlug } = await caller.aLink();
  const { qrCodeId } = await caller.aCode();
  const now = new Date('2026-01-02T10:00:00Z');
  const opened = await openDeps(service.settings, { now: () => now });
  for (const { to } of [
    await getLinkStats(opened.deps, caller.by, { idOrSlug }),
    await exportLinkStats(opened.deps, caller.by, { idOrSlug }),
    await getQrCodeStats(opened.deps, caller.by, { qrCodeId }),
    await getWorkspaceStats(opened.deps, caller.by, {}),
  ])
    expect(to).toBe(now.toISOString());
  await opened.close();
});

describe('after the call has ended', () => {
  test('a read of statistics stops', async () => {
    const { id } = await aLinkWith(service.as(), [{ at: '2026-01-01T10:00:00Z' }, { at: '2026-01-02T10:00:00Z' }]);
    const days = daysBetween(id, Date.parse('2026-01-01'), Date.parse('2026-01-02'));
    const readUntilAborted = async (source: 'periods' | 'days'): Promise<number> => {
      const call = new AbortController();
      let count = 0;
      const reading = deps.stats.snapshot(async (read) => {
        for await (const _ of source === 'days' ? read.days(days) : read.periods('days', [days])) {
          count += 1;
          call.abort();
        }
      }, call.signal);
      await expect(reading).rejects.toEqual(fault('TIMEOUT'));
      return count;
    };
    expect([await readUntilAborted('periods'), await readUntilAborted('days')]).toEqual([1, 1]);
  });

  test('no more links are read for the top links of a workspace', async () => {
    const { by, workspaceId: workspace } = service.as();
    const deleted = Array.from({ length: 110 }, () => ({ at: '2026-01-01T10:00:00Z', workspace, link: newId('lnk') }));
    await applyBatches(deps, [aClickBatch(deleted)]);
    const call = new AbortController();
    const opened = await openDeps(service.settings, { signal: call.signal });
    const { links } = opened.deps.store;
    let reads = 0;
    links.byIds = async () => {
      reads += 1;
      call.abort();
      return [];
    };
    await expect(getWorkspaceStats(opened.deps, by, { from: '2026-01-01', to: '2026-01-01' })).rejects.toThrow(
      'aborted',
    );
    expect(reads).toBe(1);
    await opened.close();
  });

  test('no use case returns statistics', async () => {
    const caller = service.as();
    const { id: link } = await aLinkWith(caller, []);
    const { qrCodeId } = await caller.aCode();
    const opened = await openDeps(service.settings, { signal: AbortSignal.abort() });
    try {
      const calls = [
        getLinkStats(opened.deps, caller.by, { idOrSlug: link }),
        exportLinkStats(opened.deps, caller.by, { idOrSlug: link }),
        getQrCodeStats(opened.deps, caller.by, { qrCodeId }),
        getWorkspaceStats(opened.deps, caller.by, {}),
      ];
      for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
        expect([status, reason]).toEqual(['rejected', fault('TIMEOUT')]);
    } finally {
      await opened.close();
    }
  });
});
