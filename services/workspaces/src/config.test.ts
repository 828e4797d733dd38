import { describe, expect, test } from '@jest/globals';
import { ConfigError } from '@tautan/kit';
import { identityOf, readWorkspacesConfig } from './config.js';

const key = Buffer.alloc(32, 1).toString('base64');
const needed = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  ENCRYPTION_KEYS: key,
  BIND_HOST: '127.0.0.1',
};
const identity = {
  IDENTITY_URL: 'https://id.example.com/',
  IDENTITY_AUDIENCE: 'https://go.example.com/api/v1',
  IDENTITY_CLIENT_ID: 'tautan',
};
const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readWorkspacesConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('the settings', () => {
  test('do not require an identity provider', () => {
    expect(problemsOf(needed)).toEqual([]);
    expect(identityOf(readWorkspacesConfig(needed))).toBeUndefined();
  });

  test('of an identity provider have defaults, except for the three required ones', () => {
    expect(identityOf(readWorkspacesConfig({ ...needed, ...identity }))).toMatchObject({
      url: 'https://id.example.com',
      issuer: undefined,
      clientAuth: 'basic',
      claims: { email: 'email', name: 'name' },
      scope: 'openid profile email offline_access',
      workspaces: 'provider',
      timeoutMs: 3_000,
    });
  });

  test('that are invalid or missing are reported together, including those required with IDENTITY_URL', () => {
    expect(problemsOf({ IDENTITY_URL: 'https://id.example.com', IDENTITY_WORKSPACES: 'both', RPC_PORT: 'x' })).toEqual([
      'MONGODB_URI: must be set',
      'NATS_URL: must be set',
      expect.stringMatching(/^RPC_PORT: /),
      'ENCRYPTION_KEYS: must be set',
      expect.stringMatching(/^IDENTITY_WORKSPACES: /),
      expect.stringMatching(/^BIND_HOST: /),
      'IDENTITY_AUDIENCE: must be set',
      'IDENTITY_CLIENT_ID: must be set',
    ]);
  });

  test.each([
    ['IDENTITY_URL', 'id.example.com'],
    ['IDENTITY_URL', 'file:///etc/passwd'],
    ['IDENTITY_SIGNUP_URL', 'x'],
    ['IDENTITY_CLIENT_AUTH', 'tls'],
    ['IDENTITY_TIMEOUT_MS', '60000'],
    ['ENCRYPTION_KEYS', 'short'],
    ['ENCRYPTION_KEYS', `${key},`],
    ['DEFAULT_PLAN', 'GOLD'],
    ['MAX_WORKSPACES_PER_USER', '0'],
    ['MAX_API_KEYS', '1.5'],
  ])('reject %s=%j, and report no other problem', (name, value) => {
    const problems = problemsOf({ ...needed, ...identity, [name]: value });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });
});
