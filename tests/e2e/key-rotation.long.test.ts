import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, until } from '@tautan/kit/testing';
import { tautanAdmin } from '../support/admin.js';
import { aLink, apiClient } from '../support/client.js';
import { accepted } from '../support/people.js';
import { startReceiver, verifySigned, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// Rotates ENCRYPTION_KEYS as docs/operations/secrets.md describes, with one restart for each step.
const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let dataDir: string;
let receiver: Receiver;
let stack: Stack | undefined;
let secret: string;
let cookie: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tautan-rotation-'));
  receiver = await startReceiver();
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function restart(...keys: string[]): Promise<Stack> {
  await stack?.stop();
  return (stack = await startStack({
    dataDir,
    env: { ENCRYPTION_KEYS: keys.join(','), RPC_TIMEOUT_MS: '30000' },
    readyWithinMs: 60_000,
  }));
}

/**
 * Creates a link. Returns whether its webhook delivery arrives and the session is still valid. Throws if the delivery
 * is not signed with the secret.
 */
async function works(running: Stack, slug: string): Promise<boolean> {
  await aLink(apiClient(running), { slug });
  const delivery = await until(
    () => receiver.of('link.created').find(({ event }) => event.data['slug'] === slug),
    30_000,
  ).catch(() => undefined);
  if (!delivery) return false;
  verifySigned(delivery, secret);
  const { status } = await fetch(`${running.baseUrl}/api/v1/auth/session`, { headers: { cookie } });
  return status === 200;
}

const renew = (running: Stack, service: string) =>
  eventually(async () => {
    const run = await tautanAdmin(running, service, 'encryption', 'renew');
    // The service is unavailable, for example because it is still starting.
    if (run.code === 5) throw new Error(run.stderr);
    return run;
  }, 60_000);

test('keys are rotated step by step, and signing secrets and sessions survive', async () => {
  const first = await restart(older);
  const { baseUrl, person } = await first.quickstart();
  const events = ['link.created'];
  ({ secret } = accepted(await apiClient(first).post<{ secret: string }>('/webhooks', { url: receiver.url, events })));
  const login = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ email: person.email, password: person.password }),
  });
  cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  expect(await works(first, 'step-0')).toBe(true);

  expect(await works(await restart(older, newer), 'step-1')).toBe(true);
  const rotated = await restart(newer, older);
  expect(await works(rotated, 'step-2')).toBe(true);
  expect(await renew(rotated, 'webhooks')).toMatchObject({ code: 0, stdout: 'Re-encrypted 1 of 1 secret.\n' });
  expect(await renew(rotated, 'workspaces')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Re-encrypted [1-9]/),
  });
  expect(await renew(rotated, 'webhooks')).toMatchObject({ code: 0, stdout: 'Re-encrypted 0 of 1 secret.\n' });
  // The link service stores no encrypted secrets, so it does not serve this command.
  expect((await renew(rotated, 'links')).code).toBe(2);
  const last = await restart(newer);
  expect(await works(last, 'step-3')).toBe(true);
  expect(await renew(last, 'workspaces')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Re-encrypted 0 of [1-9]/),
  });
}, 300_000);

test('secrets whose key is missing are reported, and can be rotated', async () => {
  const afterKeyLoss = await restart(randomBytes(32).toString('base64'));
  const { code, stdout } = await renew(afterKeyLoss, 'webhooks');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^whe_\w+ {2}cannot be decrypted with the keys of ENCRYPTION_KEYS\nRe-encrypted 0 of 1 secret\.\n$/,
  );
  const [endpoint] = accepted(await apiClient(afterKeyLoss).get<{ id: string }[]>('/webhooks'));
  ({ secret } = accepted(
    await apiClient(afterKeyLoss).post<{ secret: string }>(`/webhooks/${endpoint!.id}/rotate-secret`, {}),
  ));
  expect((await renew(afterKeyLoss, 'webhooks')).code).toBe(0);
  await aLink(apiClient(afterKeyLoss), { slug: 'after-key-loss' });
  const delivery = await until(
    () => receiver.of('link.created').find(({ event }) => event.data['slug'] === 'after-key-loss'),
    30_000,
  );
  expect(() => verifySigned(delivery, secret)).not.toThrow();
}, 150_000);
