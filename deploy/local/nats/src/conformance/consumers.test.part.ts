import { beforeAll, describe, expect, test } from '@jest/globals';
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import {
  jetstream,
  jetstreamManager,
  type Consumer,
  type ConsumerConfig,
  type ConsumerInfo,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type StreamConfig,
} from '@nats-io/jetstream';
import { eventually, type ServerUnderTest } from './server.test.part.js';
import { refusal } from './streams.test.part.js';

const nanos = (ms: number): number => ms * 1e6;

/** Pull consumers: what they give out, when again, and when no more. */
export function consumerFacts(server: () => ServerUnderTest): void {
  let [nc, js, jsm]: [NatsConnection, JetStreamClient, JetStreamManager] = [] as never;
  let serial = 0;
  beforeAll(async () => {
    nc = await server().connect();
    [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
  });

  const atLeast = (minor: number): boolean => Number(nc.info!.version.split('.')[1]) >= minor;

  /** A stream of its own, with these messages: `a1` is published to subject `<stream>.a`. */
  async function aStream(messages: string[] = [], config: Partial<StreamConfig> = {}): Promise<string> {
    const name = `C${++serial}`;
    await jsm.streams.add({ name, subjects: [`${name}.>`], ...config });
    for (const message of messages) await publish(name, message);
    return name;
  }

  const publish = (stream: string, text: string): Promise<unknown> => js.publish(`${stream}.${text[0]}`, text);

  async function aConsumer(stream: string, config: Partial<ConsumerConfig> = {}): Promise<Consumer> {
    const info = await jsm.consumers.add(stream, { durable_name: 'worker', ack_policy: 'explicit', ...config });
    return js.consumers.get(stream, info.name);
  }

  /** Up to `count` messages, as long as they come at once. */
  async function take(consumer: Consumer, count: number, expires = 1_000): Promise<JsMsg[]> {
    const taken: JsMsg[] = [];
    if (count === 0) return taken;
    for await (const message of await consumer.fetch({ max_messages: count, expires })) taken.push(message);
    return taken;
  }

  const texts = (messages: JsMsg[]): string[] => messages.map((message) => message.string());

  async function takeTexts(stream: string, count: number, config: Partial<ConsumerConfig>): Promise<string[]> {
    const consumer = await aConsumer(stream, config);
    const taken = texts(await take(consumer, count));
    expect((await consumer.info()).num_pending).toBe(0);
    await consumer.delete();
    return taken;
  }

  /** What comes back on a pull made by hand. */
  async function pull(stream: string, request: object | string, name = 'worker'): Promise<Msg[]> {
    const inbox = createInbox();
    const seen: Msg[] = [];
    nc.subscribe(inbox, { callback: (_, message) => void seen.push(message) });
    const payload = typeof request === 'string' ? request : JSON.stringify(request);
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, payload, { reply: inbox });
    await nc.flush();
    return seen;
  }

  const statusOf = (message: Msg): string => `${message.headers?.code} ${message.headers?.description}`;

  const advisories = async (kind: string, stream: string): Promise<Record<string, unknown>[]> => {
    const seen: Record<string, unknown>[] = [];
    const callback = (_: unknown, message: Msg): void => void seen.push(message.json());
    nc.subscribe(`$JS.EVENT.ADVISORY.CONSUMER.${kind}.${stream}.*`, { callback });
    await nc.flush();
    return seen;
  };

  describe('where a consumer begins', () => {
    const messages = ['a1', 'b2', 'a3', 'b4', 'c5'];

    test('at the first, the last, or the next message', async () => {
      const stream = await aStream(messages);
      expect(await takeTexts(stream, 5, { deliver_policy: 'all' })).toEqual(messages);
      expect(await takeTexts(stream, 1, { deliver_policy: 'last' })).toEqual(['c5']);
      expect(await takeTexts(stream, 1, { deliver_policy: 'last', filter_subject: `${stream}.a` })).toEqual(['a3']);
      const consumer = await aConsumer(stream, { deliver_policy: 'new' });
      await publish(stream, 'a6');
      expect(texts(await take(consumer, 1))).toEqual(['a6']);
    });

    test('at a sequence or a time', async () => {
      const stream = await aStream(messages.slice(0, 2));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const time = new Date().toISOString();
      for (const message of messages.slice(2)) await publish(stream, message);
      const [bySeq, byTime] = ['by_start_sequence', 'by_start_time'] as const;
      const from = (policy: object): Promise<string[]> => takeTexts(stream, 3, policy);
      expect(await from({ deliver_policy: byTime, opt_start_time: time })).toEqual(['a3', 'b4', 'c5']);
      expect(await from({ deliver_policy: bySeq, opt_start_seq: 3 })).toEqual(['a3', 'b4', 'c5']);
      expect(await refusal(from({ deliver_policy: bySeq }))).toBe(10094);
      expect(await refusal(from({ deliver_policy: 'all', opt_start_seq: 3 }))).toBe(10094);
    });

    test('at the last of each subject', async () => {
      const stream = await aStream(messages);
      const policy = { deliver_policy: 'last_per_subject', filter_subject: `${stream}.>` } as const;
      expect(await takeTexts(stream, 3, policy)).toEqual(['a3', 'b4', 'c5']);
    });
  });

  describe('filters', () => {
    test('one subject, with and without wildcards', async () => {
      const stream = await aStream(['a1', 'b2', 'a3', 'b4']);
      expect(await takeTexts(stream, 2, { filter_subject: `${stream}.b` })).toEqual(['b2', 'b4']);
      expect(await takeTexts(stream, 4, { filter_subject: `${stream}.*` })).toEqual(['a1', 'b2', 'a3', 'b4']);
      expect(await takeTexts(stream, 0, { filter_subject: `${stream}.z` })).toEqual([]);
    });

    test('several subjects', async () => {
      if (!atLeast(10)) return;
      const stream = await aStream(['a1', 'b2', 'c3', 'a4']);
      const [a, b, c] = ['a', 'b', 'c'].map((key) => `${stream}.${key}`) as [string, string, string];
      expect(await takeTexts(stream, 3, { filter_subjects: [a, c] })).toEqual(['a1', 'c3', 'a4']);
      expect(await refusal(aConsumer(stream, { filter_subjects: [b, `${stream}.*`] }))).toBe(10138);
      expect(await refusal(aConsumer(stream, { filter_subject: a, filter_subjects: [b] }))).toBe(10136);
    });

    test('can be updated', async () => {
      const stream = await aStream(['a1', 'b2', 'a3', 'b4']);
      const consumer = await aConsumer(stream, { filter_subject: `${stream}.a` });
      expect(texts(await take(consumer, 1))).toEqual(['a1']);
      await jsm.consumers.update(stream, 'worker', { filter_subject: `${stream}.b` });
      expect(texts(await take(consumer, 2))).toEqual(['b2', 'b4']);
    });
  });

  describe('acknowledgement', () => {
    test('moves the floor over what is settled', async () => {
      const stream = await aStream(['a1', 'a2', 'a3', 'a4']);
      const consumer = await aConsumer(stream);
      const [first, second, third] = await take(consumer, 3);
      const info = async (): Promise<ConsumerInfo> => consumer.info();
      expect(await info()).toMatchObject({ num_pending: 1, num_ack_pending: 3, delivered: { stream_seq: 3 } });
      expect(await second!.ackAck()).toBe(true);
      expect(await info()).toMatchObject({ num_ack_pending: 2, ack_floor: { stream_seq: 0, consumer_seq: 0 } });
      await first!.ackAck();
      expect(await info()).toMatchObject({ num_ack_pending: 1, ack_floor: { stream_seq: 2, consumer_seq: 2 } });
      await third!.ackAck();
      expect(await info()).toMatchObject({ num_ack_pending: 0, ack_floor: { stream_seq: 3, consumer_seq: 3 } });
    });

    test('is described by the reply subject', async () => {
      const stream = await aStream(['a1', 'a2']);
      const consumer = await aConsumer(stream, { ack_wait: nanos(300) });
      const [message] = await take(consumer, 1);
      expect(message!.info).toMatchObject({ stream, consumer: 'worker', streamSequence: 1, deliverySequence: 1 });
      expect(message!.info).toMatchObject({ deliveryCount: 1, redelivered: false, pending: 1 });
      const [again] = await take(consumer, 1);
      expect(again!.info.streamSequence).toBe(2);
      const [back] = await take(consumer, 1);
      expect(back!.info).toMatchObject({ streamSequence: 1, deliveryCount: 2, redelivered: true, deliverySequence: 3 });
    });

    test('that does not come in time means another delivery; in-progress means more time', async () => {
      const stream = await aStream(['a1', 'a2']);
      const consumer = await aConsumer(stream, { ack_wait: nanos(400) });
      const [slow, lost] = await take(consumer, 2);
      const working = setInterval(() => slow!.working(), 50);
      const [again] = await take(consumer, 1, 3_000);
      clearInterval(working);
      expect(again!.seq).toBe(lost!.seq);
      expect(again!.info.deliveryCount).toBe(2);
    });

    test('-NAK asks for another delivery, at once or after a delay', async () => {
      const stream = await aStream(['a1']);
      const consumer = await aConsumer(stream);
      (await take(consumer, 1))[0]!.nak();
      const [second] = await take(consumer, 1);
      expect(second!.info.deliveryCount).toBe(2);
      const start = Date.now();
      second!.nak(500);
      const [third] = await take(consumer, 1, 3_000);
      expect(third!.info.deliveryCount).toBe(3);
      const waited = Date.now() - start;
      expect([waited > 450, waited < 2_000]).toEqual([true, true]);
    });

    test('+TERM ends it', async () => {
      const stream = await aStream(['a1']);
      const seen = await advisories('MSG_TERMINATED', stream);
      const consumer = await aConsumer(stream, { ack_wait: nanos(100) });
      (await take(consumer, 1))[0]!.term();
      await eventually(() => seen.length === 1);
      expect(seen[0]).toMatchObject({ stream, consumer: 'worker', stream_seq: 1, consumer_seq: 1, deliveries: 1 });
      expect(await consumer.info()).toMatchObject({ num_ack_pending: 0, ack_floor: { stream_seq: 1 } });
    });

    test('is not awaited where the policy is none', async () => {
      const stream = await aStream(['a1', 'a2']);
      const consumer = await aConsumer(stream, { ack_policy: 'none' });
      await take(consumer, 2);
      expect(await consumer.info()).toMatchObject({ num_ack_pending: 0, ack_floor: { stream_seq: 2 } });
    });
  });

  describe('redelivery', () => {
    test('keeps to the backoff', async () => {
      const stream = await aStream(['a1']);
      const consumer = await aConsumer(stream, { backoff: [nanos(100), nanos(700)], max_deliver: 5 });
      await take(consumer, 1);
      const [second] = await take(consumer, 1, 3_000);
      const start = Date.now();
      const [third] = await take(consumer, 1, 3_000);
      expect([second!.info.deliveryCount, third!.info.deliveryCount]).toEqual([2, 3]);
      expect(Date.now() - start).toBeGreaterThan(500);
    });

    test('ends after the delivery limit, with an advisory', async () => {
      const stream = await aStream(['a1', 'a2']);
      const seen = await advisories('MAX_DELIVERIES', stream);
      const consumer = await aConsumer(stream, { ack_wait: nanos(150), max_deliver: 2 });
      const [first, second] = [await take(consumer, 1), await take(consumer, 1)];
      second[0]!.ack();
      const [again] = await take(consumer, 1, 3_000);
      expect([first[0]!.seq, again!.seq, again!.info.deliveryCount]).toEqual([1, 1, 2]);
      const last = take(consumer, 1, 3_000);
      await eventually(() => seen.length === 1);
      expect(seen[0]).toMatchObject({ stream, consumer: 'worker', stream_seq: 1, deliveries: 2 });
      expect(seen[0]!['type']).toBe('io.nats.jetstream.advisory.v1.max_deliver');
      await publish(stream, 'a3');
      expect(texts(await last)).toEqual(['a3']);
      expect(seen).toHaveLength(1);
    });

    test('goes before new messages, and nothing goes beyond the limit of pending ones', async () => {
      const stream = await aStream(['a1', 'a2', 'a3', 'a4']);
      const consumer = await aConsumer(stream, { max_ack_pending: 2 });
      const [first, second] = await take(consumer, 2);
      const waiting = take(consumer, 2, 3_000);
      first!.nak();
      const inProgress = await eventually(async () => (await consumer.info()).num_redelivered === 1);
      expect(inProgress).toBe(true);
      second!.ack();
      expect((await waiting).map((message) => [message.seq, message.info.deliveryCount])).toEqual([
        [1, 2],
        [3, 1],
      ]);
    });
  });

  describe('pulling', () => {
    test('waits for messages and ends at its time', async () => {
      const stream = await aStream();
      const consumer = await aConsumer(stream);
      const waiting = take(consumer, 1, 3_000);
      await eventually(async () => (await consumer.info()).num_waiting === 1);
      await publish(stream, 'a1');
      expect(texts(await waiting)).toEqual(['a1']);
      const seen = await pull(stream, { batch: 5, expires: nanos(150) });
      await eventually(() => seen.length === 1);
      expect(statusOf(seen[0]!)).toBe('408 Request Timeout');
      expect(seen[0]!.headers!.get('Nats-Pending-Messages')).toBe('5');
    });

    test('does not wait when told so', async () => {
      const stream = await aStream();
      await aConsumer(stream);
      const none = await pull(stream, { batch: 2, no_wait: true });
      await eventually(() => none.length === 1);
      expect(statusOf(none[0]!)).toBe('404 No Messages');
      await publish(stream, 'a1');
      const some = await pull(stream, { batch: 2, no_wait: true });
      await eventually(() => some.length === 2);
      expect(some[0]!.string()).toBe('a1');
      expect([404, 408]).toContain(some[1]!.headers!.code);
    });

    test('takes a plain number, or nothing for one', async () => {
      const stream = await aStream(['a1', 'a2', 'a3']);
      await aConsumer(stream);
      const [two, one] = [await pull(stream, '2'), await pull(stream, '')];
      await eventually(() => two.length + one.length === 3);
      expect([...two, ...one].map((message) => message.string()).sort()).toEqual(['a1', 'a2', 'a3']);
    });

    test('stops at its maximum of bytes', async () => {
      const stream = await aStream(['a1', `a${'x'.repeat(1_000)}`]);
      await aConsumer(stream);
      const seen = await pull(stream, { batch: 10, max_bytes: 500, expires: nanos(2_000) });
      await eventually(() => seen.length === 2);
      expect(seen[0]!.string()).toBe('a1');
      expect(statusOf(seen[1]!)).toBe('409 Message Size Exceeds MaxBytes');
    });

    test('is told that its consumer lives', async () => {
      const stream = await aStream(['a1']);
      const consumer = await aConsumer(stream);
      await take(consumer, 1);
      const seen = await pull(stream, { batch: 1, expires: nanos(2_000), idle_heartbeat: nanos(100) });
      await eventually(() => seen.length >= 2);
      expect(statusOf(seen[0]!)).toBe('100 Idle Heartbeat');
      expect(seen[0]!.headers!.get('Nats-Last-Stream')).toBe('1');
      const bad = await pull(stream, { batch: 1, expires: nanos(100), idle_heartbeat: nanos(100) });
      await eventually(() => bad.length === 1);
      expect(statusOf(bad[0]!)).toBe('400 Bad Request - heartbeat value too large');
    });

    test('is shared out over those who wait', async () => {
      const stream = await aStream();
      const consumer = await aConsumer(stream);
      const waiting = [take(consumer, 2, 5_000), take(consumer, 2, 5_000)];
      await eventually(async () => (await consumer.info()).num_waiting === 2);
      for (const text of ['a1', 'a2', 'a3', 'a4']) await publish(stream, text);
      const [one, two] = (await Promise.all(waiting)) as [JsMsg[], JsMsg[]];
      expect([one.length, two.length]).toEqual([2, 2]);
      expect([...one, ...two].map(({ seq }) => seq).sort()).toEqual([1, 2, 3, 4]);
    });

    test('is bounded in requests, batch and time', async () => {
      const stream = await aStream();
      await aConsumer(stream, { max_waiting: 1, max_batch: 5, max_expires: nanos(5_000) });
      const expires = nanos(4_000);
      const status = async (request: object): Promise<string> => {
        const seen = await pull(stream, request);
        await eventually(() => seen.length === 1);
        return statusOf(seen[0]!);
      };
      expect(await status({ batch: 6, expires })).toBe('409 Exceeded MaxRequestBatch of 5');
      expect(await status({ batch: 1, expires: nanos(60_000) })).toMatch(/^409 Exceeded MaxRequestExpires of/);
      await pull(stream, { batch: 1, expires });
      expect(await status({ batch: 1, expires })).toBe('409 Exceeded MaxWaiting');
    });

    test('forgets those who have gone', async () => {
      const stream = await aStream();
      const consumer = await aConsumer(stream);
      const other = await server().connect();
      other.subscribe('gone', { callback: () => undefined });
      other.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.worker`, '{"batch":1,"expires":20000000000}', { reply: 'gone' });
      await eventually(async () => (await consumer.info()).num_waiting === 1);
      await other.close();
      await publish(stream, 'a1');
      expect(texts(await take(consumer, 1))).toEqual(['a1']);
    });

    test('ends when the consumer is deleted; then there is nobody to ask', async () => {
      const stream = await aStream();
      const consumer = await aConsumer(stream);
      const seen = await pull(stream, { batch: 1, expires: nanos(5_000) });
      await eventually(async () => (await consumer.info()).num_waiting === 1);
      await consumer.delete();
      await eventually(() => seen.length === 1);
      expect(statusOf(seen[0]!)).toBe('409 Consumer Deleted');
      // Newer servers say so, older ones are silent.
      const asked = nc.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.worker`, '', { timeout: 300 });
      await expect(asked).rejects.toThrow(/no responders|timeout/);
    });

    test('goes on and on with consume', async () => {
      const stream = await aStream();
      const consumer = await aConsumer(stream, { max_ack_pending: 50 });
      const seen: number[] = [];
      const messages = await consumer.consume({ max_messages: 20 });
      const consuming = (async () => {
        for await (const message of messages) {
          message.ack();
          if (seen.push(message.seq) === 300) return;
        }
      })();
      await Promise.all(Array.from({ length: 300 }, (_, n) => publish(stream, `a${n}`)));
      await consuming;
      expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
    });
  });

  describe('management', () => {
    test('creates once, refuses another of the name, updates what may change', async () => {
      const stream = await aStream();
      const base = { durable_name: 'worker', ack_policy: 'explicit' } as const;
      const info = await jsm.consumers.add(stream, base);
      expect(info.config).toMatchObject({ ...base, deliver_policy: 'all', ack_wait: nanos(30_000), max_deliver: -1 });
      expect(info.config).toMatchObject({ max_ack_pending: 1000, max_waiting: 512, replay_policy: 'instant' });
      expect((await jsm.consumers.add(stream, base)).created).toBe(info.created);
      if (atLeast(10)) expect(await refusal(jsm.consumers.add(stream, { ...base, ack_wait: nanos(1_000) }))).toBe(10148);
      const updated = await jsm.consumers.update(stream, 'worker', { ack_wait: nanos(2_000), max_deliver: 7 });
      expect(updated.config).toMatchObject({ ack_wait: nanos(2_000), max_deliver: 7 });
      expect(await refusal(jsm.consumers.update(stream, 'worker', { deliver_policy: 'new' } as object))).toBe(10012);
      expect(await refusal(jsm.consumers.update(stream, 'none', {}))).toBe(10014);
    });

    test('lists, shows and deletes', async () => {
      const stream = await aStream();
      for (const name of ['one', 'two']) await jsm.consumers.add(stream, { durable_name: name, ack_policy: 'explicit' });
      const listed = (await jsm.consumers.list(stream).next()) as ConsumerInfo[];
      expect(listed.map(({ name }) => name).sort()).toEqual(['one', 'two']);
      expect((await jsm.streams.info(stream)).state.consumer_count).toBe(2);
      expect(await jsm.consumers.delete(stream, 'one')).toBe(true);
      expect(await refusal(jsm.consumers.info(stream, 'one'))).toBe(10014);
      expect(await refusal(jsm.consumers.add('NONE', { durable_name: 'x', ack_policy: 'explicit' }))).toBe(10059);
    });

    test('lets ephemeral consumers go when nobody uses them, and not before', async () => {
      const stream = await aStream(['a1']);
      const brief = { ack_policy: 'explicit', inactive_threshold: nanos(400) } as const;
      const { name } = await jsm.consumers.add(stream, brief);
      const used = await js.consumers.get(stream, name);
      expect(texts(await take(used, 2, 1_500))).toEqual(['a1']);
      const gone = (): Promise<boolean> => used.info().then(() => false, () => true);
      expect(await gone()).toBe(false);
      await jsm.streams.purge(stream);
      await eventually(gone);
      expect(await refusal(used.info())).toBe(10014);
    });

    test('reads a stream in order without acknowledgement', async () => {
      const stream = await aStream(['a1', 'b2', 'a3']);
      const ordered = await js.consumers.get(stream);
      expect(texts(await take(ordered, 3))).toEqual(['a1', 'b2', 'a3']);
    });
  });

  describe('retention', () => {
    test('a work queue drops what is acknowledged', async () => {
      const stream = await aStream(['a1', 'a2', 'a3'], { retention: 'workqueue' });
      const consumer = await aConsumer(stream);
      const [, second] = await take(consumer, 2);
      await second!.ackAck();
      await eventually(async () => (await jsm.streams.info(stream)).state.messages === 2);
      expect((await jsm.streams.info(stream)).state).toMatchObject({ first_seq: 1, last_seq: 3 });
      expect(await refusal(jsm.consumers.add(stream, { durable_name: 'other', ack_policy: 'explicit' }))).toBe(10099);
    });

    test('interest drops what all have acknowledged, and what nobody waits for', async () => {
      const stream = await aStream(['a1'], { retention: 'interest' });
      expect((await jsm.streams.info(stream)).state).toMatchObject({ messages: 0, last_seq: 1 });
      const one = await aConsumer(stream, { durable_name: 'one' });
      const two = await aConsumer(stream, { durable_name: 'two', filter_subject: `${stream}.a` });
      await publish(stream, 'a2');
      await publish(stream, 'b3');
      for (const message of await take(one, 2)) await message.ackAck();
      await eventually(async () => (await jsm.streams.info(stream)).state.messages === 1);
      for (const message of await take(two, 1)) await message.ackAck();
      await eventually(async () => (await jsm.streams.info(stream)).state.messages === 0);
    });
  });
}
