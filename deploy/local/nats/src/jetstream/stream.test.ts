import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router, type Message } from '../routing/router.js';
import { SubjectFilter } from '../routing/subject.js';
import { consumerConfig } from './consumer-config.js';
import { Consumer } from './consumer.js';
import { JetStream } from './jetstream.js';
import { streamConfig } from './stream-config.js';

let folder: string;
let router: Router;
let jetStream: JetStream;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stream-'));
  router = new Router();
  jetStream = await JetStream.open(folder, router, (error) => {
    throw error;
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await jetStream.close();
  await rm(folder, { recursive: true });
});

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
  test('notifies only the consumers whose filter matches a message', async () => {
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
    for (let n = 0; n < 20; n++) await new Promise(setImmediate);
    expect(events).toEqual([]);
    release();
    await acknowledged;
    expect(events).toContain('acknowledged');
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
});
