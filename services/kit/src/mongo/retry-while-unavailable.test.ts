import { expect, test } from '@jest/globals';
import { fail } from '../errors.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

const away = fail('SERVICE_UNAVAILABLE', 'The database is away.');

function failing(times: number, error: Error) {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries <= times) throw error;
    return tries;
  };
  return { work, tries: () => tries };
}
const options = { holdMs: 200, retryMs: 1, stopping: () => false };

test('work is tried again until the database is back', async () => {
  expect(await retryWhileUnavailable(failing(3, away).work, options)).toBe(4);
});

test('a failure of its own, a stop, and the end of the time end it', async () => {
  const own = failing(1, new Error('no'));
  await expect(retryWhileUnavailable(own.work, options)).rejects.toThrow('no');
  expect(own.tries()).toBe(1);
  const stopped = failing(1, away);
  await expect(retryWhileUnavailable(stopped.work, { ...options, stopping: () => true })).rejects.toBe(away);
  expect(stopped.tries()).toBe(1);
  await expect(retryWhileUnavailable(failing(Infinity, away).work, { ...options, holdMs: 20 })).rejects.toBe(away);
});
