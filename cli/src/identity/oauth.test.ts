import { describe, expect, test } from '@jest/globals';
import { oauthClient } from './oauth.js';

describe('an identity provider that uses http', () => {
  const clientOf = (url: string, provider: string) =>
    oauthClient(url, { issuer: provider, tokenEndpoint: `${provider}/token`, clientId: 'tautan-cli' });

  test.each([
    ['on this machine', 'https://go.example.com', 'http://localhost:8081'],
    ['if the service uses http too', 'http://go.example.com', 'http://id.example.com'],
  ])('is accepted %s', (_when, url, provider) => {
    expect(() => clientOf(url, provider)).not.toThrow();
  });

  test('is rejected if it is on another machine and the service uses https', () => {
    const message = 'The identity provider at id.example.com uses http, although https://go.example.com uses https.';
    expect(() => clientOf('https://go.example.com', 'http://id.example.com')).toThrow(message);
  });

  test.each(['tokenEndpoint', 'deviceAuthorizationEndpoint', 'revocationEndpoint'])(
    'is rejected even if only its %s uses http',
    (name) => {
      const provider = 'https://id.example.com';
      const client = { issuer: provider, tokenEndpoint: `${provider}/token`, clientId: 'tautan-cli' };
      expect(() => oauthClient('https://go.example.com', { ...client, [name]: 'http://id.example.com/x' })).toThrow(
        expect.objectContaining({ failure: 'refused' }),
      );
    },
  );
});
