import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defaultPlans } from '@tautan/proto';
import { openApiRoute } from './openapi/route.js';
import type { Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { relativeToApi } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { aForm } from './testing/qr-images.js';

const table: readonly Route[] = [...operations, openApiRoute(operations, { plans: defaultPlans })];
// The identity provider, the payment provider and pages that embed images may add parameters to the URLs of these
// operations.
const lenient = ['beginSignIn', 'finishSignIn', 'showBillingReturn', 'showQrCode'];
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_AUTH: '100000' });
});
beforeEach(() => void gateway.services.calls.splice(0));
afterAll(() => gateway.stop());

const send = ({ path, method, request }: Route, query: string) => {
  const form = request.upload && aForm('a file', { field: request.upload.field });
  const filled = relativeToApi(path)
    .replace('{token}', 'good')
    .replace(/\{\w+\}/, 'tag_01jd3x8q4v5w6y7z8a9b0c1d2e');
  const headers = {
    authorization: `Bearer ${gateway.services.people.owner.token}`,
    cookie: 'tautan_login=secret',
    'stripe-signature': 'secret',
    ...form?.headers,
  };
  return gateway.request(method, `${filled}?${query}`, form?.body ?? request.bodyExample, headers);
};
const reached = () =>
  gateway.services.calls.map(({ method }) => method).filter((method) => method !== 'AuthenticateUser');

const unknown: [query: string, name: string][] = [
  ['nonsense=1', 'nonsense'],
  ['nonsense', 'nonsense'],
  ['page=2', 'page'],
  ['tag[]=x', 'tag[]'],
  ['tag%5B%5D=x', 'tag[]'],
  ['status[$ne]=x', 'status[$ne]'],
  ['__proto__=1', '__proto__'],
  ['constructor=1', 'constructor'],
  ['%E0%A4=1', '%E0%A4'],
  ['=1', ''],
  // The error contains at most 128 characters of the name.
  [`${'x'.repeat(200)}=1`, 'x'.repeat(128)],
];

describe.each(table.filter(({ id }) => !lenient.includes(id)).map((route) => [route.id, route] as const))(
  '%s',
  (_id, route) => {
    test('rejects an unknown query parameter, naming it', async () => {
      for (const [query, name] of unknown) {
        const { status, error } = await send(route, query);
        expect([query, status, error?.code, error?.field]).toEqual([query, 400, 'VALIDATION_ERROR', name]);
      }
      expect(reached()).toEqual([]);
    });

    test('accepts a query without parameters', async () => {
      // The request has no session to refresh.
      const code = route.id === 'refreshSession' ? 'UNAUTHENTICATED' : undefined;
      for (const query of ['', '&&&']) expect((await send(route, query)).error?.code).toBe(code);
    });
  },
);

test.each(lenient)('%s ignores unknown query parameters', async (id) => {
  const route = table.find((one) => one.id === id)!;
  for (const [query] of unknown) expect([200, 302]).toContain((await send(route, query)).status);
});

test('every route outside /api/v1 ignores unknown query parameters', () => {
  const outside = table.filter(({ path }) => !path.startsWith('/api/v1/')).map(({ id }) => id);
  expect(outside.filter((id) => !lenient.includes(id))).toEqual([]);
});

test.each([
  ['/qr-codes?status=active&domain=go.example', 'domain'],
  ['/qr-codes?sort=createdAt', 'sort'],
  ['/links/lnk_01jd3x8q4v5w6y7z8a9b0c1d2e?limit=1', 'limit'],
])('%s is rejected, because the operation has no parameter %s', async (path, name) => {
  expect((await gateway.request('GET', path)).error?.field).toBe(name);
});
