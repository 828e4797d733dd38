import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { freePort, until } from '@tautan/kit/testing';
import { Receiver } from './testing/receiver.js';
import { aSession, submitButton, stripeAt, webhookSecret } from './testing/running.js';

const root = mkdtempSync(join(tmpdir(), 'tautan-payments-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const running: ChildProcess[] = [];
afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));

/** Starts a sandbox in a separate process. */
async function serve(port: number, dataDir: string, webhook: string): Promise<ChildProcess> {
  const entry = join(import.meta.dirname, 'testing', 'serve.fixture.js');
  const child = spawn(process.execPath, [entry, `${port}`, dataDir, webhook], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  running.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('if the process is killed during payments, no payment is lost, nothing is sold twice, and all events are delivered', async () => {
  const port = await freePort();
  const receiver = new Receiver(webhookSecret);
  await receiver.start();
  const stripe = stripeAt(port);
  let child = await serve(port, join(root, 'a'), receiver.url);
  const sessions = await Promise.all(
    Array.from({ length: 40 }, (_, i) => stripe.checkout.sessions.create(aSession({ client_reference_id: `${i}` }))),
  );
  const confirmed: string[] = [];
  const paying = sessions.map(({ id, url }) =>
    submitButton(url!, 'pay').then(
      ({ status }) => void (status === 303 && confirmed.push(id)),
      () => undefined,
    ),
  );
  await Promise.any(paying);
  await until(() => confirmed.length > 0);
  await kill(child);
  await Promise.all(paying);

  child = await serve(port, join(root, 'a'), receiver.url);
  for (const id of confirmed)
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
  // Pay again for the sessions whose payment was not confirmed.
  for (const { id, url } of sessions)
    if (!confirmed.includes(id)) expect((await submitButton(url!, 'pay')).status).toBe(303);
  const all = await stripe.subscriptions.list({ limit: 100 });
  expect(all.data).toHaveLength(sessions.length);
  await kill(child);

  await serve(port, join(root, 'a'), receiver.url);
  const deliveredEvents = (type: string) =>
    new Set(receiver.events.filter((one) => one.type === type).map(({ id }) => id)).size;
  await until(() => deliveredEvents('customer.subscription.created') === sessions.length);
  await until(() => deliveredEvents('checkout.session.completed') === sessions.length);
  await receiver.stop();
});
