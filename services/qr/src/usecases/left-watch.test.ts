import { expect, test } from '@jest/globals';
import { LEFT } from '../domain/qr-code.js';
import type { Unfinished } from '../store/qr-codes.js';
import { LeftWatch } from './left-watch.js';

const HOUR_MS = 3_600_000;
const aCode = (_id: string, state: Unfinished['state'], dueAt: Date): Unfinished => ({ _id, workspaceId: 'ws', state, dueAt }); // prettier-ignore

test('finds what was not touched for a lease, whatever time was written, and creations when they are abandoned', () => {
  let clock = 0;
  const watch = new LeftWatch({ leaseMs: 1_000, abandonedMs: 5_000 }, () => clock);
  const [ahead, behind] = [new Date(Date.now() + HOUR_MS), new Date(Date.now() - HOUR_MS)];
  const codes = [aCode('change', 'live', ahead), aCode('removal', 'deleted', behind), aCode('creation', 'begun', behind)]; // prettier-ignore
  const leftAt = (ms: number, also: Unfinished[] = []) => {
    clock = ms;
    return watch.left([...codes, ...also]).map(({ _id }) => _id);
  };
  for (let ms = 0; ms < 1_000; ms += 100) expect(leftAt(ms, [aCode('busy', 'live', new Date(ms + 1))])).toEqual([]);
  expect(leftAt(1_000, [aCode('busy', 'live', new Date(1_001))])).toEqual(['change', 'removal']);
  for (let ms = 1_100; ms < 5_000; ms += 100) expect(leftAt(ms)).toEqual(['change', 'removal']);
  expect(leftAt(5_000)).toEqual(['change', 'removal', 'creation']);
});

test('finds what was given back at once', () => {
  const watch = new LeftWatch({ leaseMs: 1_000, abandonedMs: 5_000 }, () => 0);
  expect(watch.left([aCode('given-back', 'live', LEFT)])).toHaveLength(1);
});
