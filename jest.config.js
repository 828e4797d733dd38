/** Tests run on the compiled tree (`npm run build` first), so that what is tested is what ships. */
export default {
  testMatch: ['**/dist/**/*.test.js'],
  // Chaos takes minutes: `npm run test:chaos`.
  testPathIgnorePatterns: ['/node_modules/', '/tests/dist/chaos/'],
  transform: {},
  testEnvironment: 'node',
  testTimeout: 30_000,
  maxWorkers: 2,
};
