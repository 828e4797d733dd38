import { describe, expect, test } from '@jest/globals';
import type { JsMsg } from '@nats-io/jetstream';
import { Bus, nanos, statusOf, texts } from './bus.test.part.js';
import { eventually, type ServerUnderTest } from './server.test.part.js';

/** Pull requests: batches, expiry, byte limits, heartbeats and termination. */
export function testPulling(server: () => ServerUnderTest): void {
  const bus = Bus.of(server);

  describe('pulling', () => {
    test('waits for messages until the request expires', async () => {
      const stream = await bus.aStream();
      const consumer = await bus.aConsumer(stream);
      const waiting = bus.take(consumer, 1, 3_000);
      await eventually(async () => (await consumer.info()).num_waiting === 1);
      await bus.publish(stream, 'a1');
      expect(texts(await waiting)).toEqual(['a1']);
      const responses = await bus.pull(stream, { batch: 5, expires: nanos(150) });
      await eventually(() => responses.length === 1);
      expect(statusOf(responses[0]!)).toBe('408 Request Timeout');
      expect(responses[0]!.headers!.get('Nats-Pending-Messages')).toBe('5');
    });

    test('does not wait with no_wait', async () => {
      const stream = await bus.aStream();
      await bus.aConsumer(stream);
      const none = await bus.pull(stream, { batch: 2, no_wait: true });
      await eventually(() => none.length === 1);
      expect(statusOf(none[0]!)).toBe('404 No Messages');
      await bus.publish(stream, 'a1');
      const some = await bus.pull(stream, { batch: 2, no_wait: true });
      await eventually(() => some.length === 2);
      expect(some[0]!.string()).toBe('a1');
      expect([404, 408]).toContain(some[1]!.headers!.code);
    });

    test('accepts a payload that is only a batch size; an empty payload or a number beyond 64 bits requests one message', async () => {
      const stream = await bus.aStream(['a1', 'a2', 'a3']);
      await bus.aConsumer(stream);
      const [two, one] = [await bus.pull(stream, '2'), await bus.pull(stream, '')];
      await eventually(() => two.length + one.length === 3);
      expect([...two, ...one].map((message) => message.string()).sort()).toEqual(['a1', 'a2', 'a3']);
      await bus.publish(stream, 'a4');
      const tooLarge = await bus.pull(stream, '99999999999999999999');
      await eventually(() => tooLarge.length === 1);
      expect(tooLarge[0]!.string()).toBe('a4');
    });

    test('stops at its maximum number of bytes', async () => {
      const stream = await bus.aStream(['a1', `a${'x'.repeat(1_000)}`]);
      await bus.aConsumer(stream);
      const responses = await bus.pull(stream, { batch: 10, max_bytes: 500, expires: nanos(2_000) });
      await eventually(() => responses.length === 2);
      expect(responses[0]!.string()).toBe('a1');
      expect(statusOf(responses[1]!)).toBe('409 Message Size Exceeds MaxBytes');
    });

    test('receives heartbeats, and rejects an interval that is too long for the request', async () => {
      const stream = await bus.aStream(['a1']);
      const consumer = await bus.aConsumer(stream);
      await bus.take(consumer, 1);
      const responses = await bus.pull(stream, { batch: 1, expires: nanos(2_000), idle_heartbeat: nanos(100) });
      await eventually(() => responses.length >= 2);
      expect(statusOf(responses[0]!)).toBe('100 Idle Heartbeat');
      expect(responses[0]!.headers!.get('Nats-Last-Stream')).toBe('1');
      const bad = await bus.pull(stream, { batch: 1, expires: nanos(100), idle_heartbeat: nanos(100) });
      await eventually(() => bad.length === 1);
      expect(statusOf(bad[0]!)).toBe('400 Bad Request - heartbeat value too large');
    });

    test('distributes messages over waiting requests', async () => {
      const stream = await bus.aStream();
      const consumer = await bus.aConsumer(stream);
      const waiting = [bus.take(consumer, 2, 5_000), bus.take(consumer, 2, 5_000)];
      await eventually(async () => (await consumer.info()).num_waiting === 2);
      for (const text of ['a1', 'a2', 'a3', 'a4']) await bus.publish(stream, text);
      const [one, two] = (await Promise.all(waiting)) as [JsMsg[], JsMsg[]];
      expect([one.length, two.length]).toEqual([2, 2]);
      expect([...one, ...two].map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4]);
    });

    test('rejects requests that exceed the limits on their number, batch size or duration', async () => {
      const stream = await bus.aStream();
      await bus.aConsumer(stream, { max_waiting: 1, max_batch: 5, max_expires: nanos(5_000) });
      const expires = nanos(4_000);
      const status = async (request: object): Promise<string> => {
        const responses = await bus.pull(stream, request);
        await eventually(() => responses.length === 1);
        return statusOf(responses[0]!);
      };
      expect(await status({ batch: 6, expires })).toBe('409 Exceeded MaxRequestBatch of 5');
      expect(await status({ batch: 1, expires: nanos(60_000) })).toMatch(/^409 Exceeded MaxRequestExpires of/);
      await bus.pull(stream, { batch: 1, expires });
      expect(await status({ batch: 1, expires })).toBe('409 Exceeded MaxWaiting');
    });

    test('removes requests of disconnected clients', async () => {
      const stream = await bus.aStream();
      // If the message is delivered before the server notices the disconnection, it is redelivered after 300 ms.
      const consumer = await bus.aConsumer(stream, { ack_wait: nanos(300) });
      const other = await server().connect();
      other.subscribe('gone', { callback: () => undefined });
      other.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.worker`, '{"batch":1,"expires":20000000000}', {
        reply: 'gone',
      });
      await eventually(async () => (await consumer.info()).num_waiting === 1);
      await other.close();
      await bus.publish(stream, 'a1');
      expect(texts(await bus.take(consumer, 1, 3_000))).toEqual(['a1']);
    });

    test('ends when the consumer is deleted, and later requests have no responders', async () => {
      const stream = await bus.aStream();
      const consumer = await bus.aConsumer(stream);
      const responses = await bus.pull(stream, { batch: 1, expires: nanos(5_000) });
      await eventually(async () => (await consumer.info()).num_waiting === 1);
      await consumer.delete();
      await eventually(() => responses.length === 1);
      expect(statusOf(responses[0]!)).toBe('409 Consumer Deleted');
      // Newer servers send a no-responders status. Older ones do not respond.
      const asked = bus.nc.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.worker`, '', { timeout: 300 });
      await expect(asked).rejects.toThrow(/no responders|timeout/);
    });

    test('delivers every message in order with consume()', async () => {
      const stream = await bus.aStream();
      const consumer = await bus.aConsumer(stream, { max_ack_pending: 50 });
      const received: number[] = [];
      const messages = await consumer.consume({ max_messages: 20 });
      const consuming = (async () => {
        for await (const message of messages) {
          message.ack();
          if (received.push(message.seq) === 300) return;
        }
      })();
      await Promise.all(Array.from({ length: 300 }, (_, n) => bus.publish(stream, `a${n}`)));
      await consuming;
      expect(received).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
    });
  });
}
