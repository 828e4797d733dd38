import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { Background } from './background.js';

test('does not start work while work with the same name is running, and tolerates failures', async () => {
  const background = new Background(createLog('test', 'silent'));
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    await Promise.resolve();
    throw new Error('the database is unavailable');
  };
  for (let i = 0; i < 5; i += 1) background.run('a', work);
  background.run('b', work);
  expect(runs).toBe(2);
  await background.settled();
  background.run('a', work);
  await background.settled();
  expect(runs).toBe(3);
});
