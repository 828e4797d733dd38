/** Tests run on compiled code (`npm run build` first), so that the shipped code is tested. */
export default {
  testMatch: ['**/dist/**/*.test.js'],
  // Tests that are slow or need more than Node.js have their own scripts in package.json, such as `test:long`.
  testPathIgnorePatterns: [
    '/node_modules/',
    '/tests/dist/chaos/',
    '/tests/dist/chart/',
    '/tests/dist/cluster/',
    '/tests/dist/contract/',
    '\\.long\\.test\\.js$',
  ],
  transform: {},
  testEnvironment: './tests/dist/support/jest-environment.js',
  globalSetup: './tests/dist/support/shared-stack-setup.js',
  globalTeardown: './tests/dist/support/shared-stack-teardown.js',
  testTimeout: 60_000,
  // One more than the two cores of a small machine, because tests also wait.
  maxWorkers: 3,
  // Modules of finished suites stay in a worker's heap. A worker above this limit is replaced between suites, before
  // garbage collection slows it down.
  workerIdleMemoryLimit: '400MB',
};
