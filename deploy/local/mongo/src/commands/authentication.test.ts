import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { rejection, TestEngine } from '../engine.test.fixtures.js';

const password = 'p/ä ss@w:ord';
let engine: TestEngine;
beforeAll(async () => {
  engine = await TestEngine.start({ credentials: { user: 'tau,tan=', password } });
});
afterAll(() => engine.stop());

const connect = (credentials: string, options = '') =>
  new MongoClient(`${engine.mongo.uri.replace('//', `//${credentials}`)}/?${options}`).connect();
const given = (secret: string) => `${encodeURIComponent('tau,tan=')}:${encodeURIComponent(secret)}@`;

test.each(['', 'authSource=admin', 'authMechanism=SCRAM-SHA-256'])(
  'a client with the password is served (%s)',
  async (options) => {
    const client = await connect(given(password), options);
    expect(await client.db('test').collection('a').countDocuments()).toBe(0);
    await client.close();
  },
);

test.each([
  ['a wrong password', given('wrong'), ''],
  ['another user', 'root:wrong@', ''],
  ['another database of users', given(password), 'authSource=test'],
])('%s is refused with the code of the server', async (_, credentials, options) => {
  expect(await rejection(connect(credentials, options))).toMatchObject({ code: 18, codeName: 'AuthenticationFailed' });
});

test('a mechanism that is not enabled is refused', async () => {
  expect(await rejection(connect(given(password), 'authMechanism=SCRAM-SHA-1'))).toMatchObject({ code: 2 });
});

test('rejects commands from a client without credentials, except ping', async () => {
  const client = await connect('');
  expect(await client.db('test').command({ ping: 1 })).toMatchObject({ ok: 1 });
  const error = await rejection(client.db('test').collection('a').findOne({}));
  expect(error).toMatchObject({ code: 13, message: 'Command find requires authentication' });
  await client.close();
});

test('an engine without users knows none', async () => {
  const other = await TestEngine.start();
  const client = new MongoClient(other.mongo.uri.replace('//', '//a:b@'), { authMechanism: 'SCRAM-SHA-256' });
  expect(await rejection(client.connect())).toMatchObject({ code: 18 });
  await other.stop();
});
