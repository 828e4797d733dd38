import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { suites } from '../cluster/suites.js';
import { e2eSuites, jestArguments, root, suiteOf, type JestReport } from '../support/e2e-suites.js';

test('tests/cluster/suites.ts lists exactly the end-to-end suites', () => {
  expect(Object.keys(suites).sort()).toEqual(e2eSuites().sort());
});

test('each title excluded in tests/cluster/suites.ts is part of a test name', async () => {
  const excluded = Object.entries(suites).flatMap(([suite, entry]) =>
    typeof entry === 'string' ? [] : [{ suite, titles: Object.values(entry).flat() }],
  );
  const names = await testNames(excluded.map(({ suite }) => suite));
  for (const { suite, titles } of excluded)
    expect(titles.filter((title) => !names.get(suite)!.some((name) => name.includes(title)))).toEqual([]);
});

/** Returns the full names of tests by suite. Jest reports them without running any: its pattern matches none. */
async function testNames(of: string[]): Promise<Map<string, string[]>> {
  const args = jestArguments(of, ['--testNamePattern', '^$']);
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 10_000_000 });
  const { testResults } = JSON.parse(stdout) as JestReport;
  return new Map(
    testResults.map(({ name, assertionResults }) => [suiteOf(name)!, assertionResults.map((each) => each.fullName)]),
  );
}
