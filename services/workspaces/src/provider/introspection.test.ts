import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Adapter } from '../testing/adapter.js';
import { AUDIENCE, CLIENT } from '../testing/oidc.js';

let adapter: Adapter;
beforeEach(async () => {
  adapter = await Adapter.start();
});
afterEach(() => adapter.stop());

describe('an opaque token', () => {
  const opaque = (answer: Record<string, unknown>): string => {
    const token = randomBytes(24).toString('base64url');
    adapter.server.opaque.set(token, {
      active: true,
      sub: 'ayu',
      aud: AUDIENCE,
      exp: adapter.seconds() + 600,
      ...answer,
    });
    return token;
  };
  const introspections = (): number => adapter.server.calls['introspect'] ?? 0;

  test('is introspected once per minute', async () => {
    const token = opaque({ email: 'a@example.com' });
    const both = await Promise.all([adapter.provider.verify(token), adapter.provider.verify(token)]);
    expect(both[0]).toMatchObject({ subject: 'ayu', email: 'a@example.com', issuer: adapter.server.url });
    adapter.aheadMs += 59_000;
    await adapter.provider.verify(token);
    expect(introspections()).toBe(1);
    adapter.aheadMs += 1_001;
    adapter.server.opaque.delete(token);
    await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('that was rejected is introspected again after five seconds', async () => {
    const token = 'not-known-yet';
    for (let i = 0; i < 3; i += 1)
      await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(introspections()).toBe(1);
    adapter.server.opaque.set(token, { active: true, sub: 'ayu', aud: AUDIENCE });
    adapter.aheadMs += 5_001;
    expect(await adapter.provider.verify(token)).toMatchObject({ subject: 'ayu' });
  });

  test('is rejected 30 seconds after its expiry, even while it is cached', async () => {
    const token = opaque({ exp: adapter.seconds() + 10 });
    await adapter.provider.verify(token);
    adapter.aheadMs += 41_000;
    await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  test.each([
    ['for another audience', { aud: 'x' }],
    ['of another issuer', { iss: 'https://evil.test' }],
    ['of another client, without an audience', { aud: undefined, client_id: 'x', token_type: 'Bearer' }],
    ['that is a refresh token', { aud: undefined, client_id: CLIENT.id, token_type: undefined }],
    ['of another type', { token_type: 'Refresh' }],
    ['without a subject', { sub: undefined }],
    ['with a subject that is not a string', { sub: 7 }],
    ['that is inactive', { active: false }],
    ['that is not valid yet', { nbf: 4_000_000_000 }],
  ])('%s is rejected', async (_what, answer) => {
    await expect(adapter.provider.verify(opaque(answer))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('of our own client is accepted without an audience', async () => {
    const token = opaque({ aud: undefined, client_id: 'tautan-cli', token_type: 'bearer' });
    expect(await adapter.provider.verify(token)).toMatchObject({ subject: 'ayu' });
  });

  test('that the provider refuses to introspect is invalid; if the provider refuses the client, no token can be verified', async () => {
    adapter.server.introspectionError = 'invalid_request';
    await expect(adapter.provider.verify('cannot-be-parsed')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    adapter.server.introspectionError = 'invalid_client';
    await expect(adapter.provider.verify('another')).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  test('that is not cached cannot be verified while the provider is unavailable', async () => {
    await adapter.provider.verify(opaque({}));
    adapter.server.mode = 'failing';
    await expect(adapter.provider.verify('another')).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });
});
