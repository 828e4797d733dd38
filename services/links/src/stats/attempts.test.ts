import { expect, test } from '@jest/globals';
import { Attempts } from './attempts.js';

const away = new Error('away');
const attempts = () => new Attempts(3, (error) => error === away);
/** Whether a message that fails so deserves more, for each failure in turn. */
async function verdicts(counted: Attempts, id: string, errors: Error[]): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const error of errors) {
    await counted.run(id, () => Promise.reject(error)).catch(() => undefined);
    answers.push(counted.deservesMore(error));
  }
  return answers;
}

test('the third failure of its own ends a message', async () => {
  expect(await verdicts(attempts(), 'a', [new Error('a'), new Error('b'), new Error('c')])).toEqual([
    true,
    true,
    false,
  ]);
});

test('what passes by itself never counts', async () => {
  expect(await verdicts(attempts(), 'a', [away, away, new Error('a'), away, away, new Error('b'), away])).toEqual(
    Array(7).fill(true),
  );
});

test('a success, and another message, start anew', async () => {
  const counted = attempts();
  await verdicts(counted, 'a', [new Error('a'), new Error('b')]);
  await counted.run('a', async () => {});
  expect(await verdicts(counted, 'a', [new Error('c')])).toEqual([true]);
  expect(await verdicts(counted, 'b', [new Error('d')])).toEqual([true]);
});

test('a condemned error ends it at once', async () => {
  const counted = attempts();
  expect(await verdicts(counted, 'a', [counted.condemn(new Error('no batch'))])).toEqual([false]);
});
