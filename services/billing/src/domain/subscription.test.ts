import { describe, expect, test } from '@jest/globals';
import { newId, type Principal } from '@tautan/kit';
import type { ProviderSubscription } from './provider-objects.js';
import {
  assertLive,
  assertMayManage,
  changedBy,
  isOlder,
  noSubscription,
  stateOf,
  subscriptionId,
  subscriptionView,
  type Subscription,
  type SubscriptionState,
} from './subscription.js';

const day = (n: number): Date => new Date(Date.UTC(2030, 0, n));
const provided = (fields: Partial<ProviderSubscription> = {}): ProviderSubscription => ({
  id: 'p1',
  status: 'active',
  plan: 'PRO',
  nextPlan: null,
  currency: 'USD',
  periodStart: day(1),
  periodEnd: day(31),
  cancelAtPeriodEnd: false,
  createdAt: day(1),
  ...fields,
});
const live: SubscriptionState = {
  plan: 'PRO',
  status: 'active',
  currency: 'USD',
  currentPeriodStart: day(1),
  currentPeriodEnd: day(31),
  cancelAtPeriodEnd: false,
  pendingPlan: null,
  providerId: 'p1',
};
const ended: SubscriptionState = { ...live, plan: 'FREE', status: 'canceled' };

describe('the state of a workspace', () => {
  test('is that of its live subscription', () => {
    expect(stateOf([provided()], noSubscription)).toEqual({ state: live, superseded: [] });
    const pastDue = provided({ status: 'past_due', nextPlan: 'PRO', plan: 'BUSINESS' });
    expect(stateOf([pastDue], noSubscription).state).toEqual({
      ...live,
      plan: 'BUSINESS',
      status: 'past_due',
      pendingPlan: 'PRO',
    });
  });

  test('has the pending plan FREE if the subscription ends with its period', () => {
    const { state } = stateOf([provided({ cancelAtPeriodEnd: true, nextPlan: 'PRO' })], noSubscription);
    expect(state).toMatchObject({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
  });

  test.each([
    ['the subscription with the highest plan', { plan: 'BUSINESS' as const, createdAt: day(1) }, { createdAt: day(2) }],
    ['the newest of several subscriptions with the same plan', { createdAt: day(2) }, { createdAt: day(1) }],
  ])('is that of %s, which supersedes other live ones', (_which, current, other) => {
    const subscriptions = [
      provided({ id: 'old', status: 'canceled', plan: 'BUSINESS' }),
      provided({ id: 'current', ...current }),
      provided({ id: 'other', ...other }),
    ];
    for (const order of [subscriptions, subscriptions.toReversed()]) {
      const { state, superseded } = stateOf(order, noSubscription);
      expect([state.providerId, superseded]).toEqual(['current', ['other']]);
    }
  });

  test('is that of the last subscription that ended, if none is live', () => {
    const subscriptions = [10, 31, 20].map((n) =>
      provided({ id: `until ${n}`, status: 'canceled', periodEnd: day(n), cancelAtPeriodEnd: true, nextPlan: 'PRO' }),
    );
    expect(stateOf(subscriptions, live)).toEqual({ state: { ...ended, providerId: 'until 31' }, superseded: [] });
  });

  test('keeps the stored plan of a subscription whose price belongs to no plan, and ignores the subscription if no paid plan is stored for it', () => {
    expect(stateOf([provided({ plan: null })], live).state).toEqual(live);
    expect(stateOf([provided({ id: 'p2', plan: null })], live).state).toEqual(ended);
    expect(stateOf([provided({ plan: null })], ended).state).toEqual(ended);
  });

  test('has status "canceled" if the provider no longer has the subscription, or "none" if there never was one', () => {
    expect(stateOf([], { ...live, cancelAtPeriodEnd: true, pendingPlan: 'FREE' }).state).toEqual(ended);
    const without: SubscriptionState = { ...noSubscription, currency: 'USD' };
    expect(stateOf([], without).state).toEqual(without);
  });
});

describe('a state', () => {
  test.each<[string, boolean, SubscriptionState, SubscriptionState]>([
    ['of an earlier period', true, { ...live, currentPeriodStart: day(1) }, { ...live, currentPeriodStart: day(2) }],
    ['of the same period', false, live, live],
    ['of a later period', false, { ...live, currentPeriodStart: day(2) }, live],
    ['that revives an ended subscription', true, live, ended],
    ['that ends a subscription', false, ended, live],
    ['that is ended like the stored one', false, ended, ended],
    ['of another subscription', false, { ...live, providerId: 'p2' }, { ...ended, currentPeriodStart: day(9) }],
    ['without a subscription', false, noSubscription, { ...noSubscription, currentPeriodStart: day(1) }],
  ])('%s is older than the stored one: %s', (_which, older, state, before) => {
    expect(isOlder(state, before)).toBe(older);
  });
});

describe('a change', () => {
  const by = { id: 'usr_1' } as Principal;
  const asked = { by, at: day(1) };
  const after = (ms: number): Date => new Date(day(1).getTime() + ms);
  const paid: SubscriptionState = { ...live, plan: 'BUSINESS' };
  const before: Subscription = {
    ...paid,
    _id: 'sub_1',
    workspaceId: 'ws_1',
    customerId: 'cus_1',
    revision: 1,
    asked,
    reconcileAt: null,
  };
  const canceling: SubscriptionState = { ...paid, cancelAtPeriodEnd: true };
  const downgrading: SubscriptionState = { ...paid, pendingPlan: 'PRO' };

  test.each([
    ['a cancellation', canceling],
    ['a downgrade', downgrading],
  ])('within a minute of its request is attributed to the requester: %s', (_kind, state) => {
    expect(changedBy(before, state, after(60_000))).toEqual({ by, asked: null });
    expect(changedBy(before, state, after(60_001))).toEqual({ by: null, asked: null });
    expect(changedBy({ ...before, asked: null }, state, day(1))).toEqual({ by: null, asked: null });
  });

  test.each([
    ['of another kind', { ...paid, currentPeriodEnd: day(40) }],
    ['that ends the subscription', { ...ended, pendingPlan: 'PRO' as const }],
  ])('%s is attributed to the system, and the request stays pending', (_kind, state) => {
    expect(changedBy(before, state, day(1))).toEqual({ by: null, asked });
  });
});

test('the id of a subscription is that of its workspace, with another prefix', () => {
  expect(subscriptionId('ws_01ws_')).toBe('sub_01ws_');
  expect(subscriptionId('aws_01')).toBe('aws_01');
});

test('a subscription is represented with its times in ISO 8601, or null', () => {
  const { providerId: _, ...fields } = live;
  expect(subscriptionView({ _id: 'sub_1', ...live })).toEqual({
    id: 'sub_1',
    ...fields,
    currentPeriodStart: '2030-01-01T00:00:00.000Z',
    currentPeriodEnd: '2030-01-31T00:00:00.000Z',
  });
  expect(subscriptionView({ _id: 'sub_1', ...noSubscription })).toMatchObject({
    plan: 'FREE',
    status: 'none',
    currentPeriodStart: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
  });
});

test('only owners and admins can manage billing', () => {
  for (const role of ['owner', 'admin'] as const) expect(() => assertMayManage({ role } as Principal)).not.toThrow();
  for (const role of ['member', 'viewer'] as const) {
    expect(() => assertMayManage({ role } as Principal)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  }
});

test('only active and past due subscriptions are live', () => {
  const subscription = { _id: newId('sub') } as Subscription;
  for (const status of ['active', 'past_due'] as const) {
    expect(() => assertLive({ ...subscription, status })).not.toThrow();
  }
  for (const one of [null, { ...subscription, ...ended }, { ...subscription, ...noSubscription }]) {
    expect(() => assertLive(one)).toThrow(expect.objectContaining({ code: 'SUBSCRIPTION_STATE' }));
  }
});
