// Adds up jest's reports; ends with 1 when a test failed (and failed again, where it got a second try) or was skipped.
import { existsSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
const skipped = [];
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const again = existsSync(`${file}.again`) ? JSON.parse(readFileSync(`${file}.again`, 'utf8')) : undefined;
  const broken = (again ?? report).numFailedTests + (again ?? report).numRuntimeErrorTestSuites;
  passed += report.numPassedTests + (again ? Math.max(0, report.numFailedTests - broken) : 0);
  failed += broken;
  for (const suite of report.testResults) {
    for (const test of suite.assertionResults) {
      if (test.status !== 'passed' && test.status !== 'failed') skipped.push(`${test.status}: ${test.fullName}`);
    }
  }
}
for (const line of skipped) console.log(line);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
process.exit(failed || skipped.length ? 1 : 0);
