import { expect, test } from '@jest/globals';
import { readLinksConfig } from './config.js';

const required = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  BASE_URL: 'https://Go.example.com',
};

test('plays every role and has a default for all but three settings', () => {
  expect(readLinksConfig(required)).toMatchObject({
    ROLES: ['api', 'redirect', 'stats'],
    BASE_URL: 'https://go.example.com',
    ALLOW_PRIVATE_DESTINATIONS: false,
    EXPIRY_SWEEP_MS: 10_000,
    MONGODB_DATABASE: 'tautan_links',
  });
});

test('names everything that is wrong at once', () => {
  const env = { BASE_URL: 'https://go.example.com/path', ROLES: 'api,cook', EXPIRY_SWEEP_MS: '0', REDIRECT_PORT: 'x' };
  const problems = ['MONGODB_URI: must be set', 'NATS_URL: must be set', 'BASE_URL', 'ROLES', 'EXPIRY_SWEEP_MS', 'REDIRECT_PORT']; // prettier-ignore
  for (const problem of problems) expect(() => readLinksConfig(env)).toThrow(problem);
});
