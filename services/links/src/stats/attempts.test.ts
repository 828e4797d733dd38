import { expect, test } from '@jest/globals';
import { Attempts } from './attempts.js';

const unavailable = new Error('unavailable');
const newAttempts = () => new Attempts(3, (error) => error === unavailable);
/** Fails a message with each error in sequence. Returns for each failure whether the message must be retried. */
async function verdicts(attempts: Attempts, id: string, errors: Error[]): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const error of errors) {
    await attempts.run(id, () => Promise.reject(error)).catch(() => undefined);
    answers.push(attempts.mustRetry(error));
  }
  return answers;
}

test('a message is dead-lettered after three failures that are not transient', async () => {
  expect(await verdicts(newAttempts(), 'a', [new Error('a'), new Error('b'), new Error('c')])).toEqual([
    true,
    true,
    false,
  ]);
});

test('transient failures never count', async () => {
  expect(
    await verdicts(newAttempts(), 'a', [
      unavailable,
      unavailable,
      new Error('a'),
      unavailable,
      unavailable,
      new Error('b'),
      unavailable,
    ]),
  ).toEqual(Array(7).fill(true));
});

test('failures are counted per message, and from zero after a success', async () => {
  const attempts = newAttempts();
  await verdicts(attempts, 'a', [new Error('a'), new Error('b')]);
  await attempts.run('a', async () => {});
  expect(await verdicts(attempts, 'a', [new Error('c')])).toEqual([true]);
  expect(await verdicts(attempts, 'b', [new Error('d'), new Error('e')])).toEqual([true, true]);
});

test('a message need not be retried after an error that is marked as permanent', async () => {
  const attempts = newAttempts();
  expect(await verdicts(attempts, 'a', [attempts.markPermanent(new Error('no batch'))])).toEqual([false]);
});
