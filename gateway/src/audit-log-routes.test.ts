import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { anEntry } from './testing/stats-and-audit.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { NOW } from './testing/people.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => void gateway.services.calls.splice(0));
afterAll(() => gateway.stop());

const minimalEntry = {
  id: 'aud_01jd3x8q4v5w6y7z8a9b0c1d2e',
  action: 'link.expired',
  actor: { type: 'system', id: null, name: 'Tautan' },
  target: { type: 'link', id: 'lnk_01jd3x8q4v5w6y7z8a9b0c1d2e', label: 'abc' },
  summary: 'Tautan expired the link abc',
  changes: {},
  ip: null,
  userAgent: null,
  requestId: null,
  createdAt: NOW,
};

test('entries are paginated, and have null for absent values', async () => {
  const { status, data, meta } = await gateway.request('GET', '/audit-log');
  expect([status, data]).toEqual([200, [minimalEntry]]);
  expect([meta.page, meta.cursor]).toEqual([{ limit: 50, hasMore: false }, undefined]);
  const [{ request, principal }] = gateway.services.calls.filter(({ method }) => method === 'ListAuditLog') as [
    (typeof gateway.services.calls)[0],
  ];
  expect(request).toMatchObject({ limit: 50, action: '', cursor: '' });
  expect(principal!.kind).toBe('api_key');
});

test('entries contain the actor, the IP address, and the values before and after the change', async () => {
  const changes = { tags: { before: ['a'], after: null }, expiresAt: { before: null, after: NOW } };
  const userFields = {
    actorType: 'user',
    actorId: 'usr_1',
    actorName: 'Mira',
    ip: '203.0.113.7',
    userAgent: 'x',
    requestId: 'r-1',
  };
  gateway.services.audit.ListAuditLog = async () => ({
    entries: [anEntry({ ...userFields, changes: JSON.stringify(changes) })],
    nextCursor: 'c2',
  });
  const { data, meta } = await gateway.request('GET', '/audit-log?action=link.&cursor=c1&limit=1');
  const actor = { type: 'user', id: 'usr_1', name: 'Mira' };
  expect(data).toEqual([
    {
      ...minimalEntry,
      actor,
      summary: 'Mira expired the link abc',
      changes,
      ip: '203.0.113.7',
      userAgent: 'x',
      requestId: 'r-1',
    },
  ]);
  expect(meta.page).toEqual({ limit: 1, hasMore: true, nextCursor: 'c2' });
  expect(gateway.services.calls.at(-1)!.request).toEqual({ action: 'link.', cursor: 'c1', limit: 1 });
});

test.each(['limit=0', 'limit=201', 'limit=x', 'action=', 'cursor='])(
  '%s is rejected, and the error names the parameter',
  async (query) => {
    const { status, error } = await gateway.request('GET', `/audit-log?${query}`);
    expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', query.split('=')[0]]);
  },
);

test('errors of the service are returned with their field', async () => {
  gateway.services.audit.ListAuditLog = () => Promise.reject(fail('VALIDATION_ERROR', 'No.', 'action'));
  const { status, error } = await gateway.request('GET', '/audit-log?action=nonsense');
  expect([status, error]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'No.', field: 'action' }]);
});
