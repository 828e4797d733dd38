import { expect, test } from '@jest/globals';
import { UNCLAIMED } from '../domain/qr-code.js';
import type { Unfinished } from '../store/qr-codes.js';
import { UnclaimedWatch } from './unclaimed-watch.js';

const HOUR_MS = 3_600_000;
const aCode = (_id: string, state: Unfinished['state'], dueAt: Date): Unfinished => ({
  _id,
  workspaceId: 'ws',
  state,
  dueAt,
});

test('finds codes whose `dueAt`, past or future, does not change for `leaseMs` (`abandonedMs` during creation)', () => {
  let clock = 0;
  const watch = new UnclaimedWatch({ leaseMs: 1_000, abandonedMs: 5_000 }, () => clock);
  const [ahead, behind] = [new Date(Date.now() + HOUR_MS), new Date(Date.now() - HOUR_MS)];
  const codes = [
    aCode('change', 'live', ahead),
    aCode('removal', 'deleted', behind),
    aCode('creation', 'begun', behind),
  ];
  const unclaimedAt = (ms: number, also: Unfinished[] = []) => {
    clock = ms;
    return watch.unclaimed([...codes, ...also]).map(({ _id }) => _id);
  };
  for (let ms = 0; ms < 1_000; ms += 100)
    expect(unclaimedAt(ms, [aCode('busy', 'live', new Date(ms + 1))])).toEqual([]);
  expect(unclaimedAt(1_000, [aCode('busy', 'live', new Date(1_001))])).toEqual(['change', 'removal']);
  for (let ms = 1_100; ms < 5_000; ms += 100) expect(unclaimedAt(ms)).toEqual(['change', 'removal']);
  expect(unclaimedAt(5_000)).toEqual(['change', 'removal', 'creation']);
});

test('finds released records immediately', () => {
  const watch = new UnclaimedWatch({ leaseMs: 1_000, abandonedMs: 5_000 }, () => 0);
  expect(watch.unclaimed([aCode('released', 'live', UNCLAIMED)])).toHaveLength(1);
});
