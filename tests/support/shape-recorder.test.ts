import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMongo, type Mongo } from '@tautan/local-mongo';
import { MongoClient, type Collection } from 'mongodb';
import { recordShapes, type CommandShape } from './shape-recorder.js';

interface Row {
  _id: string;
  workspaceId: string;
  n?: number;
}

const clients: MongoClient[] = [];
let folder: string;
let mongo: Mongo;
let stopRecording: () => void;
let rows: Collection<Row>;
const clientNamed = (appName?: string) => {
  const client = new MongoClient(mongo.uri, appName === undefined ? {} : { appName });
  clients.push(client);
  return client;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tautan-shapes-'));
  stopRecording = recordShapes(join(folder, 'shapes'));
  mongo = await startMongo({ dataDir: join(folder, 'data') });
  rows = clientNamed('links').db('app').collection<Row>('rows');
});
afterAll(async () => {
  stopRecording();
  await Promise.all(clients.map((client) => client.close()));
  await mongo.stop();
  await rm(folder, { recursive: true });
});

async function recorded(): Promise<CommandShape[]> {
  const [file] = await readdir(join(folder, 'shapes'));
  const lines = (await readFile(join(folder, 'shapes', file!), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as CommandShape);
}

test('each shape of a command from a named client is written once, without values', async () => {
  await rows.createIndex({ workspaceId: 1, n: 1 }, { unique: true });
  await rows.createIndex({ n: 1 });
  for (const _id of ['a', 'b']) {
    await rows.insertOne({ _id, workspaceId: 'secret', n: 1 }).catch(() => undefined);
    await rows
      .find({ workspaceId: 'secret', $or: [{ n: { $gt: 1, $lt: 9 } }, { n: { $lt: 2, $gt: 0 } }], _id })
      .toArray();
    await rows
      .updateOne({ _id }, { $set: { 'n.x': 1 }, $setOnInsert: { workspaceId: 'secret' } }, { upsert: true })
      .catch(() => undefined);
    await rows.updateMany({ _id: { $in: [_id] } }, [{ $set: { n: 2 } }, { $addFields: { m: 1 } }]);
    await rows.replaceOne({ _id }, { workspaceId: 'secret' });
    await rows.findOneAndDelete({ _id });
    await rows.deleteOne({ _id, workspaceId: 'secret' });
    await rows
      .aggregate([{ $match: { workspaceId: 'secret' } }, { $out: 'other' }])
      .toArray()
      .catch(() => undefined);
    await rows.distinct('n', { workspaceId: 'secret' });
  }
  await clientNamed().db('app').collection('unnamed').find({ n: 1 }).toArray();
  const at = { app: 'links', db: 'app', collection: 'rows' };
  expect(await recorded()).toEqual([
    { ...at, command: 'createIndexes', unique: ['workspaceId', 'n'] },
    { ...at, command: 'insert', fields: ['_id', 'n', 'workspaceId'] },
    { ...at, command: 'find', filter: { $or: [{ n: { $gt: '?', $lt: '?' } }], _id: '?', workspaceId: '?' } },
    { ...at, command: 'update', filter: { _id: '?' }, one: true, upsert: true, fields: ['n'] },
    { ...at, command: 'update', filter: { _id: { $in: '?' } }, one: false, upsert: false, fields: ['m', 'n'] },
    {
      ...at,
      command: 'update',
      filter: { _id: '?' },
      one: true,
      upsert: false,
      fields: ['workspaceId'],
      isReplacement: true,
    },
    { ...at, command: 'findAndModify', filter: { _id: '?' }, one: true, upsert: false, fields: [] },
    { ...at, command: 'delete', filter: { _id: '?', workspaceId: '?' }, one: true },
    { ...at, command: 'aggregate', filter: { workspaceId: '?' }, outputs: ['$out other'] },
    { ...at, command: 'distinct', filter: { workspaceId: '?' } },
  ]);
});

test('commands in a transaction are marked', async () => {
  const client = clientNamed('qr');
  await client.withSession((session) =>
    session.withTransaction(() => client.db('app').collection('rows').findOne({ workspaceId: 'x' }, { session })),
  );
  expect((await recorded()).at(-1)).toMatchObject({ app: 'qr', command: 'find', inTransaction: true });
});
