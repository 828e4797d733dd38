import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { lockDataFolder } from './data-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'tautan-data-folder-'));
const isMounted = mountReadOnly();
afterAll(() => {
  if (isMounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true });
});

/** Mounts a read-only file system that has a folder `existing`. Returns false if this is not permitted. */
function mountReadOnly(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  mkdirSync(join(folder, 'existing'));
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  return true;
}

(isMounted ? test : test.skip).each(['existing', 'new', 'new/folder'])(
  'reports a read-only disk (%s)',
  async (name) => {
    const path = join(folder, name);
    const reason = `The data folder ${path} cannot be used: the disk is read-only.`;
    await expect(lockDataFolder(path)).rejects.toThrow(reason);
  },
);
