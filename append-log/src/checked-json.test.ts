import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readCheckedJson, writeCheckedJson } from './checked-json.js';
import { disk } from './disk.js';

const stored = { port: 8_081, encryptionKey: 'c2FuZGkgcmFoYXNpYSBzdGFjayBpbmkh', cookies: ['satu', 'dua'] };
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checked-json-'));
  path = join(folder, 'file.json');
  writeCheckedJson(path, stored);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('returns the written object, and undefined for a missing file; only the owner can read the file', () => {
  expect(readCheckedJson(path)).toEqual(stored);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['file.json']);
  expect(readCheckedJson(join(folder, 'missing.json'))).toBeUndefined();
});

test('syncs the folder after the file was replaced', () => {
  const sync = jest.spyOn(disk, 'syncDirectorySync').mockImplementation((synced) => {
    expect(readCheckedJson(synced)).toEqual({ port: 1 });
  });
  writeCheckedJson(path, { port: 1 });
  expect(sync).toHaveBeenCalledWith(path);
  sync.mockRestore();
});

test('accepts a file of an earlier version without a checksum', () => {
  writeFileSync(path, JSON.stringify(stored));
  expect(readCheckedJson(path)).toEqual(stored);
});

/**
 * Returns the object read from a file with these bytes, or undefined if it is rejected. Also checks that the error
 * names the file and that a rejected file is unchanged.
 */
function readFrom(bytes: Buffer): unknown {
  writeFileSync(path, bytes);
  try {
    return readCheckedJson(path);
  } catch (error) {
    expect((error as Error).message).toBe(
      `The file ${path} is damaged. Nothing was changed. Restore the file from a backup.`,
    );
    expect(readFileSync(path)).toEqual(bytes);
    return undefined;
  }
}

test('rejects a file with any bit flipped, unless its values are unchanged', () => {
  const whole = readFileSync(path);
  let rejected = 0;
  for (let at = 0; at < whole.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1 << bit;
      const value = readFrom(damaged);
      if (value === undefined) rejected += 1;
      else expect(value).toEqual(stored);
    }
  }
  expect(rejected).toBeGreaterThan(7 * whole.length);
});

test('rejects a truncated file', () => {
  const whole = readFileSync(path);
  // The last byte is a newline.
  for (let length = 0; length < whole.length - 1; length += 1)
    expect(readFrom(whole.subarray(0, length))).toBeUndefined();
  expect(readFrom(whole.subarray(0, -1))).toEqual(stored);
});
