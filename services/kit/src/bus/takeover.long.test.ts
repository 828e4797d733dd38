import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { newUlid } from '../values/ids.js';
import { createLog } from '../telemetry/log.js';
import { brokerPrograms, startBrokerProcess, type BrokerProcess } from '../testing/broker-process.js';
import { until } from '../testing/until.js';
import { Bus } from './connection.js';
import { consume } from './consume.js';

const log = createLog('test', 'silent');

describe.each(brokerPrograms)('on %s', (program) => {
  let broker: BrokerProcess;
  let bus: Bus;
  beforeAll(async () => {
    broker = await startBrokerProcess(program);
    bus = new Bus({ url: broker.url, name: 'test', log });
    await until(() => bus.connected);
  });
  afterAll(async () => {
    await bus.close();
    await broker.stop();
  });

  const publish = async (subject: string, count: number) => {
    for (let i = 0; i < count; i += 1) await bus.publish(subject, `${i}`, { id: newUlid() });
  };
  const consuming = (subject: string, handle: (text: string) => Promise<void>, concurrency = 1) =>
    consume(
      bus,
      {
        stream: 'EVENTS',
        durable: subject.replaceAll('.', '-'),
        subject,
        maxInFlight: 32,
        concurrency,
        handle: (payload) => handle(Buffer.from(payload).toString()),
        onDeadLetter: async () => {},
        log,
      },
      () => false,
    );

  /** Starts a process that receives 32 messages, its maximum in flight, and handles none. 8 more are pending. */
  async function aBlockedProcess(subject: string): Promise<ChildProcess> {
    await publish(subject, 40);
    const child = fork(join(import.meta.dirname, 'consume.fixture.js'), [broker.url, subject], { execArgv: [] });
    await once(child, 'message');
    return child;
  }

  test.each([
    ['SIGKILL', 4_000],
    // Takes longer, because the server first delivers messages to the stopped process's pending fetch.
    ['SIGSTOP', 10_000],
  ] as const)(
    'after a %s, the messages of a process are handled by the next process within %i ms',
    async (signal, withinMs) => {
      const subject = `events.test.${newUlid()}`;
      const child = await aBlockedProcess(subject);
      child.kill(signal);
      const handled = new Set<string>();
      const consumer = consuming(subject, async (text) => void handled.add(text));
      try {
        await until(() => handled.size === 40, withinMs);
      } finally {
        await consumer.stop();
        child.kill('SIGKILL');
      }
    },
  );

  test('an existing durable consumer with another ack_wait is updated, and its messages are handled', async () => {
    const subject = `events.test.${newUlid()}`;
    const durable = subject.replaceAll('.', '-');
    const manager = await bus.jetstream().jetstreamManager();
    await manager.consumers.add('EVENTS', {
      durable_name: durable,
      filter_subject: subject,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(30_000),
      max_ack_pending: 64,
      max_deliver: -1,
    });
    const handled: string[] = [];
    const consumer = consuming(subject, async (text) => void handled.push(text));
    try {
      await publish(subject, 1);
      await until(() => handled.length === 1, 4_000);
      expect((await manager.consumers.info('EVENTS', durable)).config.ack_wait).toBe(nanos(2_000));
    } finally {
      await consumer.stop();
    }
  });

  test('messages whose handling takes a long time, and those that wait behind them, are not redelivered', async () => {
    const subject = `events.test.${newUlid()}`;
    let handled = 0;
    const consumer = consuming(subject, async () => {
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      handled += 1;
    });
    try {
      await publish(subject, 2);
      await until(() => handled === 1);
      const manager = await bus.jetstream().jetstreamManager();
      const info = await manager.consumers.info('EVENTS', subject.replaceAll('.', '-'));
      expect([info.num_ack_pending, info.num_redelivered]).toEqual([1, 0]);
    } finally {
      await consumer.stop();
    }
  });

  test('a message that is redelivered to the same process is not handled twice', async () => {
    const subject = `events.test.${newUlid()}`;
    let handled = 0;
    const consumer = consuming(
      subject,
      async () => {
        // Blocks the event loop, so that the acknowledgement deadline cannot be extended.
        const end = performance.now() + 3_000;
        while (performance.now() < end);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        handled += 1;
      },
      8,
    );
    try {
      await publish(subject, 1);
      await until(() => handled > 0);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(handled).toBe(1);
    } finally {
      await consumer.stop();
    }
  });
});
