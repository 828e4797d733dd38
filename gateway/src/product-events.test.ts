import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { startProduct, type Product } from './testing/product.js';

// Effects of changes, tested through the gateway with the real services.
let product: Product;
let receiver: Server;
const received: { id: string; body: string }[] = [];

beforeAll(async () => {
  product = await startProduct();
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body: Buffer.concat(chunks).toString() });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await product.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** Repeats a check for up to 15 s, because services communicate through the broker and the machine may be busy. */
const soon = <T>(check: () => Promise<T> | T) => eventually(check);

type Record = { id: string; [field: string]: unknown };
const ask = (method: string, path: string, body?: unknown) => product.request(method, path, body);
const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

test('an endpoint is created, listed, tested, paused, resumed and deleted, and the audit log contains the changes', async () => {
  const created = await ask('POST', '/webhooks', { url: url(), events: ['tag.created'] });
  const { id, secret } = created.data as Record;
  expect([created.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
  expect((await ask('POST', '/webhooks', { url: url(), events: ['*'] })).error!.code).toBe('ENDPOINT_EXISTS');
  expect((await ask('GET', '/webhooks')).text).not.toContain('whsec_');

  const sent = await ask('POST', `/webhooks/${id}/test`);
  const deliveryId = (sent.data as Record).id;
  const delivery = await soon(async (): Promise<Record> => {
    const { data } = await ask('GET', `/webhooks/deliveries/${deliveryId}`);
    expect(data).toMatchObject({ status: 'succeeded', attempts: 1, attemptLog: [{ n: 1, statusCode: 200 }] });
    return data;
  });
  expect(received).toEqual([{ id: delivery['eventId'], body: delivery['body'] }]);

  await ask('PATCH', `/webhooks/${id}`, { active: false });
  const retry = () => ask('POST', `/webhooks/deliveries/${deliveryId}/retry`);
  expect((await retry()).error!.code).toBe('ENDPOINT_DISABLED');
  await ask('PATCH', `/webhooks/${id}`, { active: true });
  const retried = await retry();
  expect([retried.status, (retried.data as Record)['status']]).toEqual([202, 'pending']);
  await soon(() => expect(received).toHaveLength(2));

  await ask('DELETE', `/webhooks/${id}`);
  await soon(async () => {
    const { data } = await ask('GET', '/audit-log?action=webhook_endpoint.');
    expect((data as Record[]).map(({ action }) => action)).toEqual([
      'webhook_endpoint.deleted',
      'webhook_endpoint.resumed',
      'webhook_endpoint.updated',
      'webhook_endpoint.created',
    ]);
  });
});

test('deliveries are paginated by a cursor that is valid only with the same filters', async () => {
  const { id } = (await ask('POST', '/webhooks', { url: url(), events: ['tag.created'] })).data as Record;
  for (let i = 0; i < 3; i += 1) await ask('POST', '/tags', { name: `walk ${i}` });
  const query = `/webhooks/deliveries?subscriptionId=${id}&type=tag.created`;
  await soon(async () => expect((await ask('GET', query)).data).toHaveLength(3));
  const first = await ask('GET', `${query}&limit=2`);
  expect(first.meta.cursor).toBe(first.meta.page!.nextCursor);
  const second = await ask('GET', `${query}&limit=2&cursor=${first.meta.cursor}`);
  expect([second.meta.page, second.meta.cursor]).toEqual([{ limit: 2, hasMore: false }, undefined]);
  const ids = [...(first.data as Record[]), ...(second.data as Record[])].map((it) => it.id);
  expect(new Set(ids).size).toBe(3);
  const other = await ask('GET', `/webhooks/deliveries?cursor=${first.meta.cursor}`);
  expect([other.status, other.error!.field]).toEqual([400, 'cursor']);
});

test('the audit log is paginated by a cursor, and has the values before and after each change', async () => {
  const { id } = (await ask('POST', '/links', { url: 'https://example.com/', title: 'A' })).data as Record;
  await ask('PATCH', `/links/${id}`, { title: 'B' });
  const entry = await soon(async () => {
    const { data, meta } = await ask('GET', '/audit-log?action=link.&limit=1');
    const [latest] = data as Record[];
    expect(latest).toMatchObject({ action: 'link.updated', target: { id }, actor: { type: 'api_key' } });
    expect(meta.page!.hasMore).toBe(true);
    return { ...latest, cursor: meta.page!.nextCursor } as Record;
  });
  expect(entry['changes']).toMatchObject({ title: { before: 'A', after: 'B' } });
  const { data } = await ask('GET', `/audit-log?action=link.&limit=1&cursor=${String(entry['cursor'])}`);
  expect(data).toMatchObject([{ action: 'link.created', target: { id } }]);
  expect((await ask('GET', `/audit-log?action=tag.&cursor=${String(entry['cursor'])}`)).error!.field).toBe('cursor');
});

test('the statistics of a link without clicks are complete, and all counts are zero; a range that ends before it starts is refused', async () => {
  const { id } = (await ask('POST', '/links', { url: 'https://example.com/', slug: 'quiet' })).data as Record;
  const { data } = await ask('GET', '/links/quiet/stats?from=2030-01-01&to=2030-01-03&tz=Asia/Jakarta');
  expect(data).toMatchObject({
    from: '2029-12-31T17:00:00.000Z',
    granularity: 'day',
    tz: 'Asia/Jakarta',
    totals: { clicks: 0, uniques: 0, bots: 0 },
    countries: [],
  });
  expect((data as Record)['timeSeries']).toHaveLength(3);
  const refused = await ask('GET', `/links/${id}/stats?from=2030-01-02&to=2030-01-01`);
  expect([refused.status, refused.error!.field]).toEqual([400, 'from']);
  const { text } = await ask('GET', `/links/${id}/stats/export?from=2030-01-01&to=2030-01-01T12:00:00Z`);
  // The time series and seven dimensions.
  expect(text.split('\r\n\r\n')).toHaveLength(8);
  const workspaceStats = (await ask('GET', '/workspaces/current/stats')).data as { totals: { links: number } };
  expect(workspaceStats.totals.links).toBeGreaterThan(0);
});
