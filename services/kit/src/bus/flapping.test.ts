import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../telemetry/log.js';
import { brokerPrograms, startBrokerProcess, type BrokerProcess } from '../testing/broker-process.js';
import { until } from '../testing/until.js';
import { Bus } from './connection.js';
import { consume } from './consume.js';

const log = createLog('test', 'silent');

describe.each(brokerPrograms)('a connection to %s that is lost again while being restored', (program) => {
  let broker: BrokerProcess;
  const sockets = new Set<Socket>();
  /** Number of connections that the proxy still has to cut, each at its first request about a consumer. */
  let cuts = 0;
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(broker.url).port), '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    client.on('data', (bytes) => {
      if (cuts > 0 && bytes.includes('$JS.API.CONSUMER.')) {
        cuts -= 1;
        client.destroy();
        upstream.destroy();
      } else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => client.write(bytes));
  });

  let stop: () => Promise<unknown> = () => Promise.resolve();

  beforeAll(async () => {
    broker = await startBrokerProcess(program);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await stop();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await broker.stop();
  });

  test('does not stop the consumers', async () => {
    const bus = new Bus({ url: `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`, name: 'flapping', log });
    const handled: string[] = [];
    const handle = (payload: Uint8Array): Promise<void> =>
      Promise.resolve(void handled.push(Buffer.from(payload).toString()));
    const options = {
      stream: 'EVENTS',
      durable: 'flapping',
      subject: 'events.test.>',
      handle,
      onDeadLetter: () => Promise.resolve(),
      log,
    };
    const consumer = consume(bus, options, () => true);
    stop = () => Promise.all([bus.close(), consumer.stop()]);
    await until(() => bus.connected);
    await bus.publish('events.test.a', 'before', { id: 'before' });
    await until(() => handled.length === 1);

    cuts = 3;
    for (const socket of sockets) socket.destroy();
    await until(() => cuts === 0);
    await until(() =>
      bus.publish('events.test.a', 'after', { id: 'after' }).then(
        () => true,
        () => false,
      ),
    );
    await until(() => handled.length === 2, 5_000);
    expect(handled).toEqual(['before', 'after']);
  });
});
