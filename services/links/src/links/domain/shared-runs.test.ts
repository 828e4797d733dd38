import { expect, test } from '@jest/globals';
import { SharedRuns } from './shared-runs.js';

/**
 * A `SharedRuns` whose work ends only when the test calls `end`, which ends the oldest running work. `started` lists
 * the callers whose work was started.
 */
function aFixture() {
  const runs = new SharedRuns<string>();
  const started: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const call = (name: string, key = 'key') =>
    runs.run(key, () => {
      started.push(name);
      return new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve(name))));
    });
  const end = async (error?: Error) => {
    ends.shift()!(error);
    await new Promise(setImmediate);
  };
  return { started, call, end };
}

test('calls during a run share the next one, with the work of the latest caller', async () => {
  const { started, call, end } = aFixture();
  const [first, second, third] = [call('first'), call('second'), call('third')];
  await end();
  await end();
  expect(await Promise.all([first, second, third])).toEqual(['first', 'third', 'third']);
  const fourth = call('fourth');
  await end();
  expect(await fourth).toBe('fourth');
  expect(started).toEqual(['first', 'third', 'fourth']);
});

test('a failed run does not affect the next one, and calls with other keys do not wait', async () => {
  const { started, call, end } = aFixture();
  const first = call('first').catch((error: Error) => error.message);
  const second = call('second');
  void call('other', 'other key');
  expect(started).toEqual(['first', 'other']);
  await end(new Error('failed'));
  expect(await first).toBe('failed');
  expect(started).toEqual(['first', 'other', 'second']);
  await end();
  await end();
  expect(await second).toBe('second');
});

test('a caller that calls again when its run has ended shares the queued run', async () => {
  const { started, call, end } = aFixture();
  const first = call('first');
  const second = call('second');
  const third = first.then(() => call('third'));
  await end();
  await end();
  expect(await Promise.all([second, third])).toEqual(['third', 'third']);
  expect(started).toEqual(['first', 'third']);
});
