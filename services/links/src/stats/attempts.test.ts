import { expect, test } from '@jest/globals';
import { Attempts } from './attempts.js';

const unavailable = new Error('unavailable');
const attempts = () => new Attempts(3, (error) => error === unavailable);
/** Returns whether a message may be retried after each failure in sequence. */
async function verdicts(counted: Attempts, id: string, errors: Error[]): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const error of errors) {
    await counted.run(id, () => Promise.reject(error)).catch(() => undefined);
    answers.push(counted.isRetryable(error));
  }
  return answers;
}

test('a message is dead-lettered after three failures that are not transient', async () => {
  expect(await verdicts(attempts(), 'a', [new Error('a'), new Error('b'), new Error('c')])).toEqual([
    true,
    true,
    false,
  ]);
});

test('transient failures never count', async () => {
  expect(
    await verdicts(attempts(), 'a', [
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
  const counted = attempts();
  await verdicts(counted, 'a', [new Error('a'), new Error('b')]);
  await counted.run('a', async () => {});
  expect(await verdicts(counted, 'a', [new Error('c')])).toEqual([true]);
  expect(await verdicts(counted, 'b', [new Error('d')])).toEqual([true]);
});

test('a permanent error dead-letters a message immediately', async () => {
  const counted = attempts();
  expect(await verdicts(counted, 'a', [counted.markPermanent(new Error('no batch'))])).toEqual([false]);
});
