import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import type { ChangeDeps } from '../steps/change-code.js';
import { sweepExpired } from './sweep-expired.js';

/**
 * Sweeps `count` QR codes that have reached a limit, numbered from 0. `failing` and `stillActive` return whether
 * expiring the code with the given number fails or leaves it active. Returns what the sweep has done.
 */
async function sweep(count: number, failing = (_n: number) => false, stillActive = (_n: number) => false) {
  const left = new Set(Array.from({ length: count }, (_, n) => `${n}`));
  const done = { reads: [] as number[], expired: 0, warnings: [] as string[], maxRunning: 0 };
  let running = 0;
  const deps = {
    routes: {
      ended: async (limit: number) => {
        if (done.reads.push(limit) > 20) throw new Error('the sweep does not end');
        return [...left].slice(0, limit).map((qrCodeId) => ({ qrCodeId, workspaceId: 'ws_1' }));
      },
    },
    codeMutex: {
      run: async (id: string) => {
        running += 1;
        done.maxRunning = Math.max(done.maxRunning, running);
        await Promise.resolve();
        running -= 1;
        if (failing(Number(id))) throw new Error('the link service fails');
        if (stillActive(Number(id))) return { code: { status: 'active' } };
        left.delete(id);
        done.expired += 1;
        return { code: { status: 'expired' } };
      },
    },
    log: { ...createLog('test', 'silent'), warn: ({ id }: { id: string }) => void done.warnings.push(id) },
  };
  await sweepExpired(deps as unknown as ChangeDeps);
  return done;
}

test('all QR codes that have reached a limit expire, 200 per read and eight concurrently', async () => {
  expect(await sweep(450)).toEqual({ reads: [200, 200, 200], expired: 450, warnings: [], maxRunning: 8 });
  expect(await sweep(400)).toEqual({ reads: [200, 200, 200], expired: 400, warnings: [], maxRunning: 8 });
  expect(await sweep(0)).toEqual({ reads: [200], expired: 0, warnings: [], maxRunning: 0 });
});

test('a failure is logged and does not prevent other QR codes from expiring', async () => {
  expect(await sweep(300, (n) => n === 0)).toEqual({
    reads: [200, 200],
    expired: 299,
    warnings: ['0', '0'],
    maxRunning: 8,
  });
});

test('the sweep ends if no QR code of a read expires', async () => {
  expect(await sweep(300, () => true)).toMatchObject({ reads: [200], expired: 0 });
  const active = () => true;
  expect(await sweep(300, undefined, active)).toMatchObject({ reads: [200], expired: 0, warnings: [] });
});
