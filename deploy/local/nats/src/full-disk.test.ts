import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './conformance/server.test.part.js';
import { startNats } from './index.js';

const main = fileURLToPath(new URL('main.js', import.meta.url));
let dataDir: string;
let child: ChildProcess | undefined;

beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'broker-full-'))));

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(dataDir, { recursive: true });
});

/** Starts a broker whose files cannot exceed 32 KiB, so that writes fail as on a full disk. Returns its URL. */
async function startOnSmallDisk(): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir };
  child = spawn('bash', ['-c', `ulimit -S -f 32; exec "${process.execPath}" "${main}"`], { env });
  let printed = '';
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [url] = await eventually(() => /nats:\/\/\S+/.exec(printed));
  return url;
}

const freeSpace = (): unknown => execFileSync('prlimit', ['--pid', String(child!.pid), '--fsize=unlimited:']);

async function kill(): Promise<void> {
  const exited = once(child!, 'exit');
  child!.kill('SIGKILL');
  await exited;
}

const wasAccepted = (change: Promise<unknown>): Promise<boolean> =>
  change.then(
    () => true,
    () => false,
  );

const addStream = (jsm: JetStreamManager, n: number, description: string): Promise<unknown> =>
  jsm.streams.add({ name: `S${n}`, subjects: [`s${n}`], description });

/** Returns the name, description, number of messages and consumer names of each stream. */
async function state(jsm: JetStreamManager): Promise<unknown[]> {
  const found = [];
  for await (const { config, state } of jsm.streams.list()) {
    const consumers = [];
    for await (const { name } of jsm.consumers.list(config.name)) consumers.push(name);
    found.push({ name: config.name, description: config.description, messages: state.messages, consumers });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

test('failed changes have no effect, and succeed without a restart once the disk has space', async () => {
  const nc = await connect({ servers: await startOnSmallDisk(), reconnect: false });
  const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
  await jsm.streams.add({ name: 'KEPT', subjects: ['kept'] });
  await jsm.consumers.add('KEPT', { durable_name: 'kept', ack_policy: 'explicit' });
  for (const text of ['1', '2', '3', '4']) await js.publish('kept', text);
  const description = 'x'.repeat(3_500);
  let streams = 0;
  while (streams < 20 && (await wasAccepted(addStream(jsm, streams, description)))) streams++;
  expect(streams).toBeLessThan(20);
  expect(streams).toBeGreaterThan(3);
  const before = await state(jsm);

  const big = 'y'.repeat(4_000);
  const refused = [
    () => jsm.streams.add({ name: 'REFUSED', subjects: ['refused'], description }),
    () => jsm.streams.update('KEPT', { description: big }),
    () => jsm.consumers.add('KEPT', { durable_name: 'refused', ack_policy: 'explicit', description: big }),
    () => jsm.consumers.update('KEPT', 'kept', { description: big }),
  ];
  for (const change of refused) expect(await wasAccepted(change())).toBe(false);
  expect(await state(jsm)).toEqual(before);
  // A change that still fits is accepted after a failed one.
  expect(await wasAccepted(jsm.consumers.add('KEPT', { durable_name: 'small', ack_policy: 'explicit' }))).toBe(true);

  freeSpace();
  for (const change of refused) await change();
  await jsm.streams.delete('S0');
  await jsm.consumers.delete('KEPT', 'small');
  const consumer = await js.consumers.get('KEPT', 'kept');
  await (await consumer.next())!.ackAck();
  const after = await state(jsm);
  expect(after).not.toEqual(before);
  await nc.close();
  await kill();

  const broker = await startNats({ dataDir });
  const reconnected = await connect({ servers: broker.url, reconnect: false });
  const manager = await jetstreamManager(reconnected);
  expect(await state(manager)).toEqual(after);
  expect(await manager.consumers.info('KEPT', 'kept')).toMatchObject({ ack_floor: { stream_seq: 1 }, num_pending: 3 });
  await reconnected.close();
  await broker.stop();
});

test('changes that failed on a full disk still have no effect after a kill and a restart', async () => {
  const nc = await connect({ servers: await startOnSmallDisk(), reconnect: false });
  const jsm = await jetstreamManager(nc);
  const description = 'x'.repeat(3_500);
  let streams = 0;
  while (streams < 20 && (await wasAccepted(addStream(jsm, streams, description)))) streams++;
  expect(streams).toBeLessThan(20);
  await wasAccepted(jsm.streams.delete('S1'));
  const before = await state(jsm);
  await nc.close();
  await kill();
  const broker = await startNats({ dataDir });
  const reconnected = await connect({ servers: broker.url, reconnect: false });
  expect(await state(await jetstreamManager(reconnected))).toEqual(before);
  await reconnected.close();
  await broker.stop();
});

test('failed publishes have no effect, and publishes and removals succeed once the disk has space', async () => {
  const nc = await connect({ servers: await startOnSmallDisk(), reconnect: false });
  const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
  await jsm.streams.add({ name: 'S', subjects: ['s'] });
  const acknowledged: number[] = [];
  // Publishes many messages at once, so that a write of several messages is cut off after some of them. All messages of
  // that write then fail.
  const publish = async (): Promise<void> => {
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => js.publish('s', Buffer.alloc(1_000))));
    for (const answer of answers) if (answer.status === 'fulfilled') acknowledged.push(answer.value.seq);
  };
  for (let n = 0; n < 6; n++) await publish();
  expect(acknowledged.length).toBeLessThan(72);
  const kept = async (manager: JetStreamManager): Promise<number[]> => {
    const { state } = await manager.streams.info('S', { deleted_details: true });
    const gone = new Set(state.deleted);
    const all = Array.from({ length: state.last_seq - state.first_seq + 1 }, (_, n) => state.first_seq + n);
    return all.filter((seq) => !gone.has(seq));
  };
  expect(await kept(jsm)).toEqual(acknowledged);
  freeSpace();
  const publishOne = (): Promise<number | undefined> =>
    js.publish('s', '1').then(
      ({ seq }) => seq,
      () => undefined,
    );
  acknowledged.push(await eventually(publishOne));
  const [gone] = acknowledged.splice(2, 1);
  await jsm.streams.deleteMessage('S', gone!);
  await nc.close();
  await kill();
  const broker = await startNats({ dataDir });
  const reconnected = await connect({ servers: broker.url, reconnect: false });
  expect(await kept(await jetstreamManager(reconnected))).toEqual(acknowledged);
  await reconnected.close();
  await broker.stop();
});

