import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The root folder of the repository, in which Jest runs. */
export const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'tests', 'dist', 'e2e');

/** Returns the names of all end-to-end suites, such as `links` or `lists.long`. */
export const e2eSuites = (): string[] => readdirSync(folder).flatMap((name) => suiteOf(name) ?? []);

/** Returns the name of the suite in this file; undefined if it contains none. */
export const suiteOf = (path: string): string | undefined => /([^/\\]+)\.test\.js$/.exec(path)?.[1];

/** Returns the arguments of Node.js that run these suites, also long ones, with Jest. */
export const jestArguments = (suites: readonly string[], options: readonly string[]): string[] => [
  ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--json'],
  ...['--testPathIgnorePatterns', '/node_modules/', ...options],
  ...['--runTestsByPath', ...suites.map((name) => join(folder, `${name}.test.js`))],
];

/** Jest's report, with the fields used here. */
export interface JestReport {
  success: boolean;
  numPassedTests: number;
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[];
}
