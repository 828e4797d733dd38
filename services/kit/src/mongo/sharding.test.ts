import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose, { Schema, type Connection } from 'mongoose';
import { startServers, type TestServers } from '../testing/servers.js';
import { startWireProxy, type WireDocument, type WireProxy } from '../testing/wire-proxy.js';
import { shardCollections, shardedCollections } from './sharding.js';

let servers: TestServers;
/** A direct connection to the server, which is not a mongos. */
let direct: Connection;
let mongos: WireProxy;
let connection: Connection;
/** The commands that `answer` has responded to since the start of the test. */
let sent: WireDocument[] = [];
let refusal: WireDocument | undefined;

beforeAll(async () => {
  servers = await startServers();
  const open = (uri: string) => mongoose.createConnection(uri, { dbName: servers.database }).asPromise();
  direct = await open(servers.mongodbUri);
  mongos = await startWireProxy({ target: Number(new URL(servers.mongodbUri).port), answer, change });
  connection = await open(`mongodb://127.0.0.1:${mongos.port}`);
});
afterAll(async () => {
  await connection?.close();
  await mongos?.stop();
  await direct.close();
  await servers.stop();
});
beforeEach(async () => {
  await configCollections().deleteMany({});
  refusal = undefined;
  sent = [];
});

const configCollections = () =>
  direct.getClient().db('config').collection<{ _id: string; key: object; unsplittable?: boolean }>('collections');

/** Responds like a mongos to the commands that shard a collection; undefined: the server responds. */
function answer({ lsid: _, ...command }: WireDocument): WireDocument | undefined {
  const { shardCollection, enableSharding, createIndexes } = command;
  if (!shardCollection && !enableSharding && !createIndexes) return undefined;
  sent.push(command);
  return refusal ?? { ok: 1 };
}

/** Turns the server's response to `hello` into that of a mongos. */
function change(response: WireDocument): WireDocument {
  const { setName, hosts: _, primary: __, me: ___, topologyVersion: ____, ...rest } = response;
  return setName === undefined ? response : { ...rest, msg: 'isdbgrid' };
}

const declared = () =>
  shardedCollections({
    links: direct.model('links', new Schema({ workspaceId: String }, { shardKey: { workspaceId: 1 } }), 'links'),
    routes: direct.model('redirects', new Schema({ _id: String }, { shardKey: { _id: 'hashed' } }), 'redirects'),
    plans: direct.model('plans', new Schema({ _id: String }), 'plans'),
  });
const shard = async (apply: boolean) =>
  (await shardCollections(connection, declared(), apply)).map(({ state }) => state);
const named = (collection: string) => `${servers.database}.${collection}`;

describe('shard keys', () => {
  test('are those that the schemas declare', () => {
    expect(declared()).toEqual([
      { collection: 'links', key: { workspaceId: 1 } },
      { collection: 'redirects', key: { _id: 'hashed' } },
    ]);
  });

  test('can be listed without sharding a collection', async () => {
    expect(await shard(false)).toEqual(['unsharded', 'unsharded']);
    expect(sent).toEqual([]);
  });

  test('are applied with the commands of a sharded cluster, once', async () => {
    expect(await shard(true)).toEqual(['sharded', 'sharded']);
    expect(sent).toMatchObject([
      { enableSharding: servers.database, $db: 'admin' },
      { shardCollection: named('links'), key: { workspaceId: 1 }, $db: 'admin' },
      { createIndexes: 'redirects', indexes: [{ key: { _id: 'hashed' } }], $db: servers.database },
      { shardCollection: named('redirects'), key: { _id: 'hashed' }, $db: 'admin' },
    ]);
    // A unique shard key would reject the second link of a workspace.
    expect(sent.some((command) => 'unique' in command)).toBe(false);
    await configCollections().insertMany(declared().map(({ collection, key }) => ({ _id: named(collection), key })));
    sent = [];
    expect(await shard(true)).toEqual(['sharded', 'sharded']);
    expect(sent).toMatchObject([{ enableSharding: servers.database }]);
  });

  test('never replace another key', async () => {
    await configCollections().insertOne({ _id: named('links'), key: { _id: 1 } });
    const [links] = await shardCollections(connection, declared(), true);
    expect(links).toEqual({ collection: 'links', key: { workspaceId: 1 }, state: 'other key' });
    expect(sent.map(({ shardCollection }) => shardCollection)).not.toContain(named('links'));
  });

  test('do not count as applied if the cluster tracks the collection as unsharded', async () => {
    await configCollections().insertOne({ _id: named('links'), key: { _id: 1 }, unsplittable: true });
    expect(await shard(false)).toEqual(['unsharded', 'unsharded']);
  });

  test('require a user with permission to shard', async () => {
    refusal = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on admin to execute command' };
    await expect(shard(true)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'The user of MONGODB_URI needs the role clusterManager: not authorized on admin to execute command.',
    });
  });

  test('are rejected on a server that is not a mongos', async () => {
    await expect(shardCollections(direct, declared(), false)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'MONGODB_URI',
      message: expect.stringMatching(/not a sharded cluster. Set MONGODB_URI/),
    });
  });
});
