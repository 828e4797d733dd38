import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startNats, type NatsBroker } from '@tautan/local-nats';
import { newUlid } from '../values/ids.js';
import { meterConnection } from '../telemetry/connection-meter.js';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { allowedMs } from '../testing/allowed-ms.js';
import { until } from '../testing/until.js';
import { Bus } from './connection.js';
import { consume, type ConsumeOptions } from './consume.js';
import { meterConsumers } from './consumer-meter.js';

const log = createLog('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'tautan-bus-'));
const buses: Bus[] = [];
const consumers: { stop(): Promise<void> }[] = [];
let embedded: NatsBroker | undefined;
let url: string;

beforeAll(async () => {
  embedded = process.env['NATS_URL'] ? undefined : await startNats({ dataDir: join(folder, 'shared') });
  url = embedded?.url ?? process.env['NATS_URL']!;
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});
afterAll(async () => {
  await embedded?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function aBus(at = url): Bus {
  const bus = new Bus({ url: at, name: 'test', log });
  buses.push(bus);
  return bus;
}
async function connected(at = url): Promise<Bus> {
  const bus = aBus(at);
  await until(() => bus.connected);
  return bus;
}

/** Returns a subject that no other test uses, and `begin`, which starts a consumer of it. */
function consuming(
  bus: Bus,
  options: Partial<ConsumeOptions> = {},
  isTransient: (error: unknown) => boolean = () => false,
) {
  const subject = options.subject ?? `events.test.${newUlid()}`;
  const handled: string[] = [];
  const dead: string[] = [];
  const begin = () => {
    const consumer = consume(
      bus,
      {
        stream: 'EVENTS',
        durable: subject.replaceAll('.', '-'),
        subject,
        handle: async (payload) => void handled.push(Buffer.from(payload).toString()),
        onDeadLetter: async (payload) => void dead.push(Buffer.from(payload).toString()),
        log,
        ...options,
      },
      isTransient,
    );
    consumers.push(consumer);
    return consumer;
  };
  return { subject, handled, dead, begin };
}

describe('the bus', () => {
  test('creates its streams', async () => {
    const bus = await connected();
    const manager = await bus.jetstream().jetstreamManager();
    const { config: events } = await manager.streams.info('EVENTS');
    expect(events).toMatchObject({ subjects: ['events.>'], discard: 'new', storage: 'file', retention: 'limits' });
    expect(events.max_age).toBe(7 * 86_400e9);
    const { config: clicks } = await manager.streams.info('CLICKS');
    expect([clicks.subjects, clicks.max_age]).toEqual([['clicks.*'], 3 * 86_400e9]);
  });

  test('creates its streams when several processes connect concurrently', async () => {
    // A separate broker, because the shared one already has the streams.
    const broker = await startNats({ dataDir: join(folder, newUlid()) });
    const [bus] = await Promise.all(Array.from({ length: 5 }, () => connected(broker.url)));
    const manager = await bus!.jetstream().jetstreamManager();
    for (const name of ['EVENTS', 'CLICKS']) expect((await manager.streams.info(name)).config.name).toBe(name);
    await Promise.all(buses.splice(0).map((open) => open.close()));
    await broker.stop();
  });

  test('stores messages with the same id once', async () => {
    const bus = await connected();
    const { subject, handled, begin } = consuming(bus);
    for (let i = 0; i < 3; i += 1) await bus.publish(subject, `copy ${i}`, { id: subject });
    await bus.publish(subject, 'next', { id: newUlid() });
    begin();
    await until(() => handled.includes('next'));
    expect(handled).toEqual(['copy 0', 'next']);
  });

  test('notifies all listeners, even if one of them throws', async () => {
    const [publisher, first] = await Promise.all([connected(), connected()]);
    // This one starts listening before it is connected.
    const second = aBus();
    const subject = `cache.test-${newUlid()}`;
    const received: [string, unknown][] = [];
    first.listen(subject, (payload) => received.push(['first', payload]));
    second.listen(subject, () => {
      throw new Error('a failing listener');
    });
    second.listen(subject, (payload) => received.push(['second', payload]));
    await until(() => {
      publisher.notify(subject, { keys: ['/é'] });
      return received.some(([who]) => who === 'first') && received.some(([who]) => who === 'second');
    });
    expect(received[0]).toEqual([expect.any(String), { keys: ['/é'] }]);
  });

  test('rejects immediately with SERVICE_UNAVAILABLE while the broker is unreachable', async () => {
    const bus = aBus('nats://127.0.0.1:1');
    const began = Date.now();
    await expect(bus.publish('events.x', '{}', { id: '1' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(bus.notify('cache.redirect', {})).toBe(false);
    expect(() => bus.jetstream()).toThrow('The message bus is unavailable.');
    expect(Date.now() - began).toBeLessThan(allowedMs(200));
  });

  test('reports its state and every change', async () => {
    const bus = aBus();
    const states: boolean[] = [];
    const off = bus.onChange((state) => states.push(state));
    await until(() => bus.connected);
    off();
    await bus.close();
    expect(states).toEqual([false, true]);
  });

  test('reports that it was closed, but neither warns of a lost connection nor counts one', async () => {
    const file = join(folder, 'closed.log');
    const bus = new Bus({ url, name: 'test', log: createLog('test', 'warn', openSync(file, 'a')) });
    const registry = createMetrics('test');
    const states: boolean[] = [];
    bus.onChange(meterConnection(registry, 'nats'));
    bus.onChange((state) => states.push(state));
    await until(() => bus.connected);
    await bus.close();
    await until(() => !bus.connected);
    expect(states).toEqual([false, true, false]);
    expect(readFileSync(file, 'utf8')).toBe('');
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/^tautan_connection_up\{connection="nats".*\} 0$/m);
    expect(metrics).toMatch(/^tautan_connection_changes_total\{connection="nats",change="lost".*\} 0$/m);
  });
});

describe('a consumer', () => {
  test('receives messages published before and after it started, with their request ids', async () => {
    const bus = await connected();
    const ids: (string | null)[] = [];
    const handled: string[] = [];
    const { subject, begin } = consuming(bus, {
      handle: async (payload, { requestId }) => {
        handled.push(Buffer.from(payload).toString());
        ids.push(requestId);
      },
    });
    await bus.publish(subject, 'before', { id: newUlid(), requestId: 'req-1' });
    begin();
    await bus.publish(subject, 'after', { id: newUlid() });
    await until(() => handled.length === 2);
    expect([handled, ids]).toEqual([
      ['before', 'after'],
      ['req-1', null],
    ]);
  });

  test('receives failed messages again until they are handled, then acknowledges them', async () => {
    const bus = await connected();
    const tries: boolean[] = [];
    const { subject, begin } = consuming(bus, {
      handle: async (_payload, { redelivered }) => {
        tries.push(redelivered);
        if (tries.length < 3) throw new Error('not yet');
      },
    });
    begin();
    await bus.publish(subject, 'x', { id: newUlid() });
    await until(() => tries.length === 3);
    expect(tries).toEqual([false, true, true]);
    const manager = await bus.jetstream().jetstreamManager();
    await until(async () => {
      const info = await manager.consumers.info('EVENTS', subject.replaceAll('.', '-'));
      return info.num_ack_pending === 0 && info.num_pending === 0;
    });
  });

  test('dead-letters a message that keeps failing, and continues', async () => {
    const bus = await connected();
    const handled: string[] = [];
    let attempts = 0;
    const { subject, dead, begin } = consuming(bus, {
      maxDeliveries: 2,
      handle: async (payload) => {
        const text = Buffer.from(payload).toString();
        if (text === 'poison') {
          attempts += 1;
          throw new Error('never');
        }
        handled.push(text);
      },
    });
    begin();
    await bus.publish(subject, 'poison', { id: newUlid() });
    await bus.publish(subject, 'fine', { id: newUlid() });
    await until(() => dead.length > 0);
    expect([dead, handled, attempts]).toEqual([['poison'], ['fine'], 2]);
  });

  test('never dead-letters a message for transient failures', async () => {
    const bus = await connected();
    let tries = 0;
    const { subject, dead, begin } = consuming(
      bus,
      {
        maxDeliveries: 1,
        handle: async () => {
          tries += 1;
          if (tries < 3) throw new Error('the database is unavailable');
        },
      },
      () => true,
    );
    begin();
    await bus.publish(subject, 'x', { id: newUlid() });
    await until(() => tries === 3);
    expect(dead).toEqual([]);
  });

  test('handles several messages concurrently, and finishes them before it stops', async () => {
    const bus = await connected();
    let [running, maxRunning, done] = [0, 0, 0];
    const { subject, begin } = consuming(bus, {
      concurrency: 3,
      handle: async () => {
        maxRunning = Math.max(maxRunning, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        done += 1;
      },
    });
    for (let i = 0; i < 30; i += 1) await bus.publish(subject, `${i}`, { id: newUlid() });
    const consumer = begin();
    await until(() => done >= 9);
    await consumer.stop();
    expect([maxRunning, running]).toEqual([3, 0]);
    begin();
    await until(() => done === 30);
  });

  test('stops immediately, at any time after its start', async () => {
    const bus = await connected();
    for (let afterMs = 0; afterMs < 12; afterMs += 0.5) {
      const consumer = consuming(bus).begin();
      const stopAt = performance.now() + afterMs;
      while (performance.now() < stopAt) await new Promise((resolve) => setImmediate(resolve));
      const late = new Promise((resolve) => setTimeout(resolve, 3_000, 'late').unref());
      expect(await Promise.race([consumer.stop(), late])).toBeUndefined();
    }
  });

  test('finishes its message when it stops, and leaves the others to the next consumer immediately', async () => {
    const bus = await connected();
    let release: (() => void) | undefined;
    const first: string[] = [];
    const { subject, handled, begin } = consuming(bus);
    const slow = consume(
      bus,
      {
        stream: 'EVENTS',
        durable: subject.replaceAll('.', '-'),
        subject,
        handle: async (payload) => {
          await new Promise<void>((resolve) => (release = resolve));
          first.push(Buffer.from(payload).toString());
        },
        onDeadLetter: async () => {},
        log,
      },
      () => false,
    );
    for (let i = 0; i < 10; i += 1) await bus.publish(subject, `${i}`, { id: newUlid() });
    await until(() => release);
    const stopped = slow.stop();
    release!();
    await stopped;
    expect(first).toEqual(['0']);
    begin();
    const began = Date.now();
    await until(() => new Set(handled).size === 9);
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(handled).not.toContain('0');
  });

  test('shares the messages with its replicas', async () => {
    const bus = await connected();
    const first = consuming(bus);
    const second = consuming(bus, { subject: first.subject });
    first.begin();
    second.begin();
    let count = 0;
    await until(async () => {
      for (let i = 0; i < 10; i += 1) await bus.publish(first.subject, `${(count += 1)}`, { id: newUlid() });
      return first.handled.length > 0 && second.handled.length > 0;
    });
    const handled = () => [...first.handled, ...second.handled];
    await until(() => handled().length >= count);
    expect(new Set(handled()).size).toBe(count);
    expect(handled()).toHaveLength(count);
  });
});

// A separate broker, because it is stopped and restarted.
(process.env['NATS_URL'] ? describe.skip : describe)('when the broker is stopped or restarted:', () => {
  test('the bus reconnects with its listeners and consumers, and no stored message is lost', async () => {
    const dataDir = join(folder, newUlid());
    let broker = await startNats({ dataDir });
    const { port, url: at } = broker;
    const bus = await connected(at);
    const { subject, handled, begin } = consuming(bus);
    const received: unknown[] = [];
    bus.listen('cache.redirect', (payload) => received.push(payload));
    begin();
    await bus.publish(subject, 'before', { id: '1' });
    await until(() => handled.length === 1);
    await broker.stop();
    await until(() => !bus.connected);
    await expect(bus.publish(subject, 'during the outage', { id: '2' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    broker = await startNats({ dataDir, port });
    await until(() => bus.connected);
    await bus.publish(subject, 'after', { id: '3' });
    await until(() => handled.includes('after'), 15_000);
    expect(handled).toEqual(['before', 'after']);
    await until(() => (bus.notify('cache.redirect', 1), received.length > 0));
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    await Promise.all(buses.splice(0).map((open) => open.close()));
    await broker.stop();
  });

  test('a bus connects even if its broker starts only after the bus was created', async () => {
    const dataDir = join(folder, newUlid());
    const first = await startNats({ dataDir });
    await first.stop();
    const bus = aBus(first.url);
    const { subject, handled, begin } = consuming(bus);
    begin();
    const broker = await startNats({ dataDir, port: first.port });
    await until(() => bus.connected);
    await bus.publish(subject, 'hello', { id: '1' });
    await until(() => handled.length === 1);
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    await Promise.all(buses.splice(0).map((open) => open.close()));
    await broker.stop();
  });

  test('a disconnected bus closes immediately', async () => {
    const broker = await startNats({ dataDir: join(folder, newUlid()) });
    const bus = await connected(broker.url);
    await broker.stop();
    await until(() => !bus.connected);
    const began = Date.now();
    await bus.close();
    expect(Date.now() - began).toBeLessThan(allowedMs(1_000));
  });
});

test('the lag of a durable consumer is exported as metrics', async () => {
  const bus = await connected();
  const registry = createMetrics('test');
  meterConsumers(registry, bus);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { subject, handled, begin } = consuming(bus, {
    maxInFlight: 2,
    handle: async (payload) => {
      await held;
      handled.push(Buffer.from(payload).toString());
    },
  });
  for (let i = 0; i < 5; i += 1) await bus.publish(subject, `${i}`, { id: newUlid() });
  begin();
  /** Returns the number of pending and the number of unacknowledged messages. */
  const lag = async () =>
    [...(await registry.metrics()).matchAll(/^tautan_consumer_\w+_messages\{.*\} (\d+)$/gm)].map(([, count]) => count);
  await until(async () => String(await lag()) === '3,2');
  release();
  await until(async () => String(await lag()) === '0,0');
  expect(handled).toHaveLength(5);
});
