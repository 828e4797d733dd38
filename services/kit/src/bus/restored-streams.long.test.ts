import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { newUlid } from '../values/ids.js';
import { brokerPrograms, startBrokerProcess, type BrokerProcess } from '../testing/broker-process.js';
import { until } from '../testing/until.js';
import { Bus } from './connection.js';
import { consume } from './consume.js';

let broker: BrokerProcess;
let bus: Bus;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

/** Fields of the warning that a durable consumer is ahead of its stream. */
interface Warning {
  stream: string;
  durable: string;
  consumerSequence: number;
  streamSequence: number;
}
const warnings: Warning[] = [];
const silent = () => {};
const log = {
  debug: silent,
  info: silent,
  error: silent,
  warn: (fields: Warning) => void (fields.stream && warnings.push(fields)),
} as never;

async function start(program: string): Promise<void> {
  warnings.length = 0;
  broker = await startBrokerProcess(program);
  cleanups.push(() => broker.stop());
  bus = new Bus({ url: broker.url, name: 'test', log });
  cleanups.push(() => bus.close());
  await until(() => bus.connected);
}

const publish = async (...texts: string[]) => {
  for (const text of texts) {
    const stored = () =>
      bus.publish('events.test', text, { id: newUlid() }).then(
        () => true,
        () => false,
      );
    await until(stored, 5_000);
  }
};

/** Consumes messages and ignores repeated texts, like an idempotent consumer. */
function consuming() {
  const applied: string[] = [];
  const handle = async (payload: Uint8Array): Promise<void> => {
    const text = Buffer.from(payload).toString();
    if (!applied.includes(text)) applied.push(text);
  };
  const options = {
    stream: 'EVENTS',
    durable: 'a-consumer',
    subject: 'events.test',
    handle,
    onDeadLetter: async () => {},
    log,
  };
  const consumer = consume(bus, options, () => false);
  cleanups.push(() => consumer.stop());
  return { applied, stop: () => consumer.stop() };
}

/** Returns a function that replaces a folder with a copy of another. */
const copier = (from: string, to: string) => async (): Promise<void> => {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
};

describe.each(brokerPrograms)('on %s', (program) => {
  test('new messages are consumed after the data of the broker was replaced by an older copy', async () => {
    await start(program);
    const copy = `${broker.folder}-copy`;
    cleanups.push(() => rm(copy, { recursive: true, force: true }));
    const { applied } = consuming();
    await publish('1', '2');
    await until(() => applied.length === 2);
    await broker.crash(copier(broker.folder, copy));
    await publish('3', '4', '5');
    await until(() => applied.length === 5, 5_000);
    await broker.crash(copier(copy, broker.folder));
    await publish('new 3', 'new 4');
    await until(() => applied.length === 7, 5_000);
    expect(applied).toEqual(['1', '2', '3', '4', '5', 'new 3', 'new 4']);
  });

  test('new messages are consumed after the stream was deleted and recreated', async () => {
    await start(program);
    const { applied } = consuming();
    await publish('1', '2', '3');
    await until(() => applied.length === 3);
    const manager = await bus.jetstream().jetstreamManager();
    const { config } = await manager.streams.info('EVENTS');
    await manager.streams.delete('EVENTS');
    await manager.streams.add(config);
    await publish('new 1');
    await until(() => applied.length === 4, 5_000);
    await publish('new 2', 'new 3', 'new 4');
    await until(() => applied.length === 7, 5_000);
  });

  test('new messages are consumed after the broker was replaced by one without data', async () => {
    await start(program);
    const { applied } = consuming();
    await publish('1', '2', '3');
    await until(() => applied.length === 3);
    await broker.crash(() => rm(broker.folder, { recursive: true }));
    await publish('new 1');
    await until(() => applied.length === 4, 5_000);
  });
});

// Only on the embedded broker, because nats-server 2.15 itself corrects a durable consumer that is ahead of its stream.
describe('on embedded', () => {
  test('a durable consumer that is ahead of its stream at the start is recreated', async () => {
    await start('embedded');
    await publish('1', '2');
    const manager = await bus.jetstream().jetstreamManager();
    await manager.consumers.add('EVENTS', {
      durable_name: 'a-consumer',
      filter_subject: 'events.test',
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(2_000),
      max_ack_pending: 64,
      max_deliver: -1,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: 7,
    });
    const { applied } = consuming();
    await publish('3');
    await until(() => applied.length === 3, 5_000);
    expect(warnings).toEqual([
      { stream: 'EVENTS', durable: 'a-consumer', consumerSequence: 6, streamSequence: expect.any(Number) },
    ]);
  });
});

const realServers = brokerPrograms.filter((program) => program !== 'embedded');
(realServers.length > 0 ? describe.each(realServers) : describe.skip.each(['no NATS server']))('on %s', (program) => {
  const messages = () => join(broker.folder, 'jetstream', '$G', 'streams', 'EVENTS', 'msgs');
  const warned = () => until(() => warnings.length > 0);

  /**
   * Starts the broker, publishes texts, and copies the message files of the stream EVENTS while the broker is down.
   * Returns the path of the copy.
   */
  async function startWithCopy(...texts: string[]): Promise<string> {
    await start(program);
    await publish(...texts);
    const copy = `${broker.folder}-copy`;
    cleanups.push(() => rm(copy, { recursive: true, force: true }));
    await broker.crash(copier(messages(), copy));
    return copy;
  }

  test('a consumer is recreated when its stream loses the last messages while the consumer runs', async () => {
    const copy = await startWithCopy('1', '2');
    const { applied } = consuming();
    await publish('3', '4', '5', '6');
    await until(() => applied.length === 6);
    await broker.crash(copier(copy, messages()));
    await publish('new 3');
    await until(() => applied.length === 7, 5_000);
    expect(applied.at(-1)).toBe('new 3');
    await warned();
    expect(warnings).toEqual([
      { stream: 'EVENTS', durable: 'a-consumer', consumerSequence: 6, streamSequence: expect.any(Number) },
    ]);
  });

  test('new messages are consumed after the stream lost its last messages while the consumer was stopped', async () => {
    const copy = await startWithCopy('1', '2');
    const before = consuming();
    await publish('3', '4', '5', '6');
    await until(() => before.applied.length === 6);
    await before.stop();
    await broker.crash(copier(copy, messages()));
    await publish('new 3');
    const { applied } = consuming();
    await until(() => applied.includes('new 3'), 5_000);
  });

  test('a stream is consumed from its start if the sequence numbers of consumed messages now belong to other messages', async () => {
    const copy = await startWithCopy(...Array.from({ length: 8 }, (_, i) => `new ${i}`));
    const manager = await until(() => bus.connected).then(() => bus.jetstream().jetstreamManager());
    await manager.streams.delete('EVENTS');
    await broker.crash();
    await publish('1', '2', '3', '4', '5', '6');
    const { applied } = consuming();
    await until(() => applied.length === 6);
    // Wait until the broker has written the consumer's progress.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await broker.crash(copier(copy, messages()));
    await until(() => applied.length === 14, 5_000);
    await warned();
    expect(warnings).toEqual([
      { stream: 'EVENTS', durable: 'a-consumer', consumerSequence: expect.any(Number), streamSequence: 8 },
    ]);
  });
});
