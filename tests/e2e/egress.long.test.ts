import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { allowedMs, certificates, eventually, startDnsServer, type DnsServer } from '@tautan/kit/testing';
import { apiClient, type ApiTag, type Client } from '../support/client.js';
import type { ApiDelivery, EndpointWithSecret } from '../support/events.js';
import { accepted } from '../support/people.js';
import { startReceiver, verifySigned, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// The egress guard, with the test's own name server. Nothing listens on the private address.
const NAME = 'hooks.example.test';
const PRIVATE = '10.255.255.1';

let folder: string;
let dns: DnsServer;
let receiver: Receiver;
let stack: Stack;
let api: Client;
let endpoint: EndpointWithSecret;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egress-'));
  await writeFile(join(folder, 'authority.pem'), certificates.authority);
  dns = await startDnsServer();
  receiver = await startReceiver(certificates.valid);
  const { port } = new URL(receiver.url);
  const env = {
    ENDPOINT_PORTS: port,
    DNS_SERVERS: dns.address,
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    ATTEMPT_TIMEOUT_MS: '3000',
  };
  stack = await startStack({ env });
  api = apiClient(stack);
  const url = `https://${NAME}:${port}/hook`;
  endpoint = accepted(await api.post<EndpointWithSecret>('/webhooks', { url, events: ['tag.created'] }));
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.stop();
  await dns?.stop();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  dns.answered = () => undefined;
});

let tags = 0;

/** Emits an event and returns its delivery after the first attempt. */
async function attemptDelivery(): Promise<ApiDelivery> {
  const { id } = accepted(await api.post<ApiTag>('/tags', { name: `nama ${(tags += 1)}` }));
  return eventually(async () => {
    const [{ id: newest }] = accepted(await api.get<[ApiDelivery]>('/webhooks/deliveries?limit=1'));
    const delivery = accepted(await api.get<ApiDelivery>(`/webhooks/deliveries/${newest}`));
    expect(delivery.body).toContain(id);
    expect(delivery.attempts).toBe(1);
    return delivery;
  });
}

const lookups = () => dns.questions.filter((question) => question === `A ${NAME}`).length;

test('connects to the address that was checked, even if the name then resolves to another one', async () => {
  dns.set(NAME, { A: ['127.0.0.1'] });
  dns.answered = (question) => {
    if (question === `A ${NAME}`) dns.set(NAME, { A: [PRIVATE] });
  };
  const before = lookups();
  expect((await attemptDelivery()).attemptLog).toMatchObject([{ statusCode: 204 }]);
  expect(lookups() - before).toBe(1);
  expect(receiver.received).toHaveLength(1);
  verifySigned(receiver.received[0]!, endpoint.secret);
});

test('resolves and checks the name for every new connection, and never connects to a private address', async () => {
  dns.set(NAME, { A: ['127.0.0.1'] });
  // An open connection would be reused without another check. Close it, so that the next attempt opens a new one.
  receiver.answer = (response) => void response.writeHead(204, { connection: 'close' }).end();
  expect((await attemptDelivery()).status).toBe('succeeded');
  const [connections, before] = [receiver.connections(), lookups()];
  dns.set(NAME, { A: [PRIVATE], AAAA: ['fd00::1'] });
  const { status, attemptLog } = await attemptDelivery();
  expect([status, attemptLog]).toMatchObject([
    'pending',
    [{ statusCode: null, error: expect.stringMatching(/no public address/) }],
  ]);
  // The attempt fails immediately, because it does not wait for a connection.
  expect(attemptLog[0]!.durationMs).toBeLessThan(allowedMs(1_000));
  expect(lookups()).toBeGreaterThan(before);
  expect(receiver.connections()).toBe(connections);
});
