// Runs the end-to-end suites against the release in the cluster, behind nginx. Exits with 1 if a test fails, or if a
// test that suites.ts does not exclude is skipped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cluster } from './cluster.js';
import { openClusterStack } from './cluster-stack.js';
import { e2eSuites, jestArguments, root, type JestReport } from '../support/e2e-suites.js';
import { reasons, suites, type Reason } from './suites.js';

const all = e2eSuites();
const unknown = all.filter((name) => !(name in suites));
if (unknown.length > 0) throw new Error(`suites.ts does not say whether these run in a cluster: ${unknown.join(', ')}`);
const chosen: string[] = [];
/** Substrings of the names of the tests that suites.ts excludes. */
const excluded: string[] = [];
for (const name of all) {
  const entry = suites[name]!;
  if (typeof entry === 'string' && entry !== 'runs') {
    process.stdout.write(`cluster: not run: ${name}: ${reasons[entry]}\n`);
    continue;
  }
  chosen.push(name);
  if (entry === 'runs') continue;
  for (const [reason, tests] of Object.entries(entry) as [Reason, string[]][]) {
    excluded.push(...tests);
    process.stdout.write(`cluster: not run: "${tests.join('", "')}" of ${name}: ${reasons[reason]}\n`);
  }
}

const cluster = await Cluster.open();
const stack = await openClusterStack(cluster);
let passed = false;
try {
  passed = await runSuites(process.argv.slice(2));
} finally {
  await stack.stop();
  cluster.close();
}
process.exit(passed ? 0 : 1);

async function runSuites(only: string[]): Promise<boolean> {
  const report = join(stack.dataDir, 'report.json');
  const names = only.length > 0 ? only : chosen;
  const escaped = excluded.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const jest = jestArguments(names, [
    ...['--outputFile', report, '--testTimeout', '60000'],
    ...['--testNamePattern', `^(?!.*(${escaped.join('|')}))`],
  ]);
  const env = { ...process.env, TEST_STACK_DIR: stack.dataDir };
  const child = spawn(process.execPath, jest, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'exit');
  const { success, numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(
      ({ status, fullName }) =>
        !['passed', 'failed'].includes(status) && !excluded.some((name) => fullName.includes(name)),
    );
  for (const { fullName, status } of skipped) process.stderr.write(`${status}: ${fullName}\n`);
  process.stdout.write(`cluster: ${numPassedTests} end-to-end tests of ${names.length} suites passed\n`);
  return success && skipped.length === 0;
}
