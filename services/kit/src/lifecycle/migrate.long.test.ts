import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startMongo, type Mongo } from '@tautan/local-mongo';
import { streams } from '@tautan/proto';
import mongoose from 'mongoose';
import { startServers, startX509Mongo, type TestServers, type X509Mongo } from '../testing/index.js';

const run = promisify(execFile);
const mainOf = (service: string): string => join(import.meta.dirname, `../../../${service}/dist/main.js`);
/** One collection of each service that has a database. */
const services = {
  links: 'redirects',
  qr: 'qr_codes',
  workspaces: 'workspaces',
  billing: 'subscriptions',
  webhooks: 'deliveries',
};
let servers: TestServers;

let mongoBehindTls: Mongo;
let x509: X509Mongo;

beforeAll(async () => {
  servers = await startServers();
  mongoBehindTls = await startMongo({ dataDir: await mkdtemp(join(tmpdir(), 'tautan-x509-')) });
  x509 = await startX509Mongo(mongoBehindTls.port, 'tautan');
});
afterAll(async () => {
  await x509.stop();
  await mongoBehindTls.stop();
  await servers.stop();
});

const settings = () => ({
  MONGODB_URI: servers.mongodbUri,
  NATS_URL: servers.natsUrl,
  BASE_URL: 'http://localhost',
  LINKS_ADDRESS: 'localhost:1',
  ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
  LOG_LEVEL: 'warn',
});

describe('migrate', () => {
  test.each(Object.entries(services))(
    'of %s creates collections, and does not change the indexes when it is repeated',
    async (name, collection) => {
      const database = `${servers.database}_${name}`;
      const env = { ...process.env, ...settings(), MONGODB_DATABASE: database };
      const mongo = await mongoose.createConnection(servers.mongodbUri, { dbName: database }).asPromise();
      const indexes = async () => (await mongo.db!.collection(collection).indexes()).map(({ name }) => name);
      await run(process.execPath, [mainOf(name), 'migrate'], { env });
      const created = await indexes();
      expect(created).toContain('_id_');
      await run(process.execPath, [mainOf(name), 'migrate'], { env });
      expect(await indexes()).toEqual(created);
      await mongo.close();
    },
  );

  test.each(Object.entries(services))(
    'of %s connects to a database with TLS and MONGODB-X509',
    async (name, collection) => {
      const database = `${servers.database}_${name}`;
      const env = { ...process.env, ...settings(), MONGODB_URI: x509.uriFor('tautan'), MONGODB_DATABASE: database };
      await run(process.execPath, [mainOf(name), 'migrate'], { env });
      const mongo = await mongoose.createConnection(mongoBehindTls.uri, { dbName: database }).asPromise();
      expect(await mongo.db!.listCollections({ name: collection }).toArray()).toHaveLength(1);
      await mongo.close();
    },
  );

  test('creates the streams', async () => {
    const nats = await connect({ servers: servers.natsUrl });
    const found = await (await jetstreamManager(nats)).streams.list().next();
    expect(found.map(({ config }) => config.name).sort()).toEqual(
      Object.values(streams)
        .map(({ name }) => name)
        .sort(),
    );
    await nats.close();
  });

  test('names all invalid settings in one message', async () => {
    const env = { PATH: process.env['PATH'] };
    await expect(run(process.execPath, [mainOf('qr'), 'migrate'], { env })).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^The configuration is invalid:\n.*MONGODB_URI: must be set\n.*NATS_URL/),
    });
  });
});
