import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { takesBody, type Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { pathWithId } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';

// A POST operation without fields can be called without a body, with an empty body or with an empty object.
let gateway: TestGateway;
let session: string;

beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_AUTH: '100000', BASE_URL: 'https://go.example' });
  session = gateway.services.people.owner.session;
});
beforeEach(() => void gateway.services.calls.splice(0));
afterAll(() => gateway.stop());

const operationsWithoutFields = operations.filter(
  (route) => takesBody(route) && !route.request.body && !route.request.raw && !route.request.upload,
);

const send = ({ path, method }: Route, body: string | undefined, headers: Record<string, string> = {}) =>
  gateway.request(method, pathWithId(path), body, {
    ...{ authorization: `Bearer ${gateway.services.people.owner.token}`, origin: 'https://go.example' },
    cookie: `tautan_session=${session}`,
    ...headers,
  });
const reached = () => gateway.services.calls.filter(({ method }) => method !== 'AuthenticateUser');

test('there are operations without fields for QR codes, billing and sessions', () => {
  expect(operationsWithoutFields.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['createQrDownloadToken', 'cancelSubscription', 'refreshSession', 'logOut']),
  );
});

describe.each(operationsWithoutFields.map((route) => [route.id, route] as const))('%s', (_id, route) => {
  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['an empty object', '{}'],
    ['an empty object with whitespace', ' {\n} '],
  ])('accepts %s', async (_name, body) => {
    expect((await send(route, body)).status).toBe(route.success.status);
  });

  test.each([
    ['an unknown field', '{"a":1}', 400, 'VALIDATION_ERROR', 'a'],
    ['the field __proto__', '{"__proto__":1}', 400, 'VALIDATION_ERROR', '__proto__'],
    ['a list', '[]', 400, 'VALIDATION_ERROR', undefined],
    ['null', 'null', 400, 'VALIDATION_ERROR', undefined],
    ['malformed JSON', '{', 400, 'VALIDATION_ERROR', undefined],
    ['more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), 413, 'PAYLOAD_TOO_LARGE', undefined],
  ])('rejects %s', async (_description, body, status, code, field) => {
    const answer = await send(route, body);
    expect([answer.status, answer.error?.code, answer.error?.field]).toEqual([status, code, field]);
    expect(reached()).toEqual([]);
  });

  test('rejects a content type other than JSON', async () => {
    const answer = await send(route, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([answer.status, answer.error?.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(reached()).toEqual([]);
  });
});
