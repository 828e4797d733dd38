import { expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { subscriptionOf, withoutCancellation } from './stripe-objects.js';

const END = 1_900_000_000;
const aSubscription = (fields: Pick<Stripe.Subscription, 'cancel_at' | 'cancel_at_period_end'>): Stripe.Subscription =>
  ({
    ...{ id: 'sub_1', status: 'active', currency: 'usd', created: END - 2_000_000, metadata: {} },
    items: { data: [{ current_period_start: END - 2_000_000, current_period_end: END }] },
    ...fields,
  }) as unknown as Stripe.Subscription;

test.each([
  ['not scheduled', false, null, false],
  ['scheduled in classic billing mode', true, END, true],
  ['scheduled in flexible billing mode', true, END, false],
  ['scheduled for a time within the period', true, END - 1, false],
  ['scheduled for a later period', false, END + 1, false],
])('a subscription whose cancellation is %s ends with its current period or earlier: %s', (_, expected, at, ends) => {
  const found = aSubscription({ cancel_at: at, cancel_at_period_end: ends });
  expect(subscriptionOf(found, 'PRO')).toMatchObject({ cancelAtPeriodEnd: expected });
});

test('a cancellation is undone with the parameter that scheduled it', () => {
  const undo = (at: number | null, ends: boolean) =>
    withoutCancellation(aSubscription({ cancel_at: at, cancel_at_period_end: ends }));
  expect(undo(null, false)).toEqual({ cancel_at_period_end: false });
  expect(undo(END, true)).toEqual({ cancel_at_period_end: false });
  expect(undo(END, false)).toEqual({ cancel_at: '' });
});
