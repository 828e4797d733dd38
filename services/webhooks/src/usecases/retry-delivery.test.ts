import { expect, test } from '@jest/globals';
import { newId, type Principal } from '@tautan/kit';
import type { Deps } from '../usecase-deps.js';
import { retryDelivery } from './retry-delivery.js';

const by = { workspaceId: 'ws_1', role: 'admin' } as Principal;
const id = newId('whd');
const failed = { _id: id, workspaceId: 'ws_1', endpointId: 'whe_1', eventId: 'evt_1', type: 'x', status: 'failed' };

/**
 * Returns dependencies with a failed delivery. Successive reads of its endpoint return `endpoints` in order; further
 * reads return the last one. `transactions` contains one number per started transaction; the first `failures` of them
 * fail.
 */
function dependencies({ endpoints = [{ active: true }] as unknown[], failures = 0 } = {}) {
  const transactions: number[] = [];
  const deps = {
    store: {
      deliveries: { byId: async () => failed, reopen: async () => true },
      endpoints: { byId: async () => (endpoints.length > 1 ? endpoints.shift() : endpoints[0]) },
      queues: { markDue: async () => 1 },
    },
    transact: async (_by: unknown, work: (tx: object) => unknown) => {
      if (transactions.push(transactions.length + 1) <= failures) throw new Error('the database is unavailable');
      return work({ emit: () => undefined });
    },
    retries: new Map<string, Promise<unknown>>(),
    wake: () => undefined,
    now: () => new Date(),
  };
  return { deps: deps as unknown as Deps, transactions };
}

const outcomes = async (deps: Deps, count: number) =>
  (await Promise.allSettled(Array.from({ length: count }, () => retryDelivery(deps, by, { id })))).map((result) =>
    result.status === 'fulfilled' ? 'done' : ((result.reason as { code?: string }).code ?? 'failed'),
  );

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
