import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startMongo, type Mongo as MongoServer } from '@tautan/local-mongo';
import { z } from 'zod';
import { mongoSettings, readConfig } from '../config/config.js';
import { newUlid } from '../values/ids.js';
import { createLog } from '../telemetry/log.js';
import { startPasswordMongo, startX509Mongo, until, type PasswordMongo, type X509Mongo } from '../testing/index.js';
import { connectMongo, explainMongo, type Mongo, type MongoOptions } from './connection.js';

const folder = mkdtempSync(join(tmpdir(), 'tautan-credentials-'));
const opened: Mongo[] = [];
afterAll(async () => {
  for (const mongo of opened) await mongo.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Connects like a service. */
function connecting(uri: string, prepare: MongoOptions['prepare'] = async () => {}) {
  const file = join(folder, newUlid());
  const log = createLog('test', 'info', openSync(file, 'a'));
  const mongo = connectMongo({ uri, database: 'test', name: 'test', log, prepare });
  opened.push(mongo);
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { level: string; msg: string; err: { message: string } });
  return { mongo, lines };
}

describe('a password', () => {
  const password = 'secret of the database';
  let server: MongoServer;
  let guarded: PasswordMongo;
  beforeAll(async () => {
    server = await startMongo({ dataDir: join(folder, newUlid()) });
    guarded = await startPasswordMongo(server.port, { user: 'tautan', password });
  });
  afterAll(async () => {
    await guarded.stop();
    await server.stop();
  });

  test('in MONGODB_URI is accepted', async () => {
    const { mongo } = connecting(guarded.uriFor({ user: 'tautan', password }));
    await mongo.whenReady;
    expect(await mongo.connection.collection('things').countDocuments()).toBe(0);
  });

  test('that is wrong is reported in the log, without the password, and leaves the database unavailable', async () => {
    const { mongo, lines } = connecting(guarded.uriFor({ user: 'tautan', password: 'a wrong secret' }));
    await until(() => lines().length > 0);
    expect(lines()[0]).toMatchObject({
      level: 'error',
      msg: 'MONGODB_URI: MongoDB refused the credentials',
      err: { message: 'Authentication failed.' },
    });
    expect(JSON.stringify(lines())).not.toContain('secret');
    expect(mongo.ready()).toBe(false);
    const find = async () => mongo.connection.collection('things').findOne({});
    const error: unknown = await find().catch((cause: unknown) => cause);
    expect(explainMongo(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test('that is missing is reported in the log when collections are created', async () => {
    const { lines } = connecting(guarded.uriFor(), (connection) => connection.createCollection('things'));
    await until(() => lines().length > 0);
    expect(lines()[0]).toMatchObject({
      level: 'error',
      msg: 'MONGODB_URI: the user has no permission to use the database',
    });
  });
});

describe('a certificate', () => {
  let server: MongoServer;
  let x509: X509Mongo;
  beforeAll(async () => {
    server = await startMongo({ dataDir: join(folder, newUlid()) });
    x509 = await startX509Mongo(server.port, 'tautan');
  });
  afterAll(async () => {
    await x509.stop();
    await server.stop();
  });

  test('of a user is accepted, with MONGODB-X509', async () => {
    const { mongo } = connecting(x509.uriFor('tautan'));
    await mongo.whenReady;
    await mongo.connection.collection('things').insertOne({ at: new Date() });
    expect(await mongo.connection.collection('things').countDocuments()).toBe(1);
  });

  test('of a user unknown to the database is refused, and the refusal is logged', async () => {
    const { mongo, lines } = connecting(x509.uriFor('stranger'));
    await until(() => lines().length > 0);
    expect(lines()[0]).toMatchObject({ level: 'error', msg: 'MONGODB_URI: MongoDB refused the credentials' });
    expect(mongo.ready()).toBe(false);
  });

  test('that is missing makes the TLS handshake fail', async () => {
    const { mongo, lines } = connecting(x509.uriFor());
    await until(() => lines().length > 0);
    expect(lines()[0]).toMatchObject({ msg: 'the database is unavailable' });
    expect(mongo.ready()).toBe(false);
  });

  test('whose file cannot be read prevents startup with an error that names the option', () => {
    const read = () =>
      readConfig(z.object(mongoSettings('test')), { MONGODB_URI: 'mongodb://db/?tls=true&tlsCAFile=/no/ca.pem' });
    expect(read).toThrow('MONGODB_URI: tlsCAFile=/no/ca.pem cannot be read');
  });
});
