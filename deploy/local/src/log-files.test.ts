import { mkdtempSync, readFileSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LogFiles } from './log-files.js';

test('rotates a log that exceeds its limit while its writer continues', () => {
  const files = new LogFiles(mkdtempSync(join(tmpdir(), 'tautan-logs-')), 100);
  const fd = files.open('gateway');
  const path = join(files.folder, 'gateway.log');
  writeSync(fd, `${'a'.repeat(150)}\n`);
  files.rotate();
  writeSync(fd, 'after\n');
  expect(readFileSync(path, 'utf8')).toBe('after\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe(`${'a'.repeat(150)}\n`);
  expect(statSync(path).mode & 0o077).toBe(0);
  files.close();
});
