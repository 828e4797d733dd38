import { expect, test } from '@jest/globals';
import { planNames, type Plans } from '@tautan/proto';
import { quarterOf } from './quarters.js';
import { closingOf, expiryOf, retention, retentionDays } from './retention.js';
import {
  dayBefore,
  dayId,
  dayIdOf,
  dayStartOf,
  daysBetween,
  isTallyToClose,
  quarterId,
  quarterOfId,
  quartersOf,
  tallyId,
} from './subject.js';

const link = dayId({ kind: 'link', id: 'lnk_1' }, '2030-01-01');
const workspace = dayId({ kind: 'workspace', id: 'ws_1', partition: 3 }, '2030-01-01');

test('the id of a day contains its date, and for a workspace also the partition', () => {
  expect([link, workspace]).toEqual(['lnk_1/2030-01-01', 'ws_1/2030-01-01/03']);
  expect(dayId({ kind: 'workspace', id: 'ws_1', partition: 15 }, '2030-01-01')).toBe('ws_1/2030-01-01/15');
  for (const id of [link, workspace, quarterId(link, 7)]) expect(dayStartOf(id)).toBe(Date.UTC(2030, 0, 1));
  expect([dayBefore(link), dayBefore(workspace)]).toEqual(['lnk_1/2029-12-31', 'ws_1/2029-12-31/03']);
});

test('the id of a tally contains the id of its day, and the days of workspaces are never closed', () => {
  expect([tallyId(link), dayIdOf(tallyId(link)), dayIdOf(link)]).toEqual([`${link}/tally`, link, link]);
  expect([tallyId(link), tallyId(workspace), link, workspace].map(isTallyToClose)).toEqual([true, false, false, false]);
});

test('a quarter hour of a day ends where the next one starts', () => {
  const times = ['00:00:00.000', '00:14:59.999', '00:15:00.000', '23:59:59.999'];
  expect(times.map((time) => quarterOf(Date.parse(`2030-01-01T${time}Z`)))).toEqual([0, 0, 1, 95]);
});

test('the range of a day contains its quarter hours, but not those of other days', () => {
  expect([quarterId(link, 7), quarterOfId(quarterId(link, 7)), quarterOfId(quarterId(link, 95))]).toEqual([
    'lnk_1/2030-01-01/07',
    7,
    95,
  ]);
  const { $gte, $lt } = quartersOf(link);
  const within = (id: string) => id >= $gte && id < $lt;
  expect([quarterId(link, 0), quarterId(link, 95), link, 'lnk_1/2030-01-02/00'].map(within)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a range of days includes both ends, with their tallies', () => {
  const { $gte, $lt } = daysBetween('lnk_1', Date.UTC(2030, 0, 1, 23), Date.UTC(2030, 0, 2));
  const within = (id: string) => id >= $gte && id < $lt;
  expect([link, tallyId('lnk_1/2030-01-02'), 'lnk_1/2030-01-02'].map(within)).toEqual([true, true, true]);
  expect(['lnk_1/2029-12-31/tally', 'lnk_1/2030-01-03', 'lnk_2/2030-01-01'].map(within)).toEqual([false, false, false]);
});

const limits = (days: number | null) => ({ limits: { analyticsRetentionDays: days } });
const plans = Object.fromEntries(
  planNames.map((name) => [name, limits(name === 'FREE' ? 30 : null)]),
) as unknown as Plans;

test('statistics are kept as long as the plan specifies, and for a century if it has no limit', () => {
  const kept = retention(plans, 7);
  expect(kept).toMatchObject({ FREE: 30, PRO: 36_500, other: 7 });
  expect([retentionDays(kept, 'FREE'), retentionDays(kept, 'GOLD'), retentionDays(kept, undefined)]).toEqual([
    30, 7, 7,
  ]);
  expect(retentionDays(kept, 'toString')).toBe(7);
});

test('a day can be closed an hour after its end, and its statistics expire the given number of days after its end', () => {
  expect(closingOf(Date.UTC(2030, 0, 1))).toEqual(new Date('2030-01-02T01:00:00.000Z'));
  expect(expiryOf(Date.UTC(2030, 0, 1), 30)).toEqual(new Date('2030-02-01T00:00:00.000Z'));
});
