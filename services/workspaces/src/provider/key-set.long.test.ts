import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { allowedMs, eventually, until } from '@tautan/kit/testing';
import { Adapter } from '../testing/adapter.js';

let adapter: Adapter;
beforeEach(async () => {
  adapter = await Adapter.start();
});
afterEach(() => adapter.stop());
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const fetches = (): number => adapter.server.calls['jwks'] ?? 0;

describe('the provider’s keys', () => {
  test('are loaded at most once per 30 seconds for tokens with invented key ids, even for 10,000 of them', async () => {
    await adapter.provider.verify(await adapter.server.token());
    const [, payload, signature] = (await adapter.server.token()).split('.');
    const unknown = (n: number): string => `${base64({ alg: 'RS256', kid: `k${n}` })}.${payload}.${signature}`;
    const flood = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 100) {
        const some = Array.from({ length: 100 }, (_, i) =>
          adapter.provider.verify(unknown(n + i)).catch((e: unknown) => e),
        );
        for (const error of await Promise.all(some)) expect(error).toMatchObject({ code: 'UNAUTHENTICATED' });
      }
    };
    const before = fetches();
    await flood(10_000);
    expect(fetches() - before).toBeLessThanOrEqual(1);
    for (let round = 1; round <= 3; round += 1) {
      adapter.aheadMs += 29_000;
      await flood(100);
      adapter.aheadMs += 1_001;
      await flood(100);
      expect(fetches() - before).toBeLessThanOrEqual(1 + round);
    }
  });

  test('may rotate right after a load, and no token is rejected', async () => {
    for (let round = 0; round < 4; round += 1) {
      await adapter.server.rotate(round % 2 ? 'ES256' : 'RS256');
      const tokens = await Promise.all(Array.from({ length: 20 }, () => adapter.server.token()));
      const verified = await Promise.all(tokens.map((token) => adapter.provider.verify(token)));
      expect(verified.every(({ subject }) => subject === 'ayu')).toBe(true);
    }
    expect(fetches()).toBe(4);
  });

  test('remain in use while the provider is unavailable; tokens with unknown keys then fail with UPSTREAM_UNAVAILABLE', async () => {
    const known = await adapter.server.token();
    await adapter.provider.verify(known);
    adapter.server.mode = 'down';
    await adapter.server.rotate();
    const unknown = await adapter.server.token();
    adapter.aheadMs += 11 * 60_000;
    expect(await adapter.provider.verify(known)).toMatchObject({ subject: 'ayu' });
    await expect(adapter.provider.verify(unknown)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    adapter.server.mode = 'up';
    adapter.aheadMs += 10_000;
    expect(await adapter.provider.verify(unknown)).toMatchObject({ subject: 'ayu' });
  });

  test('that were withdrawn are rejected after ten minutes', async () => {
    const old = await adapter.server.token({ exp: adapter.seconds() + 7_200 });
    await adapter.provider.verify(old);
    await adapter.server.rotate();
    adapter.aheadMs += 10 * 60_000 + 1;
    await adapter.provider.verify(old);
    await expect(
      (async () => {
        for (let i = 0; i < 500; i += 1)
          await adapter.provider.verify(old).then(() => new Promise((r) => setTimeout(r, 5)));
      })(),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('are loaded from a new jwks_uri after the discovery document was reloaded', async () => {
    await adapter.provider.verify(await adapter.server.token());
    adapter.server.keysPath = 'new/jwks';
    await adapter.server.rotate();
    const token = await adapter.server.token({ exp: adapter.seconds() + 14_400 });
    adapter.aheadMs += 3_600_001;
    await adapter.provider.verify(token).catch(() => {});
    await until(() => adapter.server.calls['.well-known/openid-configuration'] === 2);
    await eventually(async () => {
      adapter.aheadMs += 30_001;
      expect(await adapter.provider.verify(token)).toMatchObject({ subject: 'ayu' });
    });
  });

  test('are not waited for beyond the timeout if the provider hangs', async () => {
    const impatient = adapter.connect({ IDENTITY_TIMEOUT_MS: '200' });
    adapter.server.mode = 'slow';
    const began = performance.now();
    await expect(impatient.verify(await adapter.server.token())).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
    expect(performance.now() - began).toBeLessThan(allowedMs(1_500));
  });

  test('are not identified by kid alone: another key with a known kid is rejected', async () => {
    await adapter.provider.verify(await adapter.server.token());
    const { kid } = adapter.server.publicKey;
    await adapter.server.rotate();
    await expect(adapter.provider.verify(await adapter.server.token({}, { kid }))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });
});
