import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from './bus.test.part.js';
import { eventually, ServerUnderTest, type Program } from './server.test.part.js';

/** Tests durability across clean stops and kills. */
export function testDurability(program: Program): void {
  let server: ServerUnderTest;
  beforeAll(async () => {
    server = await ServerUnderTest.start(program);
  });
  afterAll(() => server.stop());

  const patient = { maxReconnectAttempts: -1, reconnectTimeWait: 50 };

  describe.each(['SIGTERM', 'SIGKILL'] as const)('after %s', (signal) => {
    test('clients reconnect and find streams, consumers and their progress', async () => {
      const nc = await server.connect(patient);
      const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
      const stream = `KEEP_${signal}`;
      await jsm.streams.add({ name: stream, subjects: [`${stream}.*`], max_msg_size: 50 });
      await jsm.consumers.add(stream, { durable_name: 'worker', ack_policy: 'explicit', ack_wait: nanos(1_000) });
      for (let n = 1; n <= 60; n++) await js.publish(`${stream}.a`, `m${n}`, { msgID: `id${n}` });
      await jsm.streams.deleteMessage(stream, 30);
      const consumer = await js.consumers.get(stream, 'worker');
      const [acked, unacked] = [await consumer.next(), await consumer.next()];
      await acked!.ackAck();
      expect([acked!.seq, unacked!.seq]).toEqual([1, 2]);
      const heard: string[] = [];
      nc.subscribe('after.restart', { callback: (_, message) => void heard.push(message.string()) });

      const code = await server.end(signal);
      if (signal === 'SIGTERM') expect(code === 0 || program.name.startsWith('nats-server')).toBe(true);
      await server.start();

      await eventually(async () => {
        nc.publish('after.restart', 'heard');
        await nc.flush().catch(() => undefined);
        return heard.length > 0;
      });
      const { config, state } = await jsm.streams.info(stream);
      expect(config.max_msg_size).toBe(50);
      expect(state).toMatchObject({ messages: 59, first_seq: 1, last_seq: 60, num_deleted: 1, consumer_count: 1 });
      expect(await js.publish(`${stream}.a`, 'again', { msgID: 'id60' })).toMatchObject({ duplicate: true, seq: 60 });
      await js.publish(`${stream}.a`, 'next', { expect: { lastMsgID: 'id60' } });
      const received: number[] = [];
      while (!received.includes(3)) received.push((await consumer.next({ expires: 5_000 }))!.seq);
      // A killed server may have lost the acknowledgement of message 1. It then delivers the message again.
      expect(received.filter((seq) => seq !== 3 && seq !== unacked!.seq)).toEqual(received.includes(1) ? [1] : []);
      if (signal === 'SIGTERM') expect(received).not.toContain(acked!.seq);
    });
  });

  test('consume() continues after a restart', async () => {
    const nc = await server.connect(patient);
    const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
    await jsm.streams.add({ name: 'ONWARD', subjects: ['onward'] });
    await jsm.consumers.add('ONWARD', { durable_name: 'worker', ack_policy: 'explicit', ack_wait: nanos(1_000) });
    const received = new Set<string>();
    const consumer = await js.consumers.get('ONWARD', 'worker');
    const messages = await consumer.consume({
      expires: 2_000,
      callback: (message) => {
        received.add(message.string());
        message.ack();
      },
    });
    await js.publish('onward', 'before');
    await eventually(() => received.has('before'));
    await server.end('SIGKILL');
    await server.start();
    await eventually(() => js.publish('onward', 'after', { msgID: 'after', timeout: 300 }).catch(() => undefined));
    await eventually(() => received.has('after'));
    messages.stop();
  });

  test('kill -9 during publishing neither loses nor duplicates acknowledged messages', async () => {
    const nc = await server.connect(patient);
    const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
    await jsm.streams.add({ name: 'CRASH', subjects: ['crash.*'] });
    const acknowledged = new Set<string>();
    let stopped = false;
    const publisher = async (worker: number): Promise<void> => {
      for (let n = 0; !stopped; n++) {
        const id = `${worker}-${n}`;
        // Retry until the message is acknowledged. If only the acknowledgement was lost, the message id prevents a
        // duplicate.
        while (!acknowledged.has(id) && !stopped) {
          const ack = js.publish(`crash.${worker}`, id.padEnd(2_000), { msgID: id, timeout: 500 });
          await ack.then(() => acknowledged.add(id)).catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
        }
      }
    };
    const publishers = Array.from({ length: 16 }, (_, worker) => publisher(worker));
    for (let round = 1; round <= 3; round++) {
      await eventually(() => acknowledged.size >= round * 500);
      await server.end('SIGKILL');
      await server.start();
    }
    await eventually(() => acknowledged.size >= 2_000);
    stopped = true;
    await Promise.all(publishers);

    const stored: string[] = [];
    const consumer = await js.consumers.get('CRASH');
    const { messages: total } = (await jsm.streams.info('CRASH')).state;
    for await (const message of await consumer.fetch({ max_messages: total, expires: 10_000 })) {
      stored.push(message.string().trim());
    }
    expect(stored).toHaveLength(total);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
  });
}
