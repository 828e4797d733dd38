import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router, type Message } from '../routing/router.js';
import { SubjectFilter } from '../routing/subject.js';
import { MetaLog } from '../store/meta-log.js';
import { Segment } from '../store/segment.js';
import { consumerConfig } from './consumer-config.js';
import { Consumer } from './consumer.js';
import { JetStream } from './jetstream.js';
import { streamConfig } from './stream-config.js';

let folder: string;
let router: Router;
let jetStream: JetStream;
let errors: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stream-'));
  router = new Router();
  errors = [];
  jetStream = await JetStream.open(folder, router, (error) => errors.push(error.message));
});

afterEach(async () => {
  jest.restoreAllMocks();
  await jetStream.close();
  await rm(folder, { recursive: true });
});

const settled = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await new Promise(setImmediate);
};

/** Publishes a message and waits for its acknowledgement. */
function publish(subject: string, text: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const reply = `ack.${Math.random().toString(36).slice(2)}`;
    const subscriber = {
      subject: reply,
      deliver: ({ payload }: Message) => {
        router.remove(subscriber);
        resolve(JSON.parse(payload.toString()) as Record<string, unknown>);
      },
    };
    router.add(subscriber);
    router.publish({ subject, reply, payload: Buffer.from(text) });
  });
}

