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
}, 30_000);
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

/** Sends each credential once. Returns those that were verified remotely. */
async function askedFor(gateway: TestGateway): Promise<string[]> {
  const asked: string[] = [];
  for (const [name, headers] of Object.entries(everyCredential(gateway))) {
    gateway.services.calls.splice(0);
    expect((await gateway.request('GET', '/tags', undefined, headers)).status).toBe(200);
    if (gateway.services.calls.length > 1) asked.push(name);
  }
  return asked;
}

describe('within a second, every replica verifies again', () => {
  beforeEach(async () => {
    // A replica that connects late clears its cache. Wait until each one has cached the credentials.
    for (const replica of replicas) await eventually(async () => expect(await askedFor(replica)).toEqual([]));
  });

  test.each([
    ['a key, and nothing else', { apiKeyIds: ['key_FREE'] }, ['free key']],
    ['all that a person shows', { userIds: [userId('member')] }, ["member's token", "member's session"]],
    ['both', { apiKeyIds: ['key_BUSINESS'], userIds: [userId('viewer')] }, ['key', "viewer's token"]],
  ])('%s', (_name, message, expected) => forgets(invalidations.credential, message, expected));

  test('all callers of a workspace whose plan changed', () =>
    forgets(invalidations.entitlements, { workspaceId: WORKSPACE_ID }, [
      'key',
      "member's token",
      "member's session",
      "viewer's token",
    ]));

  async function forgets(subject: string, message: object, expected: string[]): Promise<void> {
    expect(bus.notify(subject, message)).toBe(true);
    const asked = replicas.map(() => new Set<string>());
    await eventually(async () => {
      for (const [n, replica] of replicas.entries()) for (const name of await askedFor(replica)) asked[n]!.add(name);
      expect(asked.map((names) => [...names].sort())).toEqual(replicas.map(() => [...expected].sort()));
    }, 1_000);
  }
});

test.each(brokerPrograms)(
  'while %s hangs, every credential is verified anew within a second',
  async (program) => {
    const broker = await startBrokerProcess(program);
    const gateway = await startGateway({ NATS_URL: broker.url });
    try {
      // The cache is cleared when the bus connects.
      await eventually(async () => {
        await askedFor(gateway);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        expect(await askedFor(gateway)).toEqual([]);
      });
      broker.signal('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 900));
      expect(await askedFor(gateway)).toEqual(Object.keys(everyCredential(gateway)));
    } finally {
      await gateway.stop();
      await broker.stop();
    }
  },
  20_000,
);
