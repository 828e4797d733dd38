import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { Schema, type Connection } from 'mongoose';
import { startServers, type TestServers } from '../testing/servers.js';
import {
  shardCollections,
  shardedCluster,
  shardedCollections,
  type ShardedCluster,
  type ShardKey,
} from './sharding.js';

let servers: TestServers;
let connection: Connection;
beforeAll(async () => {
  servers = await startServers();
  connection = await mongoose.createConnection(servers.mongodbUri, { dbName: servers.database }).asPromise();
});
afterAll(async () => {
  await connection.close();
  await servers.stop();
});

const declared = () =>
  shardedCollections({
    links: connection.model('links', new Schema({ workspaceId: String }, { shardKey: { workspaceId: 1 } }), 'links'),
    routes: connection.model('redirects', new Schema({ _id: String }, { shardKey: { _id: 'hashed' } }), 'redirects'),
    plans: connection.model('plans', new Schema({ _id: String }), 'plans'),
  });

/** What a mongos keeps of its collections. */
function aCluster(keys: Record<string, ShardKey> = {}): ShardedCluster & { keys: Record<string, ShardKey> } {
  return {
    keys,
    keyOf: async (namespace) => keys[namespace],
    shard: async (collection, key) => void (keys[`tautan.${collection}`] = key),
  };
}

describe('shard keys', () => {
  test('are what the schemas declare', () => {
    expect(declared()).toEqual([
      { collection: 'links', key: { workspaceId: 1 } },
      { collection: 'redirects', key: { _id: 'hashed' } },
    ]);
  });

  test('are shown without a change, and applied once', async () => {
    const cluster = aCluster();
    const states = async (apply: boolean) => (await shardCollections(cluster, 'tautan', declared(), apply)).map(({ state }) => state); // prettier-ignore
    expect(await states(false)).toEqual(['unsharded', 'unsharded']);
    expect(cluster.keys).toEqual({});
    expect(await states(true)).toEqual(['sharded', 'sharded']);
    expect(cluster.keys).toEqual({ 'tautan.links': { workspaceId: 1 }, 'tautan.redirects': { _id: 'hashed' } });
    cluster.shard = () => Promise.reject(new Error('sharded already'));
    expect(await states(true)).toEqual(['sharded', 'sharded']);
  });

  test('never replace another key', async () => {
    const cluster = aCluster({ 'tautan.links': { _id: 1 } });
    const [links] = await shardCollections(cluster, 'tautan', declared(), true);
    expect(links).toEqual({ collection: 'links', key: { workspaceId: 1 }, state: 'other key' });
    expect(cluster.keys['tautan.links']).toEqual({ _id: 1 });
  });

  test('are refused on a server that is no mongos', async () => {
    await expect(shardedCluster(connection)).rejects.toThrow(/not a sharded cluster. Set MONGODB_URI/);
  });
});
