import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createLog } from '../telemetry/log.js';
import { NatsCluster, natsServerProgram } from '../testing/nats-cluster.js';
import { until } from '../testing/until.js';
import { Bus } from './connection.js';
import { consume } from './consume.js';
import { migrateStreams } from './streams.js';

const log = createLog('test', 'silent');
const WITHIN_MS = 60_000;
const program = natsServerProgram();
if (!program) process.stdout.write('skipped: no nats-server on PATH and none named by TEST_BROKER\n');
const onCluster = program ? test : test.skip;

let cluster: NatsCluster;
beforeAll(async () => {
  if (program) cluster = await NatsCluster.start(program);
}, 90_000);
afterAll(() => cluster?.stop());

/** Returns the number of replicas of each stream and of the durable consumer, leaders included. */
async function copies(): Promise<number[]> {
  const connection = await connect({ servers: cluster.url.split(',') });
  try {
    const manager = await jetstreamManager(connection, { timeout: WITHIN_MS });
    const infos = [
      await manager.streams.info('EVENTS'),
      await manager.streams.info('CLICKS'),
      await manager.consumers.info('EVENTS', 'raised'),
    ];
    return infos.map(({ cluster: group }) => 1 + (group?.replicas?.length ?? 0));
  } finally {
    await connection.close();
  }
}

onCluster(
  'replicas of streams and durable consumers can be added without losing messages, are not removed by a process configured with fewer, and keep a stream available when its leader crashes',
  async () => {
    const handled: string[] = [];
    const handle = (payload: Uint8Array): Promise<void> =>
      Promise.resolve(void handled.push(Buffer.from(payload).toString()));
    const start = (replicas: number) => {
      const bus = new Bus({ url: cluster.url, replicas, name: 'raise', log });
      const consumer = consume(
        bus,
        {
          stream: 'EVENTS',
          durable: 'raised',
          subject: 'events.test.>',
          handle,
          onDeadLetter: () => Promise.resolve(),
          log,
        },
        () => true,
      );
      return { bus, stop: async () => void (await consumer.stop(), await bus.close()) };
    };
    const before = start(1);
    await until(
      () =>
        before.bus.publish('events.test.a', 'one copy', { id: '1' }).then(
          () => true,
          () => false,
        ),
      WITHIN_MS,
    );
    await until(() => handled.length === 1, WITHIN_MS);
    expect(await copies()).toEqual([1, 1, 1]);
    await before.stop();

    const raised = [
      { name: 'EVENTS', replicas: 3 },
      { name: 'CLICKS', replicas: 3 },
    ];
    expect(await migrateStreams({ url: cluster.url, replicas: 3 }, WITHIN_MS)).toEqual(raised);
    expect(await copies()).toEqual([3, 3, 3]);
    expect(await migrateStreams({ url: cluster.url, replicas: 3 }, WITHIN_MS)).toEqual(raised);

    const after = start(1);
    await until(
      () =>
        after.bus.publish('events.test.a', 'three copies', { id: '2' }).then(
          () => true,
          () => false,
        ),
      WITHIN_MS,
    );
    await until(() => handled.length === 2, WITHIN_MS);
    expect(handled).toEqual(['one copy', 'three copies']);
    expect(await copies()).toEqual([3, 3, 3]);

    const leader = await cluster.killLeader('EVENTS');
    await until(
      () =>
        after.bus.publish('events.test.a', 'without the leader', { id: '3' }).then(
          () => true,
          () => false,
        ),
      WITHIN_MS,
    );
    await until(() => handled.includes('without the leader'), WITHIN_MS);
    cluster.restart(leader);
    await after.stop();
  },
  240_000,
);
