// Sums up Jest's reports. The report `<file>.again` is that of a second run of the test files that failed in `<file>`.
// Exits with 1 if a test failed, passed only when repeated, or was skipped. Prints each flaky test, with the seed of its
// failure if the seed is known.
import { existsSync, readFileSync } from 'node:fs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Returns the seed of a failure as text to append: from the message of fast-check, or CHAOS_SEED for a chaos suite. */
function seedOf(name, messages) {
  const seed = /\bseed: (-?\d+)/.exec(messages.join('\n'))?.[1];
  if (seed) return ` (seed ${seed})`;
  return name.includes('/chaos/') && process.env.CHAOS_SEED ? ` (CHAOS_SEED=${process.env.CHAOS_SEED})` : '';
}

/** Returns the failed tests of a report with their seeds. A suite that cannot be loaded counts as one test. */
function failuresOf(report) {
  const failures = new Map();
  for (const { name, assertionResults, status, message } of report.testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of failed)
      failures.set(`${name}: ${fullName}`, seedOf(name, failureMessages));
    if (failed.length === 0 && status === 'failed') failures.set(`${name}: the suite`, seedOf(name, [message]));
  }
  return failures;
}

let passed = 0;
let failed = 0;
const skipped = [];
const flaky = [];
for (const file of process.argv.slice(2)) {
  const report = read(file);
  const first = failuresOf(report);
  const last = existsSync(`${file}.again`) ? failuresOf(read(`${file}.again`)) : first;
  const passedOnRepeat = [...first].filter(([test]) => !last.has(test));
  flaky.push(...passedOnRepeat.map(([test, seed]) => test + seed));
  passed += report.numPassedTests + passedOnRepeat.length;
  failed += last.size;
  for (const { assertionResults } of report.testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status !== 'passed' && status !== 'failed') skipped.push(`${status}: ${fullName}`);
    }
  }
}
for (const line of skipped) console.log(line);
for (const test of flaky) console.log(`flaky, passed only when repeated: ${test}`);
console.log(`${passed} passed, ${failed} failed, ${flaky.length} flaky, ${skipped.length} skipped`);
process.exit(failed || flaky.length || skipped.length ? 1 : 0);
