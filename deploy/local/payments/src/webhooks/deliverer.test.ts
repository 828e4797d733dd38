import { createServer } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { closeHttp, listen } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { aSubscription, startSandbox, stopAll } from '../testing/running.js';

afterEach(stopAll);

/** Number of events that the purchase of a subscription emits. */
const PURCHASE_EVENTS = 7;

test('retries a rejected delivery until it is accepted', async () => {
  const sandbox = await startSandbox();
  const { receiver } = sandbox;
  receiver.status = 503;
  await aSubscription(sandbox);
  await until(() => receiver.requestCount > PURCHASE_EVENTS);
  receiver.status = 200;
  await until(() => receiver.events.length === PURCHASE_EVENTS);
  expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(PURCHASE_EVENTS);
  const { requestCount } = receiver;
  await sandbox.restart();
  await sandbox.stripe.customers.create();
  await until(() => receiver.types.filter((type) => type === 'customer.created').length === 2);
  // Only deliveries in progress at the restart are repeated.
  expect(receiver.requestCount).toBeLessThan(requestCount + PURCHASE_EVENTS);
});

test('does not follow redirects and counts them as failures', async () => {
  let requestCount = 0;
  const redirecting = createServer((_request, response) => {
    requestCount += 1;
    response.writeHead(302, { location: receiver.url }).end();
  });
  const port = await listen(redirecting, 0, '127.0.0.1');
  const { receiver, stripe } = await startSandbox({ webhookUrl: `http://127.0.0.1:${port}/` });
  await stripe.customers.create();
  await until(() => requestCount >= 2);
  expect(receiver.requestCount).toBe(0);
  await closeHttp(redirecting, 0);
});

test('resumes pending deliveries after a restart', async () => {
  const sandbox = await startSandbox();
  const { receiver } = sandbox;
  receiver.status = 500;
  await aSubscription(sandbox);
  await sandbox.restart();
  expect(receiver.events).toHaveLength(0);
  receiver.status = 200;
  await until(() => receiver.events.length === PURCHASE_EVENTS);
  const { pending_webhooks: pending } = receiver.events[0]!;
  expect(pending).toBe(1);
});

test('a webhook that does not respond does not delay a stop', async () => {
  let isCalled = false;
  const silent = createServer(() => void (isCalled = true));
  const port = await listen(silent, 0, '127.0.0.1');
  const sandbox = await startSandbox({ webhookUrl: `http://127.0.0.1:${port}/` });
  await sandbox.stripe.customers.create();
  await until(() => isCalled);
  const began = Date.now();
  await stopAll();
  expect(Date.now() - began).toBeLessThan(2_000);
  silent.closeAllConnections();
  silent.close();
});
