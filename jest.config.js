/** Tests run on the compiled tree (`npm run build` first), so that what is tested is what ships. */
export default {
  testMatch: ['**/dist/**/*.test.js'],
  // What takes long has suites of its own: `npm run test:long` (faults, floods, every kill) and `npm run test:chaos`.
  testPathIgnorePatterns: ['/node_modules/', '/tests/dist/chaos/', '\\.long\\.test\\.js$'],
  transform: {},
  testEnvironment: 'node',
  testTimeout: 30_000,
  maxWorkers: 2,
};
