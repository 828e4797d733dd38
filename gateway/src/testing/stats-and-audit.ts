import type { Handlers } from '@tautan/kit/rpc';
import type { AuditDefinition, StatsDefinition } from '@tautan/proto';
import { NOW } from './people.js';

export const LAST_MONTH = '2029-12-03T00:00:00.000Z';
const timeSeries = [
  { time: LAST_MONTH, clicks: 5, uniques: 3 },
  { time: '2029-12-04T00:00:00.000Z', clicks: 0, uniques: 0 },
];
const countries = [
  { key: 'ID', clicks: 4 },
  { key: 'SG', clicks: 1 },
];
const devices = [{ key: 'mobile', clicks: 5 }];
const referrers = [{ key: 'direct', clicks: 5 }];

/**
 * Statistics of a link as the API returns them. Earlier versions of the link service, which do not pack the time
 * series, return them in the same form.
 */
export const linkStatistics = (overrides: object = {}) => ({
  from: LAST_MONTH,
  to: NOW,
  granularity: 'day',
  tz: 'UTC',
  totals: { clicks: 5, uniques: 3, bots: 2 },
  timeSeries,
  countries,
  cities: [],
  devices,
  browsers: [{ key: 'Chrome', clicks: 5 }],
  os: [{ key: 'Android', clicks: 5 }],
  referrers,
  sources: [{ key: 'link', clicks: 5 }],
  ...overrides,
});

/** The packed form of `timeSeries`. The link service returns it instead of `timeSeries`. */
const series = {
  starts: timeSeries.map(({ time }) => Date.parse(time)),
  clicks: timeSeries.map(({ clicks }) => clicks),
  uniques: timeSeries.map(({ uniques }) => uniques),
};

export const workspaceStatistics = () => ({
  from: LAST_MONTH,
  to: NOW,
  totals: { links: 1, qrCodes: 2, clicks: 5, scans: 0, uniques: 3, bots: 2 },
  timeSeries,
  topLinks: [{ id: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e', slug: 'abc', clicks: 5 }],
  countries,
  devices,
  referrers,
});

export const stats = (): Handlers<StatsDefinition> => ({
  GetLinkStats: async () => linkStatistics({ series, timeSeries: [] }),
  ExportLinkStats: async () => linkStatistics({ series, timeSeries: [] }),
  GetQrCodeStats: async () => linkStatistics({ series, timeSeries: [], sources: [{ key: 'qr', clicks: 5 }] }),
  GetWorkspaceStats: async () => ({ ...workspaceStatistics(), series, timeSeries: [] }),
});

/** An audit entry as returned by the workspaces service. */
export const anEntry = (overrides: object = {}) => ({
  id: 'aud_01jd3x8q4v5w6y7z8a9b0c1d2e',
  action: 'link.expired',
  actorType: 'system',
  actorName: 'Tautan',
  targetType: 'link',
  targetId: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e',
  targetLabel: 'abc',
  changes: '{}',
  createdAt: NOW,
  ...overrides,
});

export const audit = (): Handlers<AuditDefinition> => ({ ListAuditLog: async () => ({ entries: [anEntry()] }) });
