import type { Tautan } from '@tautan/sdk';
import { partialMatchKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi, useKeys } from '../../api/session-context.js';
import { dateIn, isKept, rangeBefore, type Range } from './range.js';

/** What statistics are about: one link, one QR code, or the workspace. */
export type Subject = { kind: 'link' | 'qr'; id: string } | { kind: 'workspace' };

export const dimensions = ['countries', 'cities', 'referrers', 'sources', 'devices', 'browsers', 'os'] as const;
export type Dimension = (typeof dimensions)[number];

/** The clicks of one value of a dimension, such as a country. */
export interface Entry {
  key: string;
  clicks: number;
}

export interface Point {
  time: string;
  clicks: number;
  uniques: number;
}

/** Statistics of any subject. For a QR code, `clicks` are its scans. */
export interface Figures {
  totals: { clicks: number; uniques: number; bots: number; scans?: number; links?: number; qrCodes?: number };
  timeSeries: Point[];
  lists: Partial<Record<Dimension, Entry[]>>;
  topLinks?: { id: string; slug: string; clicks: number }[];
}

const LIVE_MS = 5_000;

type Query = Range & { signal?: AbortSignal };

/** Reads the statistics of a subject over a range. */
export async function readFigures(api: Tautan, subject: Subject, { signal, ...query }: Query): Promise<Figures> {
  const options = { query, ...(signal && { signal }) };
  if (subject.kind === 'workspace') {
    const stats = await api.get('/workspaces/current/stats', options);
    const { totals, timeSeries, topLinks, countries, devices, referrers } = stats;
    return { totals, timeSeries, topLinks, lists: { countries, devices, referrers } };
  }
  const path = { id: subject.id };
  if (subject.kind === 'link') {
    const { totals, timeSeries, ...lists } = await api.get('/links/{id}/stats', { path, ...options });
    return { totals, timeSeries, lists: Object.fromEntries(dimensions.map((each) => [each, lists[each]])) };
  }
  const { totals, timeSeries, ...lists } = await api.get('/qr-codes/{id}/stats', { path, ...options });
  return {
    totals: { clicks: totals.scans, uniques: totals.uniques, bots: totals.bots },
    timeSeries: timeSeries.map(({ scans, ...point }) => ({ ...point, clicks: scans })),
    lists: Object.fromEntries(dimensions.map((each) => [each, lists[each].map(entryOfScans)])),
  };
}

const entryOfScans = ({ key, scans }: { key: string; scans: number }): Entry => ({ key, clicks: scans });

/** Removes points in the future, so that no series extends beyond the current hour, day or month. */
const untilNow = (figures: Figures): Figures => ({
  ...figures,
  timeSeries: figures.timeSeries.filter(({ time }) => Date.parse(time) <= Date.now()),
});

/** Query of a subject's statistics over a range. While they are loading, returns those of the range selected before. */
export function useFigures(subject: Subject, range: Range) {
  const api = useApi();
  const keys = useKeys();
  return useQuery({
    queryKey: keys('statistics', subject, range),
    queryFn: async ({ signal }) => untilNow(await readFigures(api, subject, { ...range, signal })),
    placeholderData: (figures, previous) =>
      previous && partialMatchKey(previous.queryKey, keys('statistics', subject)) ? figures : undefined,
  });
}

/** Query of the number of days for which the plan keeps statistics; null if it keeps them forever. */
function useRetentionDays() {
  const api = useApi();
  return useQuery({
    queryKey: useKeys()('billing', 'plan'),
    queryFn: async ({ signal }) => (await api.get('/billing/plan', { signal })).limits.analyticsRetentionDays,
  });
}

/**
 * Query of the statistics over the period before a range. Disabled unless the plan still keeps that whole period,
 * because statistics that were deleted would be compared as zeros.
 */
export function useFiguresBefore(subject: Subject, range: Range) {
  const api = useApi();
  const { data: retentionDays } = useRetentionDays();
  const now = new Date();
  return useQuery({
    queryKey: useKeys()('statistics', subject, range, 'before'),
    queryFn: ({ signal }) => readFigures(api, subject, { ...rangeBefore(range, new Date()), signal }),
    enabled: retentionDays !== undefined && isKept(rangeBefore(range, now), retentionDays, now),
  });
}

/**
 * Returns the number of today's clicks; undefined until it is known. If `isLive`, refetches it every five seconds while
 * the page is visible. When it changes, the other statistics are refetched.
 */
export function useClicksToday(subject: Subject, { tz, isLive }: { tz: string; isLive: boolean }) {
  const api = useApi();
  const keys = useKeys();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: keys('statistics-today', subject, tz),
    queryFn: async ({ signal }) => {
      const range = { from: dateIn(tz, new Date()), tz, granularity: 'day' } as const;
      return (await readFigures(api, subject, { ...range, signal })).totals.clicks;
    },
    refetchInterval: isLive && LIVE_MS,
  });
  const last = useRef(data);
  useEffect(() => {
    if (last.current !== undefined && last.current !== data)
      void queries.invalidateQueries({ queryKey: keys('statistics', subject) });
    last.current = data;
  });
  return data;
}
