import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { jetstream, jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCodeOf } from './conformance/bus.test.part.js';
import { eventually } from './conformance/server.test.part.js';
import { startNats, type NatsBroker } from './index.js';
import { MessageStore } from './store/message-store.js';

const main = fileURLToPath(new URL('main.js', import.meta.url));
let folder: string;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broker-'));
  cleanups = [];
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(folder, { recursive: true });
});

async function start(dataDir = join(folder, 'data')): Promise<{ broker: NatsBroker; nc: NatsConnection }> {
  const broker = await startNats({ dataDir });
  cleanups.push(() => broker.stop());
  const nc = await connect({ servers: broker.url, reconnect: false });
  cleanups.push(() => nc.close());
  return { broker, nc };
}

/**
 * Copies the data folder as a kill at this moment would leave it, and starts a broker on the copy. Returns a client.
 */
async function afterKill(): Promise<NatsConnection> {
  const copy = join(folder, 'copy');
  await cp(join(folder, 'data'), copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
  return (await start(copy)).nc;
}

describe('starting', () => {
  test('reports that the port is in use, and releases the folder', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const dataDir = join(folder, 'data');
    const text = `port ${port} on 127.0.0.1 cannot be used: the port is in use`;
    await expect(startNats({ dataDir, port })).rejects.toThrow(text);
    await new Promise((resolve) => other.close(resolve));
    await (await startNats({ dataDir, port })).stop();
  });

  test('reports that the data folder cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(startNats({ dataDir: file })).rejects.toThrow(
      `the data folder ${file} cannot be used: a file with this name exists`,
    );
    const inside = join(file, 'data');
    await expect(startNats({ dataDir: inside })).rejects.toThrow(
      `${inside} cannot be used: part of the path is a file`,
    );
    const closed = join(folder, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o500);
    // Permissions do not restrict root.
    if (process.getuid?.() !== 0) await expect(startNats({ dataDir: closed })).rejects.toThrow('permission denied');
    const strange = join(folder, 'strange');
    await mkdir(strange);
    await writeFile(join(strange, 'meta.log'), 'data of another program');
    await expect(startNats({ dataDir: strange })).rejects.toThrow(
      /^the data folder .*strange cannot be read: .* is not an/,
    );
  });

  test('rejects a folder that another broker uses', async () => {
    await start();
    const again = startNats({ dataDir: join(folder, 'data') });
    await expect(again).rejects.toThrow(`is in use by another process`);
  });

  test('ignores files and folders that are not those of a stream', async () => {
    const dataDir = join(folder, 'data');
    await (await startNats({ dataDir })).stop();
    await writeFile(join(dataDir, 'streams', '.DS_Store'), 'of a file manager');
    await writeFile(join(dataDir, 'streams', '7'), '');
    await mkdir(join(dataDir, 'streams', 'copy'));
    await (await startNats({ dataDir })).stop();
    expect((await readdir(join(dataDir, 'streams'))).sort()).toEqual(['.DS_Store', '7', 'copy']);
  });
});

describe('stopping', () => {
  test('closes everything and releases the folder even if a write fails', async () => {
    const dataDir = join(folder, 'data');
    const broker = await startNats({ dataDir });
    const nc = await connect({ servers: broker.url, reconnect: false });
    const jsm = await jetstreamManager(nc);
    for (const name of ['A', 'B']) await jsm.streams.add({ name, subjects: [name] });
    const close = jest.spyOn(MessageStore.prototype, 'close').mockRejectedValueOnce(new Error('no space left'));
    await expect(broker.stop()).rejects.toThrow('no space left');
    expect(close).toHaveBeenCalledTimes(2);
    close.mockRestore();
    await nc.closed();
    await (await startNats({ dataDir, port: broker.port })).stop();
  });
});

describe('a restart after a kill', () => {
  test('loses no confirmed acknowledgement', async () => {
    const { nc } = await start();
    const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
    await jsm.streams.add({ name: 'S', subjects: ['s'] });
    await jsm.consumers.add('S', { durable_name: 'worker', ack_policy: 'explicit' });
    for (const text of ['one', 'two']) await js.publish('s', text);
    const consumer = await js.consumers.get('S', 'worker');
    expect(await (await consumer.next())!.ackAck()).toBe(true);
    const again = await jetstream(await afterKill()).consumers.get('S', 'worker');
    expect((await again.next())!.string()).toBe('two');
    expect(await again.info()).toMatchObject({ ack_floor: { stream_seq: 1 }, num_ack_pending: 1 });
  });

  test('restores nothing that a limit, a purge or a deletion has removed', async () => {
    const { nc } = await start();
    const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
    await jsm.streams.add({ name: 'S', subjects: ['s.*'], max_msgs: 3 });
    await jsm.streams.add({ name: 'L', subjects: ['l.*'], max_msgs_per_subject: 1 });
    await jsm.streams.add({ name: 'P', subjects: ['p.*'] });
    for (let n = 0; n < 5; n++) await js.publish('s.a', String(n));
    for (const key of ['a', 'b', 'a']) await js.publish(`l.${key}`, key);
    await jsm.streams.deleteMessage('S', 4);
    await jsm.streams.update('L', { max_msgs_per_subject: 10 });
    for (const key of ['a', 'b']) await js.publish(`p.${key}`, key);
    await jsm.streams.purge('P');
    const restarted = await jetstreamManager(await afterKill());
    expect((await restarted.streams.info('S')).state).toMatchObject({ messages: 2, first_seq: 3, last_seq: 5 });
    expect((await restarted.streams.info('L')).state).toMatchObject({ messages: 2, first_seq: 2, last_seq: 3 });
    expect((await restarted.streams.info('P')).state).toMatchObject({ messages: 0, first_seq: 3, last_seq: 2 });
  });
});

