/** Tests run on the compiled tree (`npm run build` first), so that the shipped code is tested. */
export default {
  testMatch: ['**/dist/**/*.test.js'],
  // Slow tests have separate suites: `npm run test:long` (faults, floods, kills) and `npm run test:chaos`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '/tests/dist/chaos/',
    '/tests/dist/chart/',
    '/tests/dist/cluster/',
    '/tests/dist/contract/',
    '\\.long\\.test\\.js$',
  ],
  transform: {},
  testEnvironment: 'node',
  globalSetup: './tests/dist/support/shared-stack-setup.js',
  globalTeardown: './tests/dist/support/shared-stack-teardown.js',
  testTimeout: 30_000,
  maxWorkers: 2,
  // The modules of a suite stay in a worker's heap: past this, a new worker starts before collecting garbage gets slow.
  workerIdleMemoryLimit: '400MB',
};