describe('a stream', () => {
  test('notifies only the consumers that match a message, without evaluating the filter of each consumer', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s.*'] }));
    for (let n = 0; n < 200; n++) {
      const config = consumerConfig({ ack_policy: 'explicit', filter_subject: `s.${n}` }, stream.config);
      await jetStream.createConsumer(stream, `c${n}`, config);
      const pull = { subject: `$JS.API.CONSUMER.MSG.NEXT.S.c${n}`, reply: `in.${n}`, payload: Buffer.from('5') };
      router.add({ subject: pull.reply, deliver: () => undefined });
      router.publish(pull);
    }
    const arrived = jest.spyOn(Consumer.prototype, 'arrived');
    const matched = jest.spyOn(SubjectFilter.prototype, 'matches');
    for (let n = 0; n < 100; n++) await publish('s.7', 'x');
    expect(arrived).toHaveBeenCalledTimes(100);
    expect(matched).not.toHaveBeenCalled();
  });

  test('delivers and acknowledges a message only when it is on disk', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s'] }));
    const config = consumerConfig({ ack_policy: 'explicit' }, stream.config);
    await jetStream.createConsumer(stream, 'c', config);
    const events: string[] = [];
    router.add({ subject: 'in', deliver: () => events.push('delivered') });
    router.publish({ subject: '$JS.API.CONSUMER.MSG.NEXT.S.c', reply: 'in', payload: Buffer.from('1') });
    const append = stream.store.append.bind(stream.store);
    let release = (): void => undefined;
    stream.store.append = (...args) => {
      const { slot, stored } = append(...args);
      const held = new Promise<void>((resolve) => (release = resolve));
      return { slot, stored: stored.then(() => held) };
    };
    const acknowledged = publish('s', 'x').then(() => events.push('acknowledged'));
    await settled();
    expect(events).toEqual([]);
    release();
    await acknowledged;
    await settled();
    expect(events.toSorted()).toEqual(['acknowledged', 'delivered']);
  });

  test('acknowledges a duplicate only when the original is on disk', async () => {
    await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s'] }));
    const order: string[] = [];
    const header = Buffer.from('NATS/1.0\r\nNats-Msg-Id: one\r\n\r\n');
    for (const reply of ['first', 'second']) {
      router.add({ subject: reply, deliver: ({ payload }) => order.push(`${reply} ${payload.toString()}`) });
      router.publish({ subject: 's', reply, header, payload: Buffer.from('x') });
    }
    expect(order).toEqual([]);
    while (order.length < 2) await new Promise(setImmediate);
    expect(order).toEqual(['first {"stream":"S","seq":1}', 'second {"stream":"S","seq":1,"duplicate":true}']);
  });

  test.each([
    ['new', 0],
    ['last', 1],
    ['last_per_subject', 2],
    ['all', 4],
  ])('counts the pending messages of a consumer created during publishing (policy %s)', async (policy, pending) => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s.*'] }));
    await publish('s.a', '1');
    const published = ['s.a', 's.b', 's.b'].map((subject) => publish(subject, 'x'));
    const config = consumerConfig(
      { ack_policy: 'explicit', deliver_policy: policy, filter_subject: 's.*' },
      stream.config,
    );
    const consumer = await jetStream.createConsumer(stream, 'c', config);
    await Promise.all(published);
    expect(consumer.info()).toMatchObject({ num_pending: pending });
    await publish('s.a', 'after');
    expect(consumer.info()).toMatchObject({ num_pending: pending + 1 });
    const delivered: string[] = [];
    router.add({ subject: 'in', deliver: ({ reply, payload }) => reply && delivered.push(payload.toString()) });
    router.publish({ subject: '$JS.API.CONSUMER.MSG.NEXT.S.c', reply: 'in', payload: Buffer.from('9') });
    await settled();
    expect(delivered).toHaveLength(pending + 1);
    expect(consumer.info()).toMatchObject({ num_pending: 0 });
    expect(errors).toEqual([]);
  });

  test('does not count a message as pending if it is removed before it is on disk', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s'] }));
    const consumer = await jetStream.createConsumer(
      stream,
      'c',
      consumerConfig({ ack_policy: 'explicit' }, stream.config),
    );
    const published = publish('s', 'x');
    for (const slot of [...stream.store.slots()]) stream.remove(slot);
    await published;
    expect(consumer.info()).toMatchObject({ num_pending: 0 });
  });

  test('delivers later messages even if the last message of a subject could not be written', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s.*'] }));
    await publish('s.a', 'a');
    const append = jest.spyOn(Segment.prototype, 'append').mockImplementationOnce(() => ({
      place: { position: 0, length: 0 },
      written: new Promise((_, reject) => setTimeout(() => reject(new Error('no space left')), 50)),
    }));
    const failed = publish('s.b', 'b');
    append.mockRestore();
    const config = { ack_policy: 'explicit', deliver_policy: 'last_per_subject', filter_subject: 's.*' };
    await jetStream.createConsumer(stream, 'c', consumerConfig(config, stream.config));
    expect(await failed).toMatchObject({ error: { err_code: 10077 } });
    await publish('s.c', 'c');
    const delivered: string[] = [];
    router.add({ subject: 'in', deliver: ({ payload }) => delivered.push(payload.toString()) });
    router.publish({ subject: '$JS.API.CONSUMER.MSG.NEXT.S.c', reply: 'in', payload: Buffer.from('2') });
    await settled();
    expect(delivered).toEqual(['a', 'c']);
  });

  test('does not confirm an acknowledgement that cannot be written, but confirms a later one for the same message', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s'] }));
    await jetStream.createConsumer(stream, 'c', consumerConfig({ ack_policy: 'explicit' }, stream.config));
    await publish('s', 'x');
    const ackSubject = new Promise<string>((resolve) =>
      router.add({ subject: 'in', deliver: ({ reply }) => resolve(reply!) }),
    );
    router.publish({ subject: '$JS.API.CONSUMER.MSG.NEXT.S.c', reply: 'in', payload: Buffer.from('1') });
    const subject = await ackSubject;
    let fail = (_: Error): void => undefined;
    jest.spyOn(MetaLog.prototype, 'write').mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
    const confirmed: string[] = [];
    for (const reply of ['first', 'second', 'third']) {
      router.add({ subject: reply, deliver: () => confirmed.push(reply) });
      if (reply === 'third') fail(new Error('no space left'));
      if (reply === 'third') await settled();
      router.publish({ subject, reply, payload: Buffer.from('+ACK') });
    }
    await jetStream.flush();
    await settled();
    expect(confirmed).toEqual(['third']);
    expect(errors).toEqual(['no space left']);
  });

  test('removes exactly the messages whose removal could be written', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s'] }));
    for (const text of ['1', '2', '3']) await publish('s', text);
    const { segment } = stream.store.slot(2)!;
    const record = segment.recordRemoval.bind(segment);
    const failing = (seq: number): Promise<void> =>
      seq === 2 ? Promise.reject(new Error('no space left')) : record(seq);
    jest.spyOn(segment, 'recordRemoval').mockImplementation(failing);
    await expect(stream.removeAll([...stream.store.slots(2)])).rejects.toThrow('no space left');
    expect([...stream.store.slots()].map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('uses no timer that exceeds the maximum of setTimeout', async () => {
    const stream = await jetStream.createStream(streamConfig({ name: 'S', subjects: ['s'] }));
    await jetStream.createConsumer(stream, 'c', consumerConfig({ ack_policy: 'explicit' }, stream.config));
    const timers = jest.spyOn(globalThis, 'setTimeout');
    router.add({ subject: 'in', deliver: () => undefined });
    const payload = Buffer.from(JSON.stringify({ batch: 1, expires: 30 * 86_400e9 }));
    router.publish({ subject: '$JS.API.CONSUMER.MSG.NEXT.S.c', reply: 'in', payload });
    await settled();
    const delays = timers.mock.calls.map(([, delay]) => delay ?? 0);
    expect(delays).toContain(2 ** 31 - 1);
    expect(Math.max(...delays)).toBe(2 ** 31 - 1);
  });
});
