import { createHmac, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Adapter } from '../testing/adapter.js';
import { AUDIENCE, CLIENT } from '../testing/oidc.js';

let adapter: Adapter;
beforeAll(async () => {
  adapter = await Adapter.start();
});
afterAll(() => adapter.stop());
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claims = () => ({ iss: adapter.server.url, aud: AUDIENCE, sub: 'ayu', exp: adapter.seconds() + 600 });

describe('a JWT', () => {
  test.each(['EdDSA', 'ES256', 'RS256'])('signed by a key of the provider is accepted: %s', async (alg) => {
    await adapter.server.rotate(alg);
    const token = await adapter.server.token({ email: 'Ayu@example.com', email_verified: true, name: 'Ayu' });
    expect(await adapter.provider.verify(token)).toEqual({
      issuer: adapter.server.url,
      subject: 'ayu',
      email: 'Ayu@example.com',
      standardEmail: 'Ayu@example.com',
      emailVerified: true,
      name: 'Ayu',
      expiresAt: expect.any(Date),
    });
  });

  test.each([undefined, 'JWT', 'at+jwt', 'application/at+JWT'])('of the type %s is accepted', async (typ) => {
    const token = await adapter.server.token({}, typ === undefined ? {} : { typ });
    expect(await adapter.provider.verify(token)).toMatchObject({ subject: 'ayu' });
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['of another type', {}, { typ: 'logout+jwt' }],
    ['whose subject is a number', { sub: 7 }, {}],
    ['whose subject is empty', { sub: '' }, {}],
  ])('%s is rejected', async (_what, payload, header) => {
    const token = await adapter.server.token(payload, header);
    await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('can have email and name in other claims, which the settings specify', async () => {
    const named = adapter.connect({
      IDENTITY_CLAIM_EMAIL: 'https://tautan.test/email',
      IDENTITY_CLAIM_NAME: 'nickname',
    });
    const token = await adapter.server.token({
      'https://tautan.test/email': 'a@example.com',
      nickname: 'Yu',
      name: 'Ayu',
    });
    expect(await named.verify(token)).toMatchObject({ email: 'a@example.com', name: 'Yu', emailVerified: null });
  });

  test('without a signature is rejected: alg none', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      const token = `${base64({ alg, typ: 'JWT' })}.${base64(claims())}.`;
      await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    expect(adapter.server.calls['introspect']).toBeUndefined();
  });

  test('signed with the public key as a shared secret is rejected: HS256 for RS256', async () => {
    const { publicKey } = adapter.server;
    const pem = createPublicKey({ key: { ...publicKey }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const modulus = Buffer.from(publicKey.n!, 'base64url');
    const body = `${base64({ alg: 'HS256', kid: publicKey.kid })}.${base64(claims())}`;
    for (const secret of [pem, modulus, JSON.stringify(publicKey), publicKey.n!]) {
      const token = `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
      await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  test("with an algorithm other than the key's is rejected", async () => {
    const token = await adapter.server.token();
    const [, payload, signature] = token.split('.');
    for (const alg of ['PS256', 'RS512', 'ES256', 'EdDSA']) {
      const forged = `${base64({ alg, kid: adapter.server.publicKey.kid })}.${payload}.${signature}`;
      await expect(adapter.provider.verify(forged)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  test('with a changed claim is rejected', async () => {
    const [header, , signature] = (await adapter.server.token()).split('.');
    const forged = `${header}.${base64({ ...claims(), sub: 'budi' })}.${signature}`;
    await expect(adapter.provider.verify(forged)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.test' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'https://other.test' }],
    ['that is an ID token for the client', { aud: CLIENT.id, nonce: 'x' }],
    ['without an audience', { aud: undefined }],
    ['without an expiry', { exp: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a non-numeric expiry', { exp: 'never' as never }],
  ])('%s is rejected', async (_what, wrong) => {
    await expect(adapter.provider.verify(await adapter.server.token(wrong))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  test('for several audiences is accepted if one is ours', async () => {
    expect(await adapter.provider.verify(await adapter.server.token({ aud: ['x', AUDIENCE] }))).toMatchObject({
      subject: 'ayu',
    });
  });

  test('that expired 31 seconds ago is reported as expired; one that expired 29 seconds ago is accepted', async () => {
    await expect(
      adapter.provider.verify(await adapter.server.token({ exp: adapter.seconds() - 31 })),
    ).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
    });
    expect(await adapter.provider.verify(await adapter.server.token({ exp: adapter.seconds() - 29 }))).toMatchObject({
      subject: 'ayu',
    });
  });

  test('that has expired, and is for another audience, is not reported as expired', async () => {
    const token = await adapter.server.token({ exp: adapter.seconds() - 600, aud: 'x' });
    await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('that becomes valid in 32 seconds is rejected; one that becomes valid in 29 seconds is accepted', async () => {
    await expect(
      adapter.provider.verify(await adapter.server.token({ nbf: adapter.seconds() + 32 })),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await adapter.provider.verify(await adapter.server.token({ nbf: adapter.seconds() + 29 }))).toMatchObject({
      subject: 'ayu',
    });
  });

  test('of more than 8 KiB is rejected', async () => {
    const fits = await adapter.server.token({ pad: 'x'.repeat(4_000) });
    expect(await adapter.provider.verify(fits)).toMatchObject({ subject: 'ayu' });
    const token = await adapter.server.token({ pad: 'x'.repeat(8_192) });
    await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(adapter.provider.verify('x'.repeat(9_000_000))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test.each(['..', 'a.b.c', 'e30.e30.e30', 'é.é.é', ' ', 'a b', '\u0000'])(
    'in an invalid format is rejected: %j',
    async (token) => {
      await expect(adapter.provider.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    },
  );
});
