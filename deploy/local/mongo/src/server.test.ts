import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal128, MongoClient, type Document } from 'mongodb';
import { rejection, TestEngine } from './engine.test.fixtures.js';
import { startMongo } from './server.js';

const OP_MSG = 2013;

let engine: TestEngine;
beforeAll(async () => {
  engine = await TestEngine.start();
});
afterAll(() => engine.stop());

/** Sends bytes on a new connection. Resolves when the engine has closed it. */
async function send(...chunks: Buffer[]): Promise<void> {
  const socket = connect(engine.mongo.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  for (const chunk of chunks) socket.write(chunk);
  await once(socket, 'close');
}

/** Returns a message with this length in its header, which need not be the actual length. */
function frame(length: number, opCode: number, body = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32LE(length, 0);
  bytes.writeInt32LE(1, 4);
  bytes.writeInt32LE(opCode, 12);
  return Buffer.concat([bytes, body]);
}

describe('invalid data on a connection:', () => {
  const garbage: [string, Buffer][] = [
    ['an unknown opcode', frame(16, 9999)],
    ['a compressed message', frame(20, 2012, Buffer.alloc(4))],
    ['a length over 48 MB', frame(100_000_000, OP_MSG)],
    ['a negative length', frame(-5, OP_MSG)],
    ['unknown required flags', frame(26, OP_MSG, Buffer.from('0080000000050000000000', 'hex').subarray(0, 10))],
    ['an unknown section', frame(26, OP_MSG, Buffer.from('00000000090500000000', 'hex'))],
    ['a message without sections', frame(20, OP_MSG, Buffer.alloc(4))],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
  ];

  test.each(garbage)('%s closes only that connection', async (_, bytes) => {
    await send(bytes);
    const collection = await engine.collection();
    await collection.insertOne({ a: 1 });
    expect(await collection.countDocuments()).toBe(1);
  });

  test('random bytes in a valid frame do not stop the engine', async () => {
    const collection = await engine.collection();
    for (let round = 0; round < 200; round += 1) {
      const body = Buffer.from(Array.from({ length: 5 + (round % 60) }, () => Math.floor(Math.random() * 256)));
      if (round % 2) body.writeInt32LE(body.length, 0);
      const socket = connect(engine.mongo.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(frame(21 + body.length, OP_MSG, Buffer.concat([Buffer.alloc(5), body])));
      socket.resume();
      await once(socket, 'close');
    }
    expect(await collection.countDocuments()).toBe(0);
  });

  test('an invalid document in an insert is refused, and nothing is stored', async () => {
    const collection = await engine.collection();
    // A string in the document has a length of 100 bytes, which exceeds the document.
    const document = Buffer.from('1000000002610064000000780000000000', 'hex').subarray(0, 16);
    const fields = Buffer.concat([
      Buffer.from(
        `\x02insert\0${String.fromCharCode(collection.collectionName.length + 1)}\0\0\0${collection.collectionName}\0`,
        'latin1',
      ),
      Buffer.from('\x02$db\0\x05\0\0\0test\0', 'latin1'),
      Buffer.from(`\x04documents\0${String.fromCharCode(5 + 3 + document.length)}\0\0\0\x030\0`, 'latin1'),
      document,
      Buffer.from([0, 0]),
    ]);
    const body = Buffer.concat([Buffer.alloc(4), fields]);
    body.writeInt32LE(body.length, 0);
    const socket = connect(engine.mongo.port, '127.0.0.1');
    socket.write(frame(21 + body.length, OP_MSG, Buffer.concat([Buffer.alloc(5), body])));
    const [reply] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(reply.toString('latin1')).toMatch(/invalid BSON/);
    expect(await collection.countDocuments()).toBe(0);
  });
});

test('an unsupported type is rejected with an error that names it, and the connection stays open', async () => {
  const collection = await engine.collection<{ _id: number; n: unknown }>();
  const n = Decimal128.fromString('1.5');
  const refused = { code: 115, message: 'the BSON type decimal is not supported by this engine' };
  expect(await rejection(collection.insertOne({ _id: 1, n: [{ n }] }))).toMatchObject(refused);
  expect(await rejection(collection.updateOne({ _id: 1 }, { $set: { n } }))).toMatchObject(refused);
  await collection.insertOne({ _id: 2, n: 1 });
  expect(await collection.find().toArray()).toEqual([{ _id: 2, n: 1 }]);
});

describe('startMongo', () => {
  test('rejects with one sentence if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
    const { port } = server.address() as AddressInfo;
    expect((await rejection(startMongo({ dataDir, port }))).message).toBe(`port ${port} of 127.0.0.1 is in use`);
    server.close();
    // The folder is unlocked.
    await (await startMongo({ dataDir })).stop();
    await rm(dataDir, { recursive: true });
  });

  test('rejects if the data folder is a file, or if data.mdb is not a data file of the engine', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
    const file = join(dataDir, 'file');
    await writeFile(file, 'x');
    expect((await rejection(startMongo({ dataDir: file }))).message).toMatch(/the data folder .* cannot be used/);
    await writeFile(join(dataDir, 'data.mdb'), 'not a data file of the engine');
    expect((await rejection(startMongo({ dataDir }))).message).toMatch(/cannot be read/);
    await rm(dataDir, { recursive: true });
  });

  test('refuses a data folder that is in use', async () => {
    const { message } = await rejection(startMongo({ dataDir: engine.dataDir }));
    expect(message).toBe(`the data folder ${engine.dataDir} is in use by another process`);
  });
});

