import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Route } from './routes/route.js';
import { operations } from './routes/table.js';
import { pathWithId } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';

// In the body of a POST, null for an optional field means absent, because generated clients send it.
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_AUTH: '100000' });
});
afterAll(() => gateway.stop());

interface BodySchema {
  properties: Record<string, unknown>;
  required?: string[];
}
const schemaOf = ({ request }: Route) => z.toJSONSchema(request.body!, { io: 'input' }) as unknown as BodySchema;
const posts = operations.filter(({ method, request }) => method === 'POST' && request.body);

/** Sends a body. Returns the status, the field that the error names, and the requests to the services. */
async function send({ path }: Route, body: object) {
  gateway.services.calls.splice(0);
  const authorization = `Bearer ${gateway.services.people.owner.token}`;
  const { status, error } = await gateway.request('POST', pathWithId(path), body, { authorization });
  const methods = [...new Set(gateway.services.calls.map(({ method }) => method))].filter(
    (name) => name !== 'AuthenticateUser',
  );
  return {
    status,
    field: error?.field,
    rpcs: methods.map((method) => [method, requestsTo(gateway.services, method)]),
  };
}

describe.each(posts.map((route) => [route.id, route] as const))('%s', (_id, route) => {
  const { properties, required = [] } = schemaOf(route);
  const example = route.request.bodyExample!;
  const fields = Object.keys(properties);
  const optional = fields.filter((name) => !required.includes(name));

  test('treats null for optional fields as absent', async () => {
    for (const name of optional) {
      const { [name]: _, ...without } = example;
      expect([name, await send(route, { ...without, [name]: null })]).toEqual([name, await send(route, without)]);
    }
    const nulls = Object.fromEntries(optional.filter((name) => !(name in example)).map((name) => [name, null]));
    expect((await send(route, { ...nulls, ...example })).status).toBeLessThan(300);
  });

  if (required.length > 0) {
    test('rejects null for a required field and names it', async () => {
      for (const name of required) {
        expect(await send(route, { ...example, [name]: null })).toMatchObject({ status: 400, field: name });
      }
    });
  }
});

test('treats null as absent in rows of an import', async () => {
  const route = posts.find(({ id }) => id === 'importLinks')!;
  const nulls = {
    slug: null,
    domain: null,
    title: null,
    description: null,
    tags: null,
    expiresAt: null,
    maxClicks: null,
    createdAt: null,
  };
  const row = { url: 'https://example.com/' };
  expect(await send(route, { links: [{ ...row, ...nulls }] })).toEqual(await send(route, { links: [row] }));
  await send(route, { links: [{ ...nulls, url: null }] });
  expect(requestsTo(gateway.services, 'ImportLinks')).toMatchObject([{ links: [{ error: { field: 'url' } }] }]);
});

test('treats null as absent in a gradient', async () => {
  const route = posts.find(({ id }) => id === 'createQrCode')!;
  const gradient = { type: null, angle: null, colors: ['#000000', '#111111'] };
  const { rpcs } = await send(route, { url: 'https://example.com/', styleConfig: { gradient } });
  expect(JSON.stringify(rpcs)).toContain(JSON.stringify(JSON.stringify({ gradient: { colors: gradient.colors } })));
});
