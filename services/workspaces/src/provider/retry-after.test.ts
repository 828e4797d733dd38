import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Adapter } from '../testing/adapter.js';

let adapter: Adapter;
beforeEach(async () => {
  adapter = await Adapter.start();
  await adapter.provider.configuration();
});
afterEach(() => adapter.stop());

const person = { email: 'ayu@example.com', password: 'a password', name: 'Ayu' };
const calls: Record<string, () => Promise<unknown>> = {
  'a sign-in by password': () => adapter.provider.passwordLogin(person.email, person.password),
  'a refresh': () => adapter.provider.refresh('x'),
  'a sign-up': () => adapter.provider.signUp(person),
  'a forgotten password': () => adapter.provider.forgotPassword(person.email),
  'an introspection of an opaque token': () => adapter.provider.verify('opaque'),
  'a request for the signing keys': async () => adapter.provider.verify(await adapter.server.token()),
  'a profile': () => adapter.provider.profile('opaque', 'ayu'),
  'a list of workspaces': () => adapter.provider.directory!.listWorkspaces('opaque'),
  discovery: () => adapter.connect().configuration(),
};

/** Returns the error of a call that the provider rejects with a status and a Retry-After. */
async function rejectedWith(call: () => Promise<unknown>, status: number, retryAfter: string): Promise<unknown> {
  adapter.server.mode = 'failing';
  adapter.server.failure = { status, retryAfter, body: { error: 'slow_down' } };
  return call().catch((error: unknown) => error);
}

describe.each(Object.entries(calls))('Retry-After of %s', (name, call) => {
  test('is returned in the error for 503 and 429', async () => {
    expect(await rejectedWith(call, 503, '17')).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 17 });
    adapter.aheadMs += 10_000;
    const hasAttemptLimit = /^a (sign|refresh|forgotten)/.test(name);
    const code = hasAttemptLimit ? 'TOO_MANY_REQUESTS' : 'UPSTREAM_UNAVAILABLE';
    expect(await rejectedWith(call, 429, '17')).toMatchObject({ code, retryAfter: 17 });
  });
});

test('a Retry-After date is parsed, a long time is capped, and an invalid value or a value with status 500 is ignored', async () => {
  const signUp = () => adapter.provider.signUp(person);
  const soon = new Date(Date.now() + 30_000).toUTCString();
  const { retryAfter } = (await rejectedWith(signUp, 503, soon)) as { retryAfter: number };
  expect(retryAfter).toBeGreaterThan(25);
  expect(retryAfter).toBeLessThanOrEqual(30);
  expect(await rejectedWith(signUp, 503, '9'.repeat(30))).toMatchObject({ retryAfter: 3_600 });
  expect(await rejectedWith(signUp, 503, 'tomorrow')).toMatchObject({ retryAfter: undefined });
  expect(await rejectedWith(signUp, 500, '17')).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: undefined });
});

test("while the circuit breaker is open, errors contain the remaining time of the provider's last Retry-After", async () => {
  const signUp = () => adapter.provider.signUp(person);
  for (let i = 0; i < 5; i += 1) await rejectedWith(signUp, 503, '17');
  const { retryAfter } = (await rejectedWith(signUp, 503, '99')) as { retryAfter: number };
  expect([adapter.server.calls['people'], retryAfter > 10 && retryAfter <= 17]).toEqual([5, true]);
});