describe('rejected requests', () => {
  test('for unsupported JetStream features receive JetStream errors that name the feature', async () => {
    const jsm = await jetstreamManager((await start()).nc);
    const unsupported: Partial<StreamConfig>[] = [
      { storage: 'memory' },
      { mirror: { name: 'OTHER' } },
      { sources: [{ name: 'OTHER' }] },
      { compression: 's2' },
      { allow_rollup_hdrs: true },
      { republish: { src: 'a', dest: 'b' } },
      { subject_transform: { src: 'a', dest: 'b' } },
    ];
    for (const config of unsupported) {
      const error = await jsm.streams.add({ name: 'S', subjects: ['s'], ...config }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 10052,
        message: expect.stringMatching(/^[a-z]+.* is not supported by the emb/),
      });
    }
    await jsm.streams.add({ name: 'S', subjects: ['s'] });
    const consumers = [
      { deliver_subject: 'push' },
      { ack_policy: 'all' },
      { headers_only: true },
      { replay_policy: 'original' },
    ];
    for (const config of consumers) {
      const add = jsm.consumers.add('S', { durable_name: 'c', ack_policy: 'explicit', ...config } as object);
      expect(await errorCodeOf(add)).toBe(10052);
    }
  });

  test('that are invalid receive JetStream errors', async () => {
    const { nc } = await start();
    const ask = async (subject: string, payload = ''): Promise<number> =>
      (await nc.request(`$JS.API.${subject}`, payload)).json<{ error: { err_code: number } }>().error.err_code;
    expect(await ask('STREAM.CREATE.S', '{')).toBe(10025);
    expect(await ask('STREAM.CREATE.S', '[]')).toBe(10025);
    expect(await ask('STREAM.CREATE.S', '{"name":"S","max_msgs":"many"}')).toBe(10025);
    expect(await ask('STREAM.CREATE.S', '{"name":"S","__proto__":{"a":1},"constructor":1}')).toBe(10025);
    expect(await ask('STREAM.CREATE.S', '{"name":"T"}')).toBe(10056);
    expect(await ask('STREAM.SNAPSHOT.S')).toBe(10003);
    expect(await ask('CONSUMER.CREATE.S', '{"stream_name":"S"}')).toBe(10078);
    expect(await ask('STREAM.MSG.GET.S', '{"seq":"1"}')).toBe(10059);
  });

  test('with unsupported headers receive errors that name the header', async () => {
    const { nc } = await start();
    await (await jetstreamManager(nc)).streams.add({ name: 'S', subjects: ['s'] });
    await expect(jetstream(nc).publish('s', 'x', { ttl: '1h' })).rejects.toThrow('Nats-TTL is not supported');
  });
});

describe('the process', () => {
  test('exits with 0 on SIGTERM after flushing all data', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: join(folder, 'data') };
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [, port] = await eventually(() => /listening on nats:\/\/127.0.0.1:(\d+)/.exec(printed));
    const nc = await connect({ servers: `127.0.0.1:${port}`, reconnect: false });
    await (await jetstreamManager(nc)).streams.add({ name: 'S', subjects: ['s'] });
    const acks = Promise.allSettled(Array.from({ length: 200 }, () => jetstream(nc).publish('s', 'x')));
    await nc.flush();
    const code = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await code).toBe(0);
    const stored = (await acks).filter(({ status }) => status === 'fulfilled').length;
    const { state } = await (await jetstreamManager((await start()).nc)).streams.info('S');
    expect([stored, state.messages]).toEqual([200, 200]);
  });

  test('prints one line and exits with 1 if it cannot start', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', PORT: 'nonsense', DATA_DIR: folder };
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
    expect(printed).toBe('PORT must be 0 to 65535, not nonsense\n');
  });

  test('tells publishers that a write failed, keeps acknowledged messages, and recovers', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: join(folder, 'data') };
    // Files are limited to 1 MiB: a write beyond that fails as on a full disk.
    const command = `ulimit -f 1024; exec "${process.execPath}" "${main}"`;
    const child = spawn('bash', ['-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    cleanups.push(async () => child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [, port] = await eventually(() => /listening on nats:\/\/127.0.0.1:(\d+)/.exec(printed));
    const nc = await connect({ servers: `127.0.0.1:${port}`, reconnect: false });
    cleanups.push(() => nc.close());
    const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
    await jsm.streams.add({ name: 'S', subjects: ['s'] });
    const acknowledged: number[] = [];
    const failed: unknown[] = [];
    await eventually(async () => {
      await js.publish('s', Buffer.alloc(50_000)).then(
        ({ seq }) => acknowledged.push(seq),
        (error: unknown) => failed.push(error),
      );
      return acknowledged.length === 25;
    });
    expect(failed[0]).toMatchObject({ code: 10077, status: 503 });
    for (const seq of acknowledged) expect((await jsm.streams.getMessage('S', { seq }))!.data.length).toBe(50_000);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const restarted = await jetstreamManager((await start()).nc);
    for (const seq of acknowledged)
      expect((await restarted.streams.getMessage('S', { seq }))!.data.length).toBe(50_000);
  });
});
