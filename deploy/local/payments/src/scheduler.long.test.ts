import { afterEach, expect, jest, test } from '@jest/globals';
import type { State } from '@tautan/append-log';
import { createLog } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import type { Sandbox } from './sandbox.js';
import { Scheduler } from './scheduler.js';
import { advance, aSession, aSubscription, invoiceOf, submitButton, startSandbox, stopAll } from './testing/running.js';

afterEach(stopAll);

const DAY_MS = 24 * 60 * 60 * 1000;

test('renews subscriptions for every month that has passed and ends those that were canceled', async () => {
  let now = Date.UTC(2026, 0, 31, 12);
  const sandbox = await startSandbox({ now: () => now });
  const { stripe, receiver } = sandbox;
  const [renewed, canceled] = [await aSubscription(sandbox), await aSubscription(sandbox)];
  await stripe.subscriptions.update(canceled.id, { cancel_at_period_end: true });
  now = Date.UTC(2026, 3, 1);
  await until(() => receiver.types.includes('customer.subscription.deleted'));
  const { items, status } = await stripe.subscriptions.retrieve(renewed.id);
  const { current_period_start: start, current_period_end: end } = items.data[0]!;
  expect([status, start, end]).toEqual(['active', Date.UTC(2026, 2, 31, 12) / 1000, Date.UTC(2026, 3, 30, 12) / 1000]);
  expect((await stripe.invoices.list({ subscription: renewed.id })).data).toHaveLength(3);
  expect(await stripe.subscriptions.retrieve(canceled.id)).toMatchObject({ status: 'canceled' });
  expect((await stripe.invoices.list({ subscription: canceled.id })).data).toHaveLength(1);
});

test('retries unpaid invoices after three days', async () => {
  let now = Date.now();
  const sandbox = await startSandbox({ now: () => now });
  const { id } = await aSubscription(sandbox);
  await advance(sandbox, id, 'fail');
  now += 2 * DAY_MS;
  await sandbox.restart();
  expect(await invoiceOf(sandbox, id)).toMatchObject({ status: 'open', attempt_count: 1 });
  now += 1.1 * DAY_MS;
  await until(async () => (await invoiceOf(sandbox, id)).status === 'paid');
  expect(await sandbox.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('expires unpaid sessions', async () => {
  let now = Date.now();
  const sandbox = await startSandbox({ now: () => now });
  const { stripe, receiver } = sandbox;
  const { id, url } = await stripe.checkout.sessions.create(aSession());
  now += 1.01 * DAY_MS;
  // The session cannot be paid, even before the next run of the scheduler.
  expect((await submitButton(url!, 'pay')).status).toBe(410);
  await until(() => receiver.types.includes('checkout.session.expired'));
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired', subscription: null });
});

test('does not start a run before the previous one has ended, and stopping waits for the current run', async () => {
  jest.useFakeTimers();
  try {
    const runs: (() => void)[] = [];
    const sandbox = { change: () => new Promise<void>((resolve) => runs.push(resolve)) } as unknown as Sandbox;
    const state = { sweep: () => undefined } as State;
    const scheduler = new Scheduler(sandbox, state, createLog('payments', 'silent'));
    scheduler.start();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(runs).toHaveLength(1);
    runs[0]!();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(runs).toHaveLength(2);
    let stopped = false;
    const stop = scheduler.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(stopped).toBe(false);
    runs[1]!();
    await stop;
    expect(runs).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});
