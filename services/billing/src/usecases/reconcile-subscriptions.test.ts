import { afterEach, expect, jest, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { noSubscription, type Subscription } from '../domain/subscription.js';
import { reconcileSubscriptions } from './reconcile-subscriptions.js';

afterEach(() => void jest.restoreAllMocks());

const at = new Date('2030-01-01T00:00:00.000Z');
const later = (ms: number): Date => new Date(at.getTime() + ms);
const record = (n: number, fields: Partial<Subscription> = {}) => ({
  ...{ ...noSubscription, revision: 1, asked: null, reconcileAt: null },
  ...{ _id: `sub_${n}`, workspaceId: `ws_${n}`, customerId: `cus_${n}` },
  ...fields,
});

interface Situation {
  due: object[];
  lease?: boolean;
  signal?: AbortSignal;
  /** The customer whose invoices cannot be read. */
  broken?: string;
}

/** Reconciles the due subscriptions, which do not exist at the provider, with an interval of 10 seconds. */
async function reconcile({ due, lease = true, signal = new AbortController().signal, broken }: Situation) {
  const waiting = [...due];
  const outcomes: string[] = [];
  const taken: Date[][] = [];
  const postponed: unknown[] = [];
  const deps = {
    store: {
      subscriptions: {
        takeDue: async (...times: Date[]) => (taken.push(times), waiting.shift() ?? null),
        reconcileAt: async (...given: unknown[]) => void postponed.push(given),
        write: async () => true,
      },
      webhooks: { markHandled: async () => undefined },
      invoices: { put: async () => undefined },
    },
    provider: {
      recentInvoices: async (customerId: string) => {
        if (customerId === broken) throw new Error('the provider fails');
        return [];
      },
      subscriptions: async () => [],
    },
    transact: (_by: unknown, work: (tx: object) => unknown) => work({ emit: () => undefined }),
    holdsLease: async () => lease,
    intervalMs: 10_000,
    count: (outcome: string) => void outcomes.push(outcome),
    log: createLog('test', 'silent'),
    signal,
    now: () => at,
  };
  await reconcileSubscriptions(deps as never);
  return { outcomes, taken, postponed };
}

test('a subscription that differs from the provider counts as changed, any other as unchanged', async () => {
  const active = record(1, { plan: 'PRO', status: 'active', providerId: 'stripe_1' });
  expect((await reconcile({ due: [record(2)] })).outcomes).toEqual(['unchanged']);
  expect((await reconcile({ due: [active] })).outcomes).toEqual(['changed']);
});

test('a failure of the provider ends the pass, and the subscription is retried after 15 minutes', async () => {
  const { outcomes, taken, postponed } = await reconcile({ due: [record(1), record(2)], broken: 'cus_1' });
  expect(outcomes).toEqual(['failed']);
  expect(taken).toHaveLength(1);
  expect(postponed).toEqual([['sub_1', later(900_000)]]);
});

test.each([
  [0, 9_000],
  [0.5, 10_000],
  [1, 11_000],
])('the next reconciliation is due after the interval, give or take 10%% (Math.random: %p)', async (random, delay) => {
  jest.spyOn(Math, 'random').mockReturnValue(random);
  expect((await reconcile({ due: [] })).taken).toEqual([[at, later(delay)]]);
});

test('nothing is reconciled without the lease, or once the process stops', async () => {
  const due = [record(1)];
  expect((await reconcile({ due, lease: false })).taken).toEqual([]);
  expect((await reconcile({ due, signal: AbortSignal.abort() })).taken).toEqual([]);
});
