import { expect, test } from '@jest/globals';
import type { Tautan } from '@tautan/sdk';
import { dimensions, readFigures, type Subject } from './statistics.js';

const RANGE = { from: '2026-01-01', tz: 'UTC', granularity: 'day' } as const;

/** Returns the names of the lists that `readFigures` returns for a response of the API with the given lists. */
async function listNames(subject: Subject, responseLists: readonly string[]): Promise<string[]> {
  const stats = {
    ...RANGE,
    to: '2026-01-31T23:59:59.999Z',
    totals: { clicks: 0, scans: 0, uniques: 0, bots: 0 },
    timeSeries: [],
    topLinks: [],
    ...Object.fromEntries(responseLists.map((name) => [name, []])),
  };
  const api = { get: () => Promise.resolve(stats) } as unknown as Tautan;
  return Object.keys((await readFigures(api, subject, RANGE)).lists);
}

test('the figures have a list for each dimension in the response, and no other list', async () => {
  const ofWorkspace = ['countries', 'devices', 'referrers'];
  expect(await listNames({ kind: 'workspace' }, ofWorkspace)).toEqual(ofWorkspace);
  expect(await listNames({ kind: 'link', id: 'lnk_1' }, dimensions)).toEqual([...dimensions]);
  expect(await listNames({ kind: 'qr', id: 'qr_1' }, dimensions)).toEqual([...dimensions]);
});
