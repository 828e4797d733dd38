import { expect, test } from '@jest/globals';
import { isPassword, storedPassword } from './passwords.js';

const cost = { n: 1_024, r: 8, p: 1 };

test('rejects passwords while the queue is full, and hashes the queued ones', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 250 }, () => storedPassword('a long enough one', cost)),
  );
  // Two passwords are hashed at a time and 200 wait, so 48 of the 250 are rejected.
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(48);
  expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ status: 503, retryAfter: 5 });
  const stored = await storedPassword('a long enough one', cost);
  expect(await isPassword('a long enough one', stored, cost)).toBe(true);
});
