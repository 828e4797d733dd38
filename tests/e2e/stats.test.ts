import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type ApiResponse, type Client } from '../support/client.js';
import { accepted } from '../support/people.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

let stack: Stack;
let api: Client;
let link: ApiLink;

interface KeyClicks {
  key: string;
  clicks: number;
}

interface Stats {
  from: string;
  to: string;
  granularity: string;
  tz: string;
  totals: { clicks: number; uniques: number; bots: number };
  timeSeries: { time: string; clicks: number; uniques: number }[];
  countries: KeyClicks[];
  cities: KeyClicks[];
  devices: KeyClicks[];
  browsers: KeyClicks[];
  os: KeyClicks[];
  referrers: KeyClicks[];
  sources: KeyClicks[];
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const desktop = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
  link = await aLink(api);
  const click = (headers: Record<string, string>) => visit(stack.baseUrl, `/${link.slug}`, { headers });
  for (let i = 0; i < 3; i += 1) await click({ 'user-agent': phone, referer: 'https://news.example.org/a' });
  for (let i = 0; i < 2; i += 1) await click({ 'user-agent': desktop });
  await click({ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
});

const stats = (query = '') => api.get<Stats>(`/links/${link.id}/stats${query}`);
const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];

test('a click is visible within 5 s in totals, series, devices, browsers, OS, referrers and sources', async () => {
  await eventually(async () => expect((await stats()).data.totals.clicks).toBe(5), 5_000);
  const { data } = await stats();
  expect(data.totals).toEqual({ clicks: 5, uniques: 2, bots: 1 });
  expect(data.devices).toEqual([
    { key: 'mobile', clicks: 3 },
    { key: 'desktop', clicks: 2 },
  ]);
  expect(data.referrers).toEqual([
    { key: 'news.example.org', clicks: 3 },
    { key: 'direct', clicks: 2 },
  ]);
  expect(data.sources).toEqual([{ key: 'link', clicks: 5 }]);
  expect(data.browsers.map(({ clicks }) => clicks)).toEqual([3, 2]);
  expect(data.os.map(({ clicks }) => clicks)).toEqual([3, 2]);
  expect(data.timeSeries.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(5);
});

test('the default range is the last 30 days with one point per day; a day has hourly points, and a year monthly ones', async () => {
  const month = (await stats()).data;
  expect([month.granularity, month.tz, month.timeSeries.length]).toEqual(['day', 'UTC', 30]);
  const day = (await stats('?from=2026-03-01&to=2026-03-01')).data;
  expect([day.granularity, day.timeSeries.length]).toEqual(['hour', 24]);
  const year = (await stats('?from=2025-01-01&to=2025-12-31')).data;
  expect([year.granularity, year.timeSeries.length]).toEqual(['month', 12]);
  const daily = (await stats('?from=2025-01-01&to=2025-12-31&granularity=day')).data;
  expect(daily.timeSeries).toHaveLength(365);
});

test('a day begins and ends at midnight in the requested time zone, including days of 23 and 25 hours', async () => {
  const hours = async (date: string) =>
    (await stats(`?from=${date}&to=${date}&granularity=hour&tz=Europe/Berlin`)).data.timeSeries.map(({ time }) => time);
  const spring = await hours('2026-03-29');
  const autumn = await hours('2026-10-25');
  expect([spring.length, spring[0], spring.at(-1)]).toEqual([
    23,
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:00:00.000Z',
  ]);
  expect([autumn.length, autumn[0], autumn.at(-1)]).toEqual([
    25,
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T22:00:00.000Z',
  ]);
});

test('rejects an invalid range, time zone or granularity, and names the parameter', async () => {
  for (const [query, field] of [
    ['?from=2026-02-01&to=2026-01-01', 'from'],
    ['?from=2023-01-01T00:00Z&to=2026-01-01T00:00:01Z', 'from'],
    ['?from=2020-01-01&to=2026-01-01', 'from'],
    ['?from=yesterday', 'from'],
    ['?tz=Mars/Olympus', 'tz'],
    ['?granularity=week', 'granularity'],
  ] as const) {
    expect([query, ...errorOf(await stats(query))]).toEqual([query, 400, 'VALIDATION_ERROR', field]);
  }
});

test('the export is a file: CSV with sections, or JSON', async () => {
  const csv = await api.get(`/links/${link.id}/stats/export?format=csv`);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment/);
  const lines = csv.text.split(/\r?\n/);
  expect(lines[0]).toBe('time,clicks,uniques');
  expect(lines).toContain('devices,mobile,3');
  const json = await api.get(`/links/${link.id}/stats/export?format=json`);
  expect(JSON.parse(json.text)).toMatchObject({ data: { totals: { clicks: 5 } } });
});

test('the workspace has statistics with its most clicked links', async () => {
  await eventually(async () => {
    const { data } = await api.get<Stats & { topLinks: { id: string; slug: string; clicks: number }[] }>(
      '/workspaces/current/stats',
    );
    expect(data.totals).toMatchObject({ links: 1, qrCodes: 0, clicks: 5, scans: 0, uniques: 2, bots: 1 });
    expect(data.topLinks).toEqual([{ id: link.id, slug: link.slug, clicks: 5 }]);
    expect(data.timeSeries.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(5);
  });
});

test('the statistics of a workspace accept a granularity and a time zone, and their series has no gaps', async () => {
  const series = async (query: string) =>
    accepted(await api.get<Stats>(`/workspaces/current/stats?${query}`)).timeSeries;
  const autumn = (await series('from=2026-10-25&to=2026-10-25&granularity=hour&tz=Europe/Berlin')).map(
    ({ time }) => time,
  );
  expect([autumn.length, autumn[0], autumn.at(-1)]).toEqual([
    25,
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T22:00:00.000Z',
  ]);
  expect(await series('from=2025-01-01&to=2025-12-31')).toHaveLength(12);
  expect(await series('from=2025-01-01&to=2025-12-31&granularity=day')).toHaveLength(365);
  expect((await series('tz=Asia/Jakarta')).reduce((sum, { clicks }) => sum + clicks, 0)).toBe(5);
  for (const [query, field] of [
    ['tz=Mars/Olympus', 'tz'],
    ['granularity=week', 'granularity'],
  ] as const) {
    expect(errorOf(await api.get(`/workspaces/current/stats?${query}`))).toEqual([400, 'VALIDATION_ERROR', field]);
  }
});
