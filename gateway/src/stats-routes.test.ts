import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { linkStatistics, stats, workspaceStatistics } from './testing/stats-and-audit.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  Object.assign(gateway.services.stats, stats());
});
afterAll(() => gateway.stop());

const received = (name: string) => requestsTo(gateway.services, name);
const get = (path: string) => gateway.request('GET', path);

describe('statistics of a link', () => {
  test('are returned with an unpacked time series', async () => {
    const { status, data } = await get('/links/abc/stats');
    expect([status, data]).toEqual([200, linkStatistics()]);
    expect(received('GetLinkStats')).toEqual([{ idOrSlug: 'abc', packedSeries: true }]);
  });

  test('are returned even if the link service does not support packed series', async () => {
    gateway.services.stats.GetLinkStats = async () => linkStatistics();
    expect((await get('/links/abc/stats')).data).toEqual(linkStatistics());
  });

  test('accept a range, granularity, time zone and domain', async () => {
    const query = { from: '2030-01-01', to: '2030-01-31T12:00:00+07:00', granularity: 'hour', tz: 'Asia/Jakarta' };
    await get(`/links/abc/stats?${new URLSearchParams({ ...query, domain: 'go.example.com' }).toString()}`);
    expect(received('GetLinkStats')).toEqual([
      { idOrSlug: 'abc', domain: 'go.example.com', ...query, packedSeries: true },
    ]);
  });

  test('without any clicks are zeros and empty lists', async () => {
    gateway.services.stats.GetLinkStats = async () => ({ from: 'a', to: 'b', granularity: 'month', tz: 'UTC' });
    expect((await get('/links/abc/stats')).data).toEqual({
      from: 'a',
      to: 'b',
      granularity: 'month',
      tz: 'UTC',
      totals: { clicks: 0, uniques: 0, bots: 0 },
      timeSeries: [],
      countries: [],
      cities: [],
      devices: [],
      browsers: [],
      os: [],
      referrers: [],
      sources: [],
    });
  });

  test.each(['week', 'HOUR', ''])('cannot be requested with the granularity %j', async (granularity) => {
    const { status, error } = await get(`/links/abc/stats?granularity=${granularity}`);
    expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', 'granularity']);
    expect(received('GetLinkStats')).toEqual([]);
  });

  test.each([
    ['VALIDATION_ERROR', 400, 'from'],
    ['FORBIDDEN', 403, undefined],
    ['NOT_FOUND', 404, undefined],
  ] as const)('return the %s of the service, in exports too', async (code, status, field) => {
    gateway.services.stats.GetLinkStats = () => Promise.reject(fail(code, 'No.', field));
    gateway.services.stats.ExportLinkStats = gateway.services.stats.GetLinkStats;
    for (const path of ['/links/abc/stats', '/links/abc/stats/export', '/links/abc/stats/export?format=json']) {
      const answer = await get(path);
      expect([answer.status, answer.error]).toEqual([status, { code, message: 'No.', ...(field && { field }) }]);
      expect(answer.headers.get('content-disposition')).toBeNull();
    }
  });
});

describe('an export of statistics', () => {
  const today = new Date().toISOString().slice(0, 10);

  test('is CSV by default', async () => {
    const { status, headers, text } = await get('/links/abc/stats/export?from=2030-01-01&tz=UTC');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="stats-abc-${today}.csv"`);
    expect(text).toMatch(/^time,clicks,uniques\r\n2029-12-03T00:00:00.000Z,5,3\r\n/);
    expect(received('ExportLinkStats')).toEqual([
      { idOrSlug: 'abc', from: '2030-01-01', tz: 'UTC', packedSeries: true },
    ]);
  });

  test('in JSON format is wrapped in the response envelope', async () => {
    const { headers, data, error, meta } = await get('/links/abc/stats/export?format=json');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="stats-abc-${today}.json"`);
    expect([data, error, meta.requestId]).toEqual([linkStatistics(), null, headers.get('x-request-id')]);
  });

  test('can only be requested as CSV or JSON', async () => {
    expect((await get('/links/abc/stats/export?format=ndjson')).error!.field).toBe('format');
  });
});

describe('statistics of the workspace', () => {
  test('are returned with an unpacked time series', async () => {
    const { status, data } = await get('/workspaces/current/stats?from=2030-01-01&to=2030-01-31');
    expect([status, data]).toEqual([200, workspaceStatistics()]);
    expect(received('GetWorkspaceStats')).toEqual([{ from: '2030-01-01', to: '2030-01-31', packedSeries: true }]);
  });

  test('return errors of the service', async () => {
    gateway.services.stats.GetWorkspaceStats = () => Promise.reject(fail('VALIDATION_ERROR', 'No.', 'to'));
    expect((await get('/workspaces/current/stats?to=x')).error!.field).toBe('to');
  });
});
