import { afterAll, beforeAll, test } from '@jest/globals';
import { NatsCluster, natsServerProgram, type RaftGroup } from '@tautan/kit/testing';
import { apiClient } from '../support/client.js';
import { accepted } from '../support/people.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';
import { TrafficVerifier } from './traffic-verifier.js';
import { randomFrom, seed } from './random.js';
import { Traffic } from './traffic.js';

const KILLS = Number(process.env['CHAOS_LEADER_KILLS'] ?? 20);
const RATES = { visitsPerSecond: 500, createsPerSecond: 20 };
/** Maximum time for which a killed server stays down. */
const DOWN_MS = 1_000;
/** Allowed delay beyond the usual limits. Long, because nine processes share two cores and the test is about losses. */
const GRACE_MS = 45_000;
/** The groups whose leaders are killed in turn. */
const raftGroups: RaftGroup[] = ['CLICKS', 'EVENTS', 'meta'];

const program = natsServerProgram();
if (!program) process.stdout.write('skipped: nats-server was not found; set TEST_BROKER to its path\n');
const onCluster = program ? test : test.skip;
const random = randomFrom(seed);

let cluster: NatsCluster;
let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  if (!program) return;
  cluster = await NatsCluster.start(program);
  stack = await startStack({ env: { NATS_URL: cluster.url, NATS_REPLICAS: '3' } });
  receiver = await startReceiver();
  const events = ['link.created', 'link.updated'];
  accepted(await apiClient(stack).post('/webhooks', { url: `${receiver.url}/changes`, events }));
}, 90_000);
afterAll(async () => {
  await stack?.stop();
  await cluster?.stop();
  await receiver?.stop();
});

onCluster(
  `no acknowledged click or event is lost or counted twice when leaders of a NATS cluster are killed ${KILLS} times`,
  async () => {
    const verifier = new TrafficVerifier(stack, receiver, { receivesClicks: false, graceMs: GRACE_MS });
    const traffic = await Traffic.begin(() => stack, 'leader-kills', RATES);
    const startedAt = Date.now();
    try {
      await cluster.untilHealthy();
      for (let i = 0; i < KILLS; i += 1) {
        const name = await cluster.killLeader(raftGroups[i % raftGroups.length]!);
        await new Promise((resolve) => setTimeout(resolve, random(DOWN_MS)));
        cluster.restart(name);
        await cluster.untilHealthy();
      }
      const seconds = (Date.now() - startedAt) / 1_000;
      const cell = { name: 'leader kills', process: 'broker', fault: 'killed' } as const;
      const results = await verifier.verify(cell, traffic, { kills: [], endedAt: Date.now() });
      const rateOf = (items: unknown[]): number => Math.round(items.length / seconds);
      process.stdout.write(
        `chaos: ${KILLS} leader kills in ${Math.round(seconds)} s, ${rateOf(traffic.visits)} visits/s, ${results.failedRedirects} failed, slowest ${results.slowestRedirectMs} ms, ` +
          `${rateOf([...traffic.created, ...traffic.edits])} writes/s, ${results.lostClicks} clicks lost; ` +
          `counted after ${results.countedAfterMs} ms, delivered after ${results.deliveredAfterMs} ms\n`,
      );
      await verifier.verifyAgain(results);
    } finally {
      traffic.stop();
      await Promise.allSettled([traffic.visitsEnd(), traffic.writesEnd()]);
    }
  },
  400_000,
);
