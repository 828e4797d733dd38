import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { Bus } from '@tautan/kit/bus';
import { brokerPrograms, eventually, startBrokerProcess, startServers, type TestServers } from '@tautan/kit/testing';
import { invalidations } from '@tautan/proto';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { userId, WORKSPACE_ID } from './testing/people.js';

// Two replicas on one bus.
let servers: TestServers;
let bus: Bus;
let replicas: TestGateway[];

beforeAll(async () => {
  servers = await startServers();
  bus = new Bus({ url: servers.natsUrl, name: 'test', log: createLog('test', 'silent') });
  replicas = [await startGateway({ NATS_URL: servers.natsUrl }), await startGateway({ NATS_URL: servers.natsUrl })];
  await eventually(() => expect(bus.connected).toBe(true));
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await bus.close();
  await servers.stop();
});

const everyCredential = ({ services: { key, freeKey, people } }: TestGateway) => ({
  key: { authorization: `Bearer ${key}` },
  'free key': { authorization: `Bearer ${freeKey}` },
  "member's token": { authorization: `Bearer ${people.member.token}` },
  "member's session": { authorization: '', cookie: `tautan_session=${people.member.session}` },
  "viewer's token": { authorization: `Bearer ${people.viewer.token}` },
});

/** Sends each credential once. Returns those that the gateway verified again instead of using its cache. */
async function verifiedAgain(gateway: TestGateway): Promise<string[]> {
  const verified: string[] = [];
  for (const [name, headers] of Object.entries(everyCredential(gateway))) {
    gateway.services.calls.splice(0);
    expect((await gateway.request('GET', '/tags', undefined, headers)).status).toBe(200);
    if (gateway.services.calls.length > 1) verified.push(name);
  }
  return verified;
}

describe('within a second of an invalidation, every replica reverifies', () => {
  beforeEach(async () => {
    // A replica clears its cache when it connects to the bus, even if this is after its first requests. So wait until
    // each replica has cached the credentials.
    for (const replica of replicas) await eventually(async () => expect(await verifiedAgain(replica)).toEqual([]));
  });

  test.each([
    ['only the API key in the message', { apiKeyIds: ['key_FREE'] }, ['free key']],
    ['all credentials of a user', { userIds: [userId('member')] }, ["member's token", "member's session"]],
    [
      'the API keys and users in one message',
      { apiKeyIds: ['key_BUSINESS'], userIds: [userId('viewer')] },
      ['key', "viewer's token"],
    ],
  ])('%s', (_name, message, expected) => expectVerifiedAgain(invalidations.credential, message, expected));

  test('all callers of a workspace whose plan changed', () =>
    expectVerifiedAgain(invalidations.entitlements, { workspaceId: WORKSPACE_ID }, [
      'key',
      "member's token",
      "member's session",
      "viewer's token",
    ]));

  async function expectVerifiedAgain(subject: string, message: object, expected: string[]): Promise<void> {
    expect(bus.notify(subject, message)).toBe(true);
    const verified = replicas.map(() => new Set<string>());
    await eventually(async () => {
      for (const [n, replica] of replicas.entries())
        for (const name of await verifiedAgain(replica)) verified[n]!.add(name);
      expect(verified.map((names) => [...names].sort())).toEqual(replicas.map(() => [...expected].sort()));
    }, 1_000);
  }
});

test.each(brokerPrograms)(
  'while the broker hangs (%s), every credential is verified again within a second',
  async (program) => {
    const broker = await startBrokerProcess(program);
    const gateway = await startGateway({ NATS_URL: broker.url });
    try {
      // The cache is cleared when the bus connects.
      await eventually(async () => {
        await verifiedAgain(gateway);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect(await verifiedAgain(gateway)).toEqual([]);
      });
      broker.signal('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 900));
      expect(await verifiedAgain(gateway)).toEqual(Object.keys(everyCredential(gateway)));
    } finally {
      await gateway.stop();
      await broker.stop();
    }
  },
);
