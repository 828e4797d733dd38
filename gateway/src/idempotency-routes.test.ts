import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { isPublic } from './access.js';
import type { Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { pathWithId } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { aForm } from './testing/qr-images.js';

// Every POST and PATCH operation supports Idempotency-Key, except for `exceptions`.
let gateway: TestGateway;
let keys = 0;

beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_AUTH: '100000' });
});
beforeEach(() => void gateway.services.calls.splice(0));
afterAll(() => gateway.stop());

// Sign-in has no workspace that could own the key, and a guessed key would open another user's session. The payment
// provider's events are deduplicated by their own id.
const exceptions = ['signUp', 'logIn', 'refreshSession', 'logOut', 'forgotPassword', 'receiveProviderWebhook'];
const writes = operations.filter(({ method }) => method === 'POST' || method === 'PATCH');
const idempotentRoutes = writes.filter(({ id }) => !exceptions.includes(id));

interface Body {
  body: unknown;
  headers?: Record<string, string>;
}

const send = ({ path, method }: Route, key: string, { body, headers }: Body) =>
  gateway.request(method, pathWithId(path), body, {
    authorization: `Bearer ${gateway.services.people.owner.token}`,
    'idempotency-key': key,
    ...headers,
  });

/** Returns the value with the keys of every object in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

function bodiesOf({ request }: Route): Record<'first' | 'same' | 'other', Body> {
  const { upload, bodyExample } = request;
  if (upload) return { first: aForm('a'), same: aForm('a', { boundary: 'YY' }), other: aForm('b') };
  if (!bodyExample) return { first: { body: undefined }, same: { body: ' { } ' }, other: { body: '{"a":1}' } };
  return {
    first: { body: bodyExample },
    same: { body: JSON.stringify(reversed(bodyExample), null, 3) },
    other: { body: { ...bodyExample, other: true } },
  };
}

const serviceCalls = () =>
  gateway.services.calls.filter(
    ({ method }) => !/^(AuthenticateUser|BeginRequest|RenewRequests|CompleteRequest)$/.test(method),
  );

describe.each(idempotentRoutes.map((route) => [route.id, route] as const))('%s', (_id, route) => {
  const { first, same, other } = bodiesOf(route);

  test('returns the first response again, regardless of white space and the order of fields in the body', async () => {
    const key = `same-${(keys += 1)}`;
    const answer = await send(route, key, first);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([route.success.status, null]);
    const effects = serviceCalls().length;
    for (const body of [first, same]) {
      const repeated = await send(route, key, body);
      expect([repeated.status, repeated.data, repeated.headers.get('idempotency-replayed')]).toEqual([
        answer.status,
        answer.data,
        'true',
      ]);
    }
    expect(serviceCalls()).toHaveLength(effects);
  });

  test('rejects another body, query or route with the same key', async () => {
    const key = `other-${(keys += 1)}`;
    await send(route, key, first);
    const effects = serviceCalls().length;
    const elsewhere = idempotentRoutes.find(({ id }) => id !== route.id)!;
    for (const answer of [
      await send(route, key, other),
      await send({ ...route, path: `${route.path}?a=1` }, key, first),
      await send(elsewhere, key, bodiesOf(elsewhere).first),
    ]) {
      expect([answer.status, answer.error?.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    }
    expect(serviceCalls()).toHaveLength(effects);
  });

  test('passes an operation id to the service if the operation creates something', async () => {
    // A logo is identified by its content; bulk actions, verifications and PATCH are idempotent by themselves.
    const creates =
      (route.success.status !== 200 && route.id !== 'uploadQrLogo') ||
      ['importLinks', 'rotateWebhookSecret', 'testWebhook'].includes(route.id);
    await send(route, `id-${(keys += 1)}`, first);
    const ids = serviceCalls().map(({ request }) => request['operationId']);
    expect(ids.filter((id) => id !== undefined && id !== '')).toEqual(creates ? [expect.any(String)] : []);
  });
});

const unstored = ['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'TOO_MANY_REQUESTS', 'SERVICE_UNAVAILABLE'] as const;
test.each(unstored)('does not store a %s response', async (code) => {
  const route = idempotentRoutes.find(({ id }) => id === 'createTag')!;
  const { CreateTag } = gateway.services.tags;
  const key = `unstored-${code}`;
  gateway.services.tags.CreateTag = () => Promise.reject(fail(code, 'Try again later.'));
  const refused = await send(route, key, bodiesOf(route).first);
  gateway.services.tags.CreateTag = CreateTag;
  const retried = await send(route, key, bodiesOf(route).first);
  expect([refused.error?.code, retried.status, retried.headers.get('idempotency-replayed')]).toEqual([code, 201, null]);
});

test('the public POST and PATCH operations, and no others, ignore Idempotency-Key', async () => {
  expect(
    writes
      .filter(isPublic)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...exceptions].sort());
  const route = writes.find(({ id }) => id === 'logIn')!;
  for (let i = 0; i < 2; i += 1) {
    expect((await send(route, 'login', bodiesOf(route).first)).headers.get('idempotency-replayed')).toBeNull();
  }
  expect(serviceCalls().map(({ method }) => method)).toEqual(['PasswordLogin', 'PasswordLogin']);
});

test('compares JSON numbers and strings by value, and distinguishes values even if JSON.stringify does not', async () => {
  const route = idempotentRoutes.find(({ id }) => id === 'importLinks')!;
  const importRows = (key: string, body: string) => send(route, key, { body });
  const replayed = async (key: string, one: string, two: string) => {
    await importRows(key, one);
    return (await importRows(key, two)).headers.get('idempotency-replayed') === 'true';
  };
  const rows = (row: string) => `{"links":[{"url":"https://example.com/",${row}}]}`;
  expect(await replayed('n1', rows('"maxClicks":10'), rows('"maxClicks":1.0e1'))).toBe(true);
  expect(await replayed('n2', rows('"title":"\\u00e9"'), rows('"title":"é"'))).toBe(true);
  expect(await replayed('n3', rows('"maxClicks":1e400'), rows('"maxClicks":null'))).toBe(false);
  expect(await replayed('n4', rows('"maxClicks":1'), rows('"maxClicks":"1"'))).toBe(false);
  expect(await replayed('n5', rows('"__proto__":{"a":1}'), rows('"__proto__":{"a":2}'))).toBe(false);
  expect(await replayed('n6', rows('"tags":["a","b"]'), rows('"tags":["b","a"]'))).toBe(false);
});

test('compares deeply nested bodies', async () => {
  const route = idempotentRoutes.find(({ id }) => id === 'importLinks')!;
  const deep = `{"links":[${'['.repeat(50_000)}${']'.repeat(50_000)}]}`;
  const { status } = await send(route, 'deep', { body: deep });
  expect(status).toBe(200);
  expect((await send(route, 'deep', { body: deep })).headers.get('idempotency-replayed')).toBe('true');
});
