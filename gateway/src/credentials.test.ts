import { expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { Credentials, type Credential } from './credentials.js';

const credential: Credential = { id: 'key_1', label: 'a', workspaceId: 'ws_1', plan: 'PRO' };

/** Credentials over a service that answers as it is told, on a clock that is turned by hand. */
function setUp(answer: () => Promise<Credential> = () => Promise.resolve(credential)) {
  const seen = { asked: 0, now: 1, answer };
  const credentials = new Credentials({
    verify: () => {
      seen.asked += 1;
      return seen.answer();
    },
    now: () => seen.now,
  });
  return { credentials, seen };
}

const refused = () => Promise.reject(fail('UNAUTHENTICATED', 'The API key is not valid.'));
const away = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Away.'));

test('a verified key is remembered for 30 s and not a moment longer', async () => {
  const { credentials, seen } = setUp();
  await credentials.verify('k', 'r');
  seen.now += 29_999;
  expect(credentials.remembered('k')).toEqual(credential);
  seen.now += 2;
  expect(credentials.remembered('k')).toBeUndefined();
});

test('a refused key is remembered for 5 s', async () => {
  const { credentials, seen } = setUp(refused);
  await expect(credentials.verify('k', 'r')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  seen.now += 4_999;
  expect(credentials.remembered('k')).toMatchObject({ code: 'UNAUTHENTICATED' });
  seen.now += 2;
  expect(credentials.remembered('k')).toBeUndefined();
});

test('of many requests with one unknown key, one asks', async () => {
  const { credentials, seen } = setUp();
  await Promise.all(Array.from({ length: 20 }, () => credentials.verify('k', 'r')));
  expect(seen.asked).toBe(1);
});

test('a failure of the service is not remembered', async () => {
  const { credentials } = setUp(away);
  await expect(credentials.verify('k', 'r')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(credentials.remembered('k')).toBeUndefined();
});

test('a dropped key is forgotten at once, others are not', async () => {
  const { credentials, seen } = setUp();
  await credentials.verify('a', 'r');
  seen.answer = () => Promise.resolve({ ...credential, id: 'key_2' });
  await credentials.verify('b', 'r');
  credentials.drop(['key_1', 'key_unknown']);
  expect(credentials.remembered('a')).toBeUndefined();
  expect(credentials.remembered('b')).toMatchObject({ id: 'key_2' });
});

test('an answer that was under way while its key was dropped is not remembered', async () => {
  let answer: (found: Credential) => void = () => {};
  const { credentials } = setUp(() => new Promise((resolve) => (answer = resolve)));
  const asked = credentials.verify('k', 'r');
  credentials.drop(['key_1']);
  answer(credential);
  expect(await asked).toEqual(credential);
  expect(credentials.remembered('k')).toBeUndefined();
});

test('nothing is remembered after a clear', async () => {
  const { credentials } = setUp();
  await credentials.verify('k', 'r');
  credentials.clear();
  expect(credentials.remembered('k')).toBeUndefined();
});
