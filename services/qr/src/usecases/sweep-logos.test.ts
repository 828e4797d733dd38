import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { sweepLogos } from './sweep-logos.js';

const DAY_MS = 86_400_000;
const now = new Date('2030-03-01T00:00:00.000Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);

/**
 * Sweeps logos. `days` holds the days since the last use of each logo, `used` the positions of the logos that a QR code
 * uses. Returns the remaining logos, the reported counts, the log entries and the number of reads.
 */
async function sweep(days: number[], used: number[] = []) {
  const logos = new Map(days.map((each, n) => [`lgo_${n}`, daysAgo(each)]));
  const counts: number[] = [];
  let reads = 0;
  const logged: unknown[] = [];
  const deps = {
    store: { qrCodes: { usesLogo: async (_workspaceId: string, id: string) => used.includes(Number(id.slice(4))) } },
    logos: {
      touchUndated: async () => undefined,
      usedBefore: async (before: Date, limit: number) => {
        reads += 1;
        const unused = [...logos].filter(([, usedAt]) => usedAt <= before).slice(0, limit);
        return unused.map(([_id]) => ({ _id, workspaceId: 'ws_1' }));
      },
      touch: async (_workspaceId: string, ids: string[], at: Date) => void ids.forEach((id) => logos.set(id, at)),
      deleteUsedBefore: async (_workspaceId: string, id: string, before: Date) =>
        logos.get(id)! <= before && logos.delete(id),
    },
    transact: (_by: unknown, work: (tx: object) => unknown) => work({}),
    now: () => now,
    unusedLogoDays: 30,
    countDeleted: (count: number) => void counts.push(count),
    log: { ...createLog('test', 'silent'), info: (fields: unknown) => void logged.push(fields) },
  };
  await sweepLogos(deps as never);
  return { logos, counts, logged, reads };
}

test('only logos that were unused for at least 30 days are deleted and counted', async () => {
  const { logos, counts, logged } = await sweep([29.9, 30, 30.1, 400]);
  expect([...logos.keys()]).toEqual(['lgo_0']);
  expect([counts, logged]).toEqual([[3], [{ deleted: 3 }]]);
});

test('a logo that a QR code uses is kept for another 30 days', async () => {
  const { logos, counts, logged } = await sweep([40, 40], [1]);
  expect([...logos]).toEqual([['lgo_1', now]]);
  expect([counts, logged]).toEqual([[1], [{ deleted: 1 }]]);
  expect(await sweep([40], [0])).toMatchObject({ counts: [0], logged: [] });
});

test('a sweep deletes up to 1,000 logos', async () => {
  const sweepMany = async (count: number) => {
    const { logos, reads } = await sweep(Array<number>(count).fill(31));
    return { left: logos.size, reads };
  };
  expect(await sweepMany(250)).toEqual({ left: 0, reads: 3 });
  expect(await sweepMany(1_001)).toEqual({ left: 1, reads: 10 });
});
