import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppendLog } from './append-log.js';
import { disk } from './disk.js';

const folder = mkdtempSync(join(tmpdir(), 'append-log-'));
const { append } = disk;
beforeEach(() => void mkdirSync(folder, { recursive: true }));
afterEach(() => {
  disk.append = append;
  rmSync(folder, { recursive: true, force: true });
});

const failing = (code: string): void => {
  disk.append = () => Promise.reject(Object.assign(new Error('refused'), { code }));
};

test('a short write counts as a full disk; an error without a code does not', async () => {
  let calls = 0;
  const makeRoom = async (): Promise<boolean> => {
    calls += 1;
    return false;
  };
  const log = await AppendLog.open(join(folder, 'short'), { onRecord: () => {}, onLoss: () => {}, makeRoom });
  const short = { writev: async () => ({ bytesWritten: 1 }) } as unknown as FileHandle;
  disk.append = (_, buffers, position, sync) => append(short, buffers, position, sync);
  await expect(log.append(Buffer.from('refused'))).rejects.toThrow('only 1 of');
  expect(calls).toBe(1);
  disk.append = append;
  await log.recover(() => {});
  disk.append = () => Promise.reject(new TypeError('refused'));
  await expect(log.append(Buffer.from('refused'))).rejects.toThrow('refused');
  expect(calls).toBe(1);
  await log.close().catch(() => undefined);
});

test('retries a write on a full disk after makeRoom freed space, but not after other errors', async () => {
  const path = join(folder, 'log');
  let calls = 0;
  const makeRoom = async (): Promise<boolean> => {
    calls += 1;
    disk.append = append;
    return calls === 1;
  };
  const log = await AppendLog.open(path, { onRecord: () => {}, onLoss: () => {}, makeRoom });
  failing('ENOSPC');
  await log.append(Buffer.from('kept'));
  failing('EIO');
  await expect(log.append(Buffer.from('refused'))).rejects.toThrow('refused');
  expect(calls).toBe(1);
  await log.close().catch(() => undefined);
  const records: string[] = [];
  const reopened = await AppendLog.open(path, { onRecord: (record) => records.push(`${record}`), onLoss: () => {} });
  expect(records).toEqual(['kept']);
  await reopened.close();
});