/** Starts the program. Returns its process and the first line that it logs. */
async function startProgram(
  env: Record<string, string>,
): Promise<{ child: ReturnType<typeof spawn>; line: { uri: string; msg: string } }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.js')], { env: { PORT: '0', ...env } });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: JSON.parse(line.toString()) as { uri: string; msg: string } };
}

test('the program reads the transaction lifetime limit from its environment, and rejects an invalid one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
  const { child, line } = await startProgram({ DATA_DIR: dataDir, TRANSACTION_LIFETIME_LIMIT_SECONDS: '7' });
  const client = await new MongoClient(line.uri).connect();
  const parameter = await client.db('admin').command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 });
  expect(parameter).toMatchObject({ transactionLifetimeLimitSeconds: 7 });
  await client.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  const refused = await startProgram({ DATA_DIR: dataDir, TRANSACTION_LIFETIME_LIMIT_SECONDS: '7s' });
  refused.child.kill('SIGKILL');
  expect(refused.line.msg).toMatch(/transactionLifetimeLimitSeconds: NaN is not a whole number/);
  await rm(dataDir, { recursive: true });
});

test('the program prints its address, exits with 0 on SIGTERM, and starts again after kill -9', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
  const start = async (): Promise<{ child: ReturnType<typeof spawn>; uri: string }> => {
    const { child, line } = await startProgram({ DATA_DIR: dataDir });
    return { child, uri: line.uri };
  };
  const first = await start();
  // When a client is closed, the driver waits up to 30 s for a server that can end its sessions, unless configured
  // otherwise.
  const connect = (uri: string) => new MongoClient(uri, { serverSelectionTimeoutMS: 500 }).connect();
  const client = await connect(first.uri);
  await client.db('a').collection('b').insertOne({ x: 1 });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await client.close();
  const second = await start();
  const again = await connect(second.uri);
  expect(await again.db('a').collection('b').countDocuments()).toBe(1);
  second.child.kill('SIGTERM');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
  await again.close();
  await rm(dataDir, { recursive: true });
});

test('the program writes no warning if more than ten requests wait for a change of the topology', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
  const { child, line } = await startProgram({ DATA_DIR: dataDir });
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const client = await new MongoClient(line.uri).connect();
  const admin = client.db('admin');
  const { topologyVersion } = await admin.command({ hello: 1 }, { promoteLongs: false });
  const waiting = { hello: 1, topologyVersion: topologyVersion as Document, maxAwaitTimeMS: 200 };
  await Promise.all(Array.from({ length: 12 }, () => admin.command(waiting)));
  await client.close();
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(errors).toBe('');
  await rm(dataDir, { recursive: true });
});
