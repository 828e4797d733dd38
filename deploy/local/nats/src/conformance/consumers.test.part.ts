import { describe, expect, test } from '@jest/globals';
import { Bus, nanos, errorCodeOf, texts } from './bus.test.part.js';
import { eventually, type ServerUnderTest } from './server.test.part.js';

/** Pull consumers: start positions, filters, management and retention. */
export function testConsumers(server: () => ServerUnderTest): void {
  const bus = Bus.of(server);

  describe('the start of a consumer', () => {
    const messages = ['a1', 'b2', 'a3', 'b4', 'c5'];

    test('is the first, the last or the next message', async () => {
      const stream = await bus.aStream(messages);
      expect(await bus.takeAll(stream, 5, { deliver_policy: 'all' })).toEqual(messages);
      expect(await bus.takeAll(stream, 1, { deliver_policy: 'last' })).toEqual(['c5']);
      expect(await bus.takeAll(stream, 1, { deliver_policy: 'last', filter_subject: `${stream}.a` })).toEqual(['a3']);
      const consumer = await bus.aConsumer(stream, { deliver_policy: 'new' });
      await bus.publish(stream, 'a6');
      expect(texts(await bus.take(consumer, 1))).toEqual(['a6']);
    });

    test('is a sequence or a time', async () => {
      const stream = await bus.aStream(messages.slice(0, 2));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const time = new Date().toISOString();
      for (const message of messages.slice(2)) await bus.publish(stream, message);
      const [bySeq, byTime] = ['by_start_sequence', 'by_start_time'] as const;
      const from = (policy: object): Promise<string[]> => bus.takeAll(stream, 3, policy);
      expect(await from({ deliver_policy: byTime, opt_start_time: time })).toEqual(['a3', 'b4', 'c5']);
      expect(await from({ deliver_policy: bySeq, opt_start_seq: 3 })).toEqual(['a3', 'b4', 'c5']);
      expect(await errorCodeOf(from({ deliver_policy: bySeq }))).toBe(10094);
      expect(await errorCodeOf(from({ deliver_policy: 'all', opt_start_seq: 3 }))).toBe(10094);
    });

    test('is the last message of each subject', async () => {
      const stream = await bus.aStream(messages);
      const policy = { deliver_policy: 'last_per_subject', filter_subject: `${stream}.>` } as const;
      expect(await bus.takeAll(stream, 3, policy)).toEqual(['a3', 'b4', 'c5']);
    });
  });

  describe('filters', () => {
    test('can consist of one subject, with or without wildcards', async () => {
      const stream = await bus.aStream(['a1', 'b2', 'a3', 'b4']);
      expect(await bus.takeAll(stream, 2, { filter_subject: `${stream}.b` })).toEqual(['b2', 'b4']);
      expect(await bus.takeAll(stream, 4, { filter_subject: `${stream}.*` })).toEqual(['a1', 'b2', 'a3', 'b4']);
      expect(await bus.takeAll(stream, 0, { filter_subject: `${stream}.z` })).toEqual([]);
    });

    test('can also match subjects outside of the stream', async () => {
      if (!bus.atLeast(10)) return;
      const stream = await bus.aStream(['a1', 'b2'], {});
      await bus.jsm.streams.update(stream, { subjects: [`${stream}.*`] });
      expect(await bus.takeAll(stream, 1, { filter_subject: '*.b' })).toEqual(['b2']);
    });

    test('can consist of several subjects that do not overlap', async () => {
      if (!bus.atLeast(10)) return;
      const stream = await bus.aStream(['a1', 'b2', 'c3', 'a4']);
      const [a, b, c] = ['a', 'b', 'c'].map((key) => `${stream}.${key}`) as [string, string, string];
      expect(await bus.takeAll(stream, 3, { filter_subjects: [a, c] })).toEqual(['a1', 'c3', 'a4']);
      expect(await errorCodeOf(bus.aConsumer(stream, { filter_subjects: [b, `${stream}.*`] }))).toBe(10138);
      expect(await errorCodeOf(bus.aConsumer(stream, { filter_subject: a, filter_subjects: [b] }))).toBe(10136);
    });

    test('can be updated', async () => {
      const stream = await bus.aStream(['a1', 'b2', 'a3', 'b4']);
      const consumer = await bus.aConsumer(stream, { filter_subject: `${stream}.a` });
      expect(texts(await bus.take(consumer, 1))).toEqual(['a1']);
      await bus.jsm.consumers.update(stream, 'worker', { filter_subject: `${stream}.b` });
      expect(texts(await bus.take(consumer, 2))).toEqual(['b2', 'b4']);
    });
  });

  describe('management', () => {
    test('creates a consumer once, updates it, and rejects a different one with the same name', async () => {
      const stream = await bus.aStream();
      const base = { durable_name: 'worker', ack_policy: 'explicit' } as const;
      const info = await bus.jsm.consumers.add(stream, base);
      expect(info.config).toMatchObject({ ...base, deliver_policy: 'all', ack_wait: nanos(30_000), max_deliver: -1 });
      expect(info.config).toMatchObject({ max_ack_pending: 1000, max_waiting: 512, replay_policy: 'instant' });
      expect((await bus.jsm.consumers.add(stream, base)).created).toBe(info.created);
      if (bus.atLeast(10))
        expect(await errorCodeOf(bus.jsm.consumers.add(stream, { ...base, ack_wait: nanos(1_000) }))).toBe(10148);
      const updated = await bus.jsm.consumers.update(stream, 'worker', { ack_wait: nanos(2_000), max_deliver: 7 });
      expect(updated.config).toMatchObject({ ack_wait: nanos(2_000), max_deliver: 7 });
      expect(await errorCodeOf(bus.jsm.consumers.update(stream, 'worker', { deliver_policy: 'new' } as object))).toBe(
        10012,
      );
      expect(await errorCodeOf(bus.jsm.consumers.update(stream, 'none', {}))).toBe(10014);
    });

    test('lists, counts and deletes consumers, and rejects unknown consumers and streams', async () => {
      const stream = await bus.aStream();
      for (const name of ['one', 'two'])
        await bus.jsm.consumers.add(stream, { durable_name: name, ack_policy: 'explicit' });
      const listed = await bus.jsm.consumers.list(stream).next();
      expect(listed.map(({ name }) => name).sort()).toEqual(['one', 'two']);
      expect((await bus.jsm.streams.info(stream)).state.consumer_count).toBe(2);
      expect(await bus.jsm.consumers.delete(stream, 'one')).toBe(true);
      expect(await errorCodeOf(bus.jsm.consumers.info(stream, 'one'))).toBe(10014);
      expect(await errorCodeOf(bus.jsm.consumers.add('NONE', { durable_name: 'x', ack_policy: 'explicit' }))).toBe(
        10059,
      );
    });

    test('deletes ephemeral consumers after their inactive threshold', async () => {
      const stream = await bus.aStream(['a1']);
      const brief = { ack_policy: 'explicit', inactive_threshold: nanos(400) } as const;
      const { name } = await bus.jsm.consumers.add(stream, brief);
      const used = await bus.js.consumers.get(stream, name);
      expect(texts(await bus.take(used, 2, 1_500))).toEqual(['a1']);
      const gone = (): Promise<boolean> =>
        used.info().then(
          () => false,
          () => true,
        );
      expect(await gone()).toBe(false);
      await bus.jsm.streams.purge(stream);
      await eventually(gone);
      expect(await errorCodeOf(used.info())).toBe(10014);
    });

    test('supports ordered consumers, which need no acknowledgements', async () => {
      const stream = await bus.aStream(['a1', 'b2', 'a3']);
      const ordered = await bus.js.consumers.get(stream);
      expect(texts(await bus.take(ordered, 3))).toEqual(['a1', 'b2', 'a3']);
    });
  });

  describe('retention', () => {
    test('a work queue removes acknowledged messages and rejects a second consumer without a filter', async () => {
      const stream = await bus.aStream(['a1', 'a2', 'a3'], { retention: 'workqueue' });
      const consumer = await bus.aConsumer(stream);
      const [, second] = await bus.take(consumer, 2);
      await second!.ackAck();
      await eventually(async () => (await bus.jsm.streams.info(stream)).state.messages === 2);
      expect((await bus.jsm.streams.info(stream)).state).toMatchObject({ first_seq: 1, last_seq: 3 });
      expect(await errorCodeOf(bus.jsm.consumers.add(stream, { durable_name: 'other', ack_policy: 'explicit' }))).toBe(
        10099,
      );
    });

    test('interest retention removes unmatched messages and those that all consumers have acknowledged', async () => {
      const stream = await bus.aStream(['a1'], { retention: 'interest' });
      expect((await bus.jsm.streams.info(stream)).state).toMatchObject({ messages: 0, last_seq: 1 });
      const one = await bus.aConsumer(stream, { durable_name: 'one' });
      const two = await bus.aConsumer(stream, { durable_name: 'two', filter_subject: `${stream}.a` });
      await bus.publish(stream, 'a2');
      await bus.publish(stream, 'b3');
      for (const message of await bus.take(one, 2)) await message.ackAck();
      await eventually(async () => (await bus.jsm.streams.info(stream)).state.messages === 1);
      for (const message of await bus.take(two, 1)) await message.ackAck();
      await eventually(async () => (await bus.jsm.streams.info(stream)).state.messages === 0);
    });

    test('interest retention keeps undelivered messages when a consumer is updated', async () => {
      const stream = await bus.aStream([], { retention: 'interest' });
      await bus.aConsumer(stream, { filter_subject: `${stream}.a` });
      await bus.publish(stream, 'a1');
      await bus.jsm.consumers.update(stream, 'worker', { description: 'updated' });
      expect((await bus.jsm.streams.info(stream)).state.messages).toBe(1);
    });

    test.each(['interest', 'workqueue'] as const)(
      '%s retention removes a message that is acknowledged after its last delivery timed out',
      async (retention) => {
        const stream = await bus.aStream([], { retention });
        const consumer = await bus.aConsumer(stream, { ack_wait: nanos(100), max_deliver: 1 });
        const advisories = await bus.collect(`$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${stream}.*`);
        await bus.publish(stream, 'a1');
        const [late] = await bus.take(consumer, 1);
        const waiting = bus.take(consumer, 1, 2_000);
        await eventually(() => advisories.length === 1);
        await late!.ackAck();
        await eventually(async () => (await bus.jsm.streams.info(stream)).state.messages === 0);
        await bus.publish(stream, 'a2');
        expect(texts(await waiting)).toEqual(['a2']);
      },
    );
  });
}
