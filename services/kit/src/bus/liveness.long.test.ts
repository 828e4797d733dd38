import { afterEach, describe, expect, test } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { createLog } from '../telemetry/log.js';
import { brokerPrograms, startBrokerProcess, type BrokerProcess } from '../testing/broker-process.js';
import { allowedMs } from '../testing/allowed-ms.js';
import { until } from '../testing/until.js';
import { Bus } from './connection.js';
import { watchLiveness } from './liveness.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function setUp(program: string): Promise<{ broker: BrokerProcess; bus: Bus }> {
  const broker = await startBrokerProcess(program);
  closers.push(() => broker.stop());
  const bus = new Bus({ url: broker.url, name: 'test', log: createLog('test', 'silent') });
  closers.push(() => bus.close());
  await until(() => bus.connected);
  return { broker, bus };
}

describe.each(brokerPrograms)('while the broker hangs (%s)', (program) => {
  test('the bus is disconnected within a second, and connected again when the broker resumes', async () => {
    const { broker, bus } = await setUp(program);
    broker.signal('SIGSTOP');
    await until(() => !bus.connected, 1_000);
    await expect(bus.publish('events.x', '{}', { id: '1' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    broker.signal('SIGCONT');
    await until(() => bus.connected, 1_000);
    await bus.publish('events.x', '{}', { id: '1' });
  });

  test('notifications wait, and are delivered when the broker resumes', async () => {
    const { broker, bus } = await setUp(program);
    const received: unknown[] = [];
    bus.listen('cache.test', (payload) => received.push(payload));
    await until(() => (bus.notify('cache.test', 'before'), received.length > 0));
    broker.signal('SIGSTOP');
    await until(() => !bus.connected, 1_000);
    expect(bus.notify('cache.test', 'meanwhile')).toBe(true);
    broker.signal('SIGCONT');
    await until(() => received.includes('meanwhile'), 1_000);
  });

  test('the bus closes within a second', async () => {
    const { broker, bus } = await setUp(program);
    broker.signal('SIGSTOP');
    const began = performance.now();
    await bus.close();
    expect(performance.now() - began).toBeLessThan(allowedMs(1_000));
  });
});

test('a busy process does not consider the broker unresponsive', async () => {
  const broker = await startBrokerProcess('embedded');
  closers.push(() => broker.stop());
  const connection = await connect({ servers: broker.url });
  closers.push(() => connection.close());
  const flush = connection.flush.bind(connection);
  let pings = 0;
  connection.flush = () => {
    const answered = flush();
    const end = performance.now() + 700;
    while (performance.now() < end);
    pings += 1;
    return answered;
  };
  const reports: boolean[] = [];
  void watchLiveness(connection, (alive) => reports.push(alive));
  await until(() => pings === 3);
  expect(new Set(reports)).toEqual(new Set([true]));
});
