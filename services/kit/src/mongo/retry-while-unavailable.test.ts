import { expect, test } from '@jest/globals';
import { fail } from '../errors.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';

const unavailable = fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');

function failing(times: number, error: Error) {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries <= times) throw error;
    return tries;
  };
  return { work, tries: () => tries };
}
const options = { timeoutMs: 200, retryMs: 1, stopping: () => false };

test('retries until the database is available', async () => {
  expect(await retryWhileUnavailable(failing(3, unavailable).work, options)).toBe(4);
});

test('stops on another error, on shutdown, or at the deadline', async () => {
  const rejected = failing(1, new Error('no'));
  await expect(retryWhileUnavailable(rejected.work, options)).rejects.toThrow('no');
  expect(rejected.tries()).toBe(1);
  const stopped = failing(1, unavailable);
  await expect(retryWhileUnavailable(stopped.work, { ...options, stopping: () => true })).rejects.toBe(unavailable);
  expect(stopped.tries()).toBe(1);
  await expect(retryWhileUnavailable(failing(Infinity, unavailable).work, { ...options, timeoutMs: 20 })).rejects.toBe(
    unavailable,
  );
});
