import { afterEach, expect, jest, test } from '@jest/globals';
import mongoose, { Schema, type Connection } from 'mongoose';
import { streams } from '@tautan/proto';
import { startServers } from '../testing/servers.js';
import { maintenanceCommand } from './maintenance.js';

const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

async function run(command: string[], createModels: (connection: Connection) => object = () => ({})) {
  const lines: string[] = [];
  const code = await maintenanceCommand(command, { name: 'test', createModels }, (line) => void lines.push(line));
  return { code, lines };
}

test.each<[string[], number | undefined, RegExp | undefined]>([
  [[], undefined, undefined],
  [['serve', 'x'], undefined, undefined],
  [['migrate', 'x'], 2, /^Usage: migrate$/],
  [['migrate'], 1, /^The configuration is invalid:\n[^]*NATS_URL: must be set/],
])('for the command line %j, maintenanceCommand returns %p', async (command, code, output) => {
  expect(await run(command)).toEqual({ code, lines: output ? [expect.stringMatching(output)] : [] });
});

test('migrate creates the collections, indexes and streams, reports that they exist, and can be repeated', async () => {
  const servers = await startServers();
  const { mongodbUri: MONGODB_URI, database: MONGODB_DATABASE, natsUrl: NATS_URL } = servers;
  Object.assign(process.env, { MONGODB_URI, MONGODB_DATABASE, NATS_URL });
  const connections: Connection[] = [];
  const createModels = (connection: Connection) => {
    connections.push(connection);
    const schema = new Schema({ name: String }).index({ name: 1 });
    return { things: connection.model('things', schema, 'things') };
  };
  const lines = [
    `Every collection and index of ${MONGODB_DATABASE} exists.`,
    ...Object.values(streams).map(({ name }) => `Stream ${name}: 1 copy.`),
  ];
  expect(await run(['migrate'], createModels)).toEqual({ code: 0, lines });
  expect(await run(['migrate'], createModels)).toEqual({ code: 0, lines });
  expect(connections.map(({ readyState }) => readyState)).toEqual([0, 0]);
  const connection = await mongoose.createConnection(MONGODB_URI, { dbName: MONGODB_DATABASE }).asPromise();
  const keysOf = async (name: string) =>
    (await connection.db!.collection(name).indexes()).map(({ key }) => key as object);
  expect(await keysOf('things')).toEqual([{ _id: 1 }, { name: 1 }]);
  expect(await keysOf('outbox')).toEqual([{ _id: 1 }, { createdAt: 1 }]);
  await connection.close();
  await servers.stop();
});

test('migrate fails if the database cannot be reached within a minute', async () => {
  Object.assign(process.env, { MONGODB_URI: 'mongodb://127.0.0.1:1', NATS_URL: 'nats://127.0.0.1:1' });
  const original = setTimeout;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((work: () => void, ms: number) =>
      original(work, ms === 60_000 ? 100 : ms)) as typeof setTimeout);
  const lines = ['MONGODB_URI: the database could not be prepared within 60 s.'];
  expect(await run(['migrate'])).toEqual({ code: 1, lines });
});
