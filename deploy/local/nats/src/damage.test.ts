import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNats } from './index.js';

let dataDir: string;
let warnings: string[];
let stop: () => Promise<void>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'broker-damage-'));
  warnings = [];
  stop = () => Promise.resolve();
});

afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

async function start(repair = false): Promise<{ js: JetStreamClient; jsm: JetStreamManager }> {
  const broker = await startNats({ dataDir, repair, warn: (line) => warnings.push(line) });
  const nc = await connect({ servers: broker.url, reconnect: false });
  stop = async () => {
    stop = () => Promise.resolve();
    await nc.close();
    await broker.stop();
  };
  return { js: jetstream(nc), jsm: await jetstreamManager(nc) };
}

const file = (): string => join(dataDir, 'streams', '1', '0000000001.log');
/** Size of the file header and the base record, which precede the messages. */
const headBytes = 8 + 8 + 9;
/** Size of the record of a message: frame header, message header, subject and text. */
const recordBytes = 8 + 23 + 1 + 5;

/** Creates a stream with the messages `text0` to `text9`, all delivered and acknowledged. */
async function consumedStream(): Promise<void> {
  const { js, jsm } = await start();
  await jsm.streams.add({ name: 'S', subjects: ['s'] });
  await jsm.consumers.add('S', { durable_name: 'worker', ack_policy: 'explicit' });
  const consumer = await js.consumers.get('S', 'worker');
  for (let n = 0; n < 10; n++) {
    await js.publish('s', `text${n}`);
    await (await consumer.next())!.ackAck();
  }
  await stop();
}

async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at]! ^= 4;
  await writeFile(path, bytes);
}

test.each([
  ['in the middle of a record', 2.5],
  ['between two records', 3],
])('a consumer receives messages published after the file of its stream was truncated %s', async (_, lostRecords) => {
  await consumedStream();
  await truncate(file(), headBytes + recordBytes * 10 - Math.floor(lostRecords * recordBytes));
  for (const text of ['new 1', 'new 2']) {
    const { js, jsm } = await start();
    expect((await js.publish('s', text)).seq).toBeGreaterThan(10);
    const consumer = await js.consumers.get('S', 'worker');
    const message = (await consumer.next({ expires: 1_000 }))!;
    expect(message.string()).toBe(text);
    await message.ackAck();
    const { delivered, num_pending: pending } = await consumer.info();
    const { state } = await jsm.streams.info('S');
    expect([pending, delivered.stream_seq]).toEqual([0, state.last_seq]);
    await stop();
  }
});

test('a consumer keeps a start sequence beyond the end of the stream across a restart', async () => {
  let { js, jsm } = await start();
  await jsm.streams.add({ name: 'S', subjects: ['s'] });
  await jsm.consumers.add('S', {
    durable_name: 'later',
    deliver_policy: 'by_start_sequence',
    opt_start_seq: 4,
  } as never);
  await js.publish('s', '1');
  await stop();
  ({ js, jsm } = await start());
  const published = [];
  for (const text of ['2', '3', '4', '5']) published.push((await js.publish('s', text)).seq);
  expect(published).toEqual([2, 3, 4, 5]);
  expect((await (await js.consumers.get('S', 'later')).next())!.seq).toBe(4);
});

test('the process does not start with a corrupt file, and keeps all valid messages with --repair', async () => {
  await consumedStream();
  await flip(file(), headBytes + recordBytes * 4 + 20);
  const run = async (...args: string[]): Promise<string> => {
    const main = fileURLToPath(new URL('main.js', import.meta.url));
    const env = { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir };
    const child = spawn(process.execPath, [main, ...args], { env });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('listening')) child.kill('SIGTERM');
      });
    await new Promise((resolve) => child.once('close', resolve));
    return printed;
  };
  const offset = headBytes + recordBytes * 4;
  expect(await run()).toBe(
    `the data folder ${dataDir} cannot be read: ${file()} is damaged at offset ${offset}, ` +
      'and 5 complete records can be read after the damage. Nothing was changed. Restore the file from a backup, ' +
      'or start once with --repair: that preserves every complete record and a copy of the file.\n',
  );
  expect(await run('--repair')).toMatch(
    /^jetstream: .*0000000001\.log: repaired; removed 37 bytes at offset 173 and preserved 5 records after the damage; .*\nlistening/,
  );
  expect(await readdir(join(dataDir, 'streams', '1'))).toEqual(['0000000001.log', '0000000001.log.damaged.1']);
  const { jsm } = await start();
  // Sequence 5 is lost. The repair cannot know which message the damaged record contained, and skips sequence 11, in
  // case an eleventh message was lost.
  expect((await jsm.streams.info('S')).state).toMatchObject({ messages: 9, num_deleted: 2, last_seq: 11 });
  expect(warnings).toEqual([]);
});
