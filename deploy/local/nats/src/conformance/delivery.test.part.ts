import { describe, expect, test } from '@jest/globals';
import type { ConsumerInfo } from '@nats-io/jetstream';
import { Bus, nanos, texts } from './bus.test.part.js';
import { eventually, type ServerUnderTest } from './server.test.part.js';

/** Acknowledgements and redeliveries. */
export function testDelivery(server: () => ServerUnderTest): void {
  const bus = Bus.of(server);

  describe('acknowledgement', () => {
    test('advances the ack floor when all earlier messages are acknowledged', async () => {
      const stream = await bus.aStream(['a1', 'a2', 'a3', 'a4']);
      const consumer = await bus.aConsumer(stream);
      const [first, second, third] = await bus.take(consumer, 3);
      const info = async (): Promise<ConsumerInfo> => consumer.info();
      expect(await info()).toMatchObject({ num_pending: 1, num_ack_pending: 3, delivered: { stream_seq: 3 } });
      expect(await second!.ackAck()).toBe(true);
      expect(await info()).toMatchObject({ num_ack_pending: 2, ack_floor: { stream_seq: 0, consumer_seq: 0 } });
      await first!.ackAck();
      expect(await info()).toMatchObject({ num_ack_pending: 1, ack_floor: { stream_seq: 2, consumer_seq: 2 } });
      await third!.ackAck();
      expect(await info()).toMatchObject({ num_ack_pending: 0, ack_floor: { stream_seq: 3, consumer_seq: 3 } });
    });

    test('uses a reply subject that contains the delivery information', async () => {
      const stream = await bus.aStream(['a1', 'a2']);
      const consumer = await bus.aConsumer(stream, { ack_wait: nanos(300) });
      const [message] = await bus.take(consumer, 1);
      expect(message!.info).toMatchObject({ stream, consumer: 'worker', streamSequence: 1, deliverySequence: 1 });
      expect(message!.info).toMatchObject({ deliveryCount: 1, redelivered: false, pending: 1 });
      const [second] = await bus.take(consumer, 1);
      expect(second!.info.streamSequence).toBe(2);
      const [redelivered] = await bus.take(consumer, 1);
      expect(redelivered!.info).toMatchObject({
        streamSequence: 1,
        deliveryCount: 2,
        redelivered: true,
        deliverySequence: 3,
      });
    });

    test('timeouts cause redeliveries, and +WPI restarts the timeout', async () => {
      const stream = await bus.aStream(['a1', 'a2']);
      const consumer = await bus.aConsumer(stream, { ack_wait: nanos(400) });
      const [slow, lost] = await bus.take(consumer, 2);
      const working = setInterval(() => slow!.working(), 50);
      const [again] = await bus.take(consumer, 1, 3_000);
      clearInterval(working);
      expect(again!.seq).toBe(lost!.seq);
      expect(again!.info.deliveryCount).toBe(2);
    });

    test('-NAK causes a redelivery, immediately or after a delay', async () => {
      const stream = await bus.aStream(['a1']);
      const consumer = await bus.aConsumer(stream);
      (await bus.take(consumer, 1))[0]!.nak();
      const [second] = await bus.take(consumer, 1);
      expect(second!.info.deliveryCount).toBe(2);
      const start = Date.now();
      second!.nak(500);
      const [third] = await bus.take(consumer, 1, 3_000);
      expect(third!.info.deliveryCount).toBe(3);
      const waited = Date.now() - start;
      expect([waited > 450, waited < 2_000]).toEqual([true, true]);
    });

    test('+TERM ends deliveries', async () => {
      const stream = await bus.aStream(['a1']);
      const advisories = await bus.collect(`$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.${stream}.*`);
      const consumer = await bus.aConsumer(stream, { ack_wait: nanos(100) });
      (await bus.take(consumer, 1))[0]!.term();
      await eventually(() => advisories.length === 1);
      expect(advisories[0]!.json()).toMatchObject({
        stream,
        consumer: 'worker',
        stream_seq: 1,
        consumer_seq: 1,
        deliveries: 1,
      });
      expect(await consumer.info()).toMatchObject({ num_ack_pending: 0, ack_floor: { stream_seq: 1 } });
    });

    test('is not expected with the policy none', async () => {
      const stream = await bus.aStream(['a1', 'a2']);
      const consumer = await bus.aConsumer(stream, { ack_policy: 'none' });
      await bus.take(consumer, 2);
      expect(await consumer.info()).toMatchObject({ num_ack_pending: 0, ack_floor: { stream_seq: 2 } });
    });
  });

  describe('redelivery', () => {
    test('follows the backoff', async () => {
      const stream = await bus.aStream(['a1']);
      const consumer = await bus.aConsumer(stream, { backoff: [nanos(100), nanos(700)], max_deliver: 5 });
      await bus.take(consumer, 1);
      const [second] = await bus.take(consumer, 1, 3_000);
      const start = Date.now();
      const [third] = await bus.take(consumer, 1, 3_000);
      expect([second!.info.deliveryCount, third!.info.deliveryCount]).toEqual([2, 3]);
      expect(Date.now() - start).toBeGreaterThan(500);
    });

    test('ends at the delivery limit with an advisory', async () => {
      const stream = await bus.aStream(['a1', 'a2']);
      const advisories = await bus.collect(`$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${stream}.*`);
      const consumer = await bus.aConsumer(stream, { ack_wait: nanos(150), max_deliver: 2 });
      const [first, second] = [await bus.take(consumer, 1), await bus.take(consumer, 1)];
      second[0]!.ack();
      const [again] = await bus.take(consumer, 1, 3_000);
      expect([first[0]!.seq, again!.seq, again!.info.deliveryCount]).toEqual([1, 1, 2]);
      const last = bus.take(consumer, 1, 3_000);
      await eventually(() => advisories.length === 1);
      expect(advisories[0]!.json()).toMatchObject({ stream, consumer: 'worker', stream_seq: 1, deliveries: 2 });
      expect(advisories[0]!.json<{ type: string }>().type).toBe('io.nats.jetstream.advisory.v1.max_deliver');
      await bus.publish(stream, 'a3');
      expect(texts(await last)).toEqual(['a3']);
      expect(advisories).toHaveLength(1);
    });

    test('precedes new messages, and does not wait when max_ack_pending is reached', async () => {
      const stream = await bus.aStream(['a1', 'a2', 'a3', 'a4']);
      const consumer = await bus.aConsumer(stream, { max_ack_pending: 2 });
      const [first, second] = await bus.take(consumer, 2);
      const waiting = bus.take(consumer, 2, 3_000);
      first!.nak();
      await eventually(async () => (await consumer.info()).num_redelivered === 1);
      second!.ack();
      expect((await waiting).map((message) => [message.seq, message.info.deliveryCount])).toEqual([
        [1, 2],
        [3, 1],
      ]);
    });
  });
}