/** Fills the first file of the stream S, frees space, and publishes a message, which is written to a second file. */
async function fillFirstFile(): Promise<JetStreamManager> {
  const nc = await connect({ servers: await startOnSmallDisk(), reconnect: false });
  const [js, jsm] = [jetstream(nc), await jetstreamManager(nc)];
  await jsm.streams.add({ name: 'S', subjects: ['s'] });
  while (await wasAccepted(js.publish('s', Buffer.alloc(1_000))));
  freeSpace();
  await eventually(() => wasAccepted(js.publish('s', '1')));
  return jsm;
}

/** Stops the broker. Returns its exit code. */
async function stop(): Promise<number> {
  const exited = once(child!, 'exit') as Promise<[number]>;
  child!.kill('SIGTERM');
  return (await exited)[0];
}

test('a stop after a failed write succeeds once the disk has space', async () => {
  await fillFirstFile();
  expect(await stop()).toBe(0);
});

test('once the disk has space, the space of removed messages in a file with a failed write is reclaimed', async () => {
  const jsm = await fillFirstFile();
  const sizeOfFirst = async (): Promise<number> => (await stat(join(dataDir, 'streams', '1', '0000000001.log'))).size;
  expect(await sizeOfFirst()).toBeGreaterThan(16_000);
  await jsm.streams.update('S', { max_msgs: 3 });
  await eventually(async () => (await sizeOfFirst()) < 4_000);
  expect(await stop()).toBe(0);
});
