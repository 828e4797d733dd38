import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { suites } from '../cluster/suites.js';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'tests', 'dist', 'e2e');

test('tests/cluster/suites.ts lists exactly the end-to-end suites', () => {
  const existing = readdirSync(folder).flatMap((name) => /^(.+)\.test\.js$/.exec(name)?.[1] ?? []);
  expect(Object.keys(suites).sort()).toEqual(existing.sort());
});

test('each title excluded in tests/cluster/suites.ts is part of a test name', async () => {
  for (const [suite, entry] of Object.entries(suites)) {
    if (typeof entry === 'string') continue;
    const names = await testNames(join(folder, `${suite}.test.js`));
    const titles = Object.values(entry).flat();
    expect(titles.filter((title) => !names.some((name) => name.includes(title)))).toEqual([]);
  }
});

/** The full names of the tests of a suite. Jest reports them without running any, because the pattern matches none. */
async function testNames(path: string): Promise<string[]> {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const args = [...jest, '--json', '--testNamePattern', '^$', '--runTestsByPath', path];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 10_000_000 });
  const report = JSON.parse(stdout) as { testResults: { assertionResults: { fullName: string }[] }[] };
  return report.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ fullName }) => fullName));
}
