// Summarizes Jest reports. Exits with 1 if a test failed (also when repeated) or was skipped. Lists tests that passed only when repeated,
// which fail the run with FLAKY_FAILS=true.
import { existsSync, readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const failuresOf = (report) =>
  report.testResults.flatMap(({ name, assertionResults, status }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    // A suite that could not be loaded has no tests.
    return (failed.length === 0 && status === 'failed' ? ['the suite'] : failed).map((test) => `${name}: ${test}`);
  });

let passed = 0;
let failed = 0;
const skipped = [];
const flaky = [];
for (const file of process.argv.slice(2)) {
  const report = read(file);
  const first = failuresOf(report);
  const last = existsSync(`${file}.again`) ? failuresOf(read(`${file}.again`)) : first;
  const repeated = first.filter((test) => !last.includes(test));
  flaky.push(...repeated);
  passed += report.numPassedTests + repeated.length;
  failed += last.length;
  for (const { assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status !== 'passed' && status !== 'failed') skipped.push(`${status}: ${fullName}`);
    }
  }
}
for (const line of skipped) console.log(line);
for (const test of flaky) console.log(`passed only when repeated: ${test}`);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(failed || skipped.length || (flaky.length && process.env.FLAKY_FAILS === 'true') ? 1 : 0);
