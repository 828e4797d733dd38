import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tautanAt, type Running, type Tautan } from '@tautan/cli/testing';
import { eventually } from '@tautan/kit/testing';
import { accepted } from '../support/people.js';
import { aLink, apiClient, type Client } from '../support/client.js';
import type { ApiDelivery } from '../support/events.js';
import { startReceiver, verifySigned, type Receiver } from '../support/receiver.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Runs `tautan listen` as on a developer's machine, against the whole product.
let stack: Stack;
let api: Client;
let handler: Receiver;
let tautan: Tautan;
let listening: Running;

beforeAll(async () => {
  stack = await shareStack();
  api = apiClient(stack);
  handler = await startReceiver();
  tautan = tautanAt(stack.baseUrl);
  listening = tautan.start(['listen', '--forward-to', handler.url, '--events', 'link.*'], {
    env: { TAUTAN_API_KEY: stack.apiKey },
  });
});
afterAll(async () => {
  listening?.kill('SIGKILL');
  await handler?.stop();
  tautan?.remove();
});

test('prints the events of a link, and forwards them to the handler with the signature of the service', async () => {
  await eventually(() => expect(listening.stderr()).toMatch(/whsec_\S+\n/), 10_000);
  const [secret] = /whsec_\S+/.exec(listening.stderr())!;
  const link = await aLink(api, { title: 'Musim semi – 春' });
  await eventually(() => expect(handler.of('link.created')).toHaveLength(1), 10_000);
  const [received] = handler.of('link.created');
  verifySigned(received!, secret);
  expect(received!.event.data).toEqual(link);
  await eventually(() => expect(listening.stdout()).toContain(received!.event.id));
  expect(listening.stdout()).toMatch(/^\d\d:\d\d:\d\d  link\.created +evt_\w+  204  \d+ ms\n$/);

  // The service receives the handler's response.
  const rows = async () => accepted(await api.get<ApiDelivery[]>('/webhooks/deliveries?type=link.created'));
  await eventually(async () =>
    expect(await rows()).toMatchObject([{ eventId: received!.event.id, status: 'succeeded' }]),
  );
  const delivery = accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${(await rows())[0]!.id}`));
  expect(delivery.body).toBe(received!.text);
  expect(delivery.attemptLog).toMatchObject([{ statusCode: 204 }]);
});

test('reports a failed attempt if the handler is unavailable, and the delivery stays pending', async () => {
  await handler.stop();
  const link = await aLink(api);
  await eventually(() => expect(listening.stdout()).toMatch(/link\.created +evt_\w+  connection refused/), 10_000);
  const waiting = async () =>
    accepted(await api.get<ApiDelivery[]>('/webhooks/deliveries?type=link.created&status=pending'));
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  const delivery = accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${(await waiting())[0]!.id}`));
  expect(delivery.body).toContain(link.id);
  expect(delivery.attemptLog[0]).toMatchObject({ statusCode: 502 });
});

test('deletes the endpoint on Ctrl-C', async () => {
  expect(accepted(await api.get<unknown[]>('/webhooks'))).toHaveLength(1);
  listening.kill('SIGINT');
  expect((await listening.ended).code).toBe(130);
  expect(accepted(await api.get<unknown[]>('/webhooks'))).toEqual([]);
});
