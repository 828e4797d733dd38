import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

// Mutates the compiled code of a folder or file in place with Stryker and reports the surviving mutants. Runs the tests
// next to the code, and the tests of the same package whose compiled paths match the additional arguments. Stryker
// restores the code at the end. If this process was killed with SIGKILL, run `npm run clean` and `npm run build`.

/** Installed by npx on demand, because nothing else needs these packages and their dependencies, 168 in total. */
const STRYKER = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/jest-runner@9.6.1'];

const root = resolve(import.meta.dirname, '..', '..', '..');
const [target, ...patterns] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write(
    'Usage: npm run test:mutation -- services/kit/src/async [pattern of additional test files]...\n',
  );
  process.exit(2);
}
const code = relative(root, target).replace(/(^|\/)src(\/|$)/, '$1dist$2');
const isFile = /\.tsx?$/.test(code);
const ownTests = isFile ? code.replace(/tsx?$/, 'test\\.js$') : `${code}/.*\\.test\\.js$`;
const packageOutput = join(root, code.replace(/\/dist(\/.*)?$/, '/dist'));

const temporaryFolder = mkdtempSync(join(tmpdir(), 'tautan-mutation-'));
const write = (name: string, content: object): string => {
  const path = join(temporaryFolder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const jestConfig = write('jest.config.json', {
  rootDir: root,
  roots: [packageOutput],
  testRegex: [ownTests, ...patterns.map((pattern) => `${pattern}.*\\.test\\.js$`)],
  transform: {},
  testTimeout: 30_000,
  workerIdleMemoryLimit: '400MB',
});
const configuration = write('stryker.config.json', {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: { projectType: 'custom', configFile: jestConfig, enableFindRelatedTests: true },
  mutate: isFile
    ? [code.replace(/tsx?$/, 'js')]
    : [`${code}/**/*.js`, `!${code}/**/*.test.js`, `!${code}/**/*.fixture.js`, `!${code}/**/testing/**`],
  mutator: { excludedMutations: ['StringLiteral'] },
  inPlace: true,
  // Otherwise Stryker inserts a comment into every source file.
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  // Static mutants are in code that runs outside of tests, such as in hooks that start a service. Each needs a run of
  // all tests, which takes too long if these include tests of other folders.
  ignoreStatic: patterns.length > 0,
  concurrency: 1,
  // Milliseconds in addition to 1.5 times the duration of the tests. Each mutant that hangs costs this time, and
  // the start of a new process.
  timeoutMS: 3_000,
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false },
  tempDirName: join(temporaryFolder, 'backup'),
});
const packages = STRYKER.flatMap((name) => ['--package', name]);
const arguments_ = ['--yes', '--ignore-scripts', ...packages, '--', 'stryker', 'run', configuration];
const { status } = spawnSync('npx', arguments_, { cwd: root, stdio: 'inherit' });
rmSync(temporaryFolder, { recursive: true, force: true });
process.exit(status ?? 1);
