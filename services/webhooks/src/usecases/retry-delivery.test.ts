import { expect, test } from '@jest/globals';
import { newId, type Principal } from '@tautan/kit';
import type { Deps } from '../usecase-deps.js';
import { retryDelivery } from './retry-delivery.js';

const by = { workspaceId: 'ws_1', role: 'admin' } as Principal;
const id = newId('whd');
const failed = { _id: id, workspaceId: 'ws_1', endpointId: 'whe_1', eventId: 'evt_1', type: 'x', status: 'failed' };
const now = new Date('2030-01-01T00:00:00Z');

/**
 * Returns dependencies with a failed delivery. Successive reads of its endpoint return `endpoints` in order; further
 * reads return the last one. `transactions` contains one number per started transaction; the first `failures` of them
 * fail. `effects` contains the effects of the others.
 */
function dependencies({
  endpoints = [{ active: true }] as unknown[],
  failures = 0,
  stored = {},
  reopened = true,
} = {}) {
  const session = {};
  const transactions: number[] = [];
  const effects: unknown[] = [];
  const deps = {
    store: {
      deliveries: {
        byId: async (_id: string, inside?: object) => ({ ...failed, ...stored, ...(inside && { status: 'pending' }) }),
        reopen: async (...[which, retry, at]: unknown[]) => effects.push({ which, retry, at }) > 0 && reopened,
      },
      endpoints: { byId: async () => (endpoints.length > 1 ? endpoints.shift() : endpoints[0]) },
      queues: { markDue: async (ids: string[], at: Date) => effects.push({ due: ids, at }) },
    },
    transact: async (_by: unknown, work: (tx: object) => unknown) => {
      if (transactions.push(transactions.length + 1) <= failures) throw new Error('the database is unavailable');
      return work({ session, emit: (emitted: object) => effects.push({ emitted }) });
    },
    retries: new Map<string, Promise<unknown>>(),
    wake: (ids: string[]) => effects.push({ woken: ids }),
    now: () => now,
  };
  return { deps: deps as unknown as Deps, transactions, effects };
}

const outcomes = async (deps: Deps, count: number) =>
  (await Promise.allSettled(Array.from({ length: count }, () => retryDelivery(deps, by, { id })))).map((result) =>
    result.status === 'fulfilled' ? 'done' : ((result.reason as { code?: string }).code ?? 'failed'),
  );

test('a retry reopens the delivery, makes its queue due, emits an event, and wakes the worker', async () => {
  const { deps, effects } = dependencies();
  const traced = { ...by, traceparent: '00-1-2-01' };
  expect(await retryDelivery(deps, traced, { id, operationId: 'op_1' })).toEqual({ ...failed, status: 'pending' });
  const data = { id, subscriptionId: 'whe_1', eventId: 'evt_1', type: 'x' };
  expect(effects).toEqual([
    { which: { id, endpointId: 'whe_1' }, retry: { operationId: 'op_1', traceparent: '00-1-2-01' }, at: now },
    { due: ['whe_1'], at: now },
    { emitted: { type: 'delivery.retried', target: { type: 'delivery', id, label: 'x' }, data } },
    { woken: ['whe_1'] },
  ]);
});

test('a retry is rejected if another replica has reopened the delivery in the meantime', async () => {
  const { deps, effects } = dependencies({ reopened: false });
  expect(await outcomes(deps, 1)).toEqual(['ALREADY_QUEUED']);
  expect(effects).toHaveLength(1);
});

test('a retry with the last operation id starts no transaction; one with another id, or without an id, does', async () => {
  for (const [retryOperationId, operationId, started] of [
    ['op_1', 'op_1', 0],
    ['op_1', 'op_2', 1],
    [null, undefined, 1],
  ] as const) {
    const { deps, transactions } = dependencies({ stored: { retryOperationId } });
    await retryDelivery(deps, by, { id, operationId });
    expect(transactions).toHaveLength(started);
  }
});

test('concurrent retries are rejected without a transaction once one has succeeded', async () => {
  const { deps, transactions } = dependencies();
  expect(await outcomes(deps, 3)).toEqual(['done', 'ALREADY_QUEUED', 'ALREADY_QUEUED']);
  expect(transactions).toHaveLength(1);
  expect(deps.retries.size).toBe(0);
});

test('a concurrent retry is attempted if the one before it fails', async () => {
  const { deps, transactions } = dependencies({ failures: 1 });
  expect(await outcomes(deps, 3)).toEqual(['failed', 'done', 'ALREADY_QUEUED']);
  expect(transactions).toHaveLength(2);
});

test.each([['disabled', { active: false }] as const, ['deleted', null] as const])(
  'a retry is rejected if its endpoint is %s before the transaction',
  async (_change, endpoint) => {
    const { deps } = dependencies({ endpoints: [{ active: true }, endpoint] });
    expect(await outcomes(deps, 1)).toEqual(['ENDPOINT_DISABLED']);
  },
);
