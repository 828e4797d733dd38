import { expect, test } from '@jest/globals';
import type { Endpoint } from '../domain/endpoint.js';
import { DISABLE_AFTER_MS, type Outcome } from '../domain/schedule.js';
import { Health } from './health.js';

const endpoint = { url: 'https://hooks.example.com/' } as Endpoint;
const start = new Date('2030-01-01T00:00:00Z');
const after = (ms: number, error: string | null, statusCode: number | null) =>
  ({ error, statusCode, at: new Date(start.getTime() + ms) }) as Outcome;
const failed = (ms: number) => after(ms, 'timeout', null);

/**
 * Returns the health of an endpoint, and the object that replaces its stored queue. `disabled` contains the argument of
 * each call of `disable`.
 */
function aQueue(failingSince: Date | null) {
  const queue = { failingSince, disabled: [] as object[] };
  const deps = {
    failingSince: async () => queue.failingSince,
    recordFailing: async (_id: string, since: Date | null) => void (queue.failingSince = since),
    disable: async (given: object) => void queue.disabled.push(given),
  };
  return { queue, health: new Health(deps, 'whe_1', failingSince) };
}

test('an endpoint is disabled after 3 days of failures', async () => {
  const { queue, health } = aQueue(null);
  expect(await health.record(failed(0), endpoint)).toBe(false);
  expect(await health.record(failed(DISABLE_AFTER_MS - 1), endpoint)).toBe(false);
  expect(await health.record(failed(DISABLE_AFTER_MS), endpoint)).toBe(true);
  const reason = 'Every attempt of the last 3 days failed.';
  expect(queue.disabled).toEqual([{ id: 'whe_1', url: endpoint.url, reason }]);
});

test('a success ends a series of failures', async () => {
  const { queue, health } = aQueue(start);
  expect(health.failing).toBe(true);
  expect(await health.record(after(DISABLE_AFTER_MS, null, 200), endpoint)).toBe(false);
  expect([queue.failingSince, health.failing]).toEqual([null, false]);
  expect(await health.record(failed(DISABLE_AFTER_MS), endpoint)).toBe(false);
  expect(queue).toEqual({ failingSince: failed(DISABLE_AFTER_MS).at, disabled: [] });
});

test.each([
  ['at the first attempt', null],
  ['after it was resumed while its queue was being processed', start],
])('an endpoint is disabled immediately if it responds with 410 %s', async (_when, failingSince) => {
  const { queue, health } = aQueue(failingSince);
  queue.failingSince = null;
  expect(await health.record(after(1, 'the receiver responded with 410', 410), endpoint)).toBe(true);
  expect(queue.disabled).toEqual([{ id: 'whe_1', url: endpoint.url, reason: 'The receiver responded with 410 Gone.' }]);
});

test('an endpoint that is resumed while its queue is being processed is disabled after another 3 days of failures', async () => {
  const { queue, health } = aQueue(start);
  queue.failingSince = null; // resumed
  expect(await health.record(failed(DISABLE_AFTER_MS), endpoint)).toBe(false);
  expect(queue).toEqual({ failingSince: failed(DISABLE_AFTER_MS).at, disabled: [] });
  expect(await health.record(failed(2 * DISABLE_AFTER_MS - 1), endpoint)).toBe(false);
  expect(await health.record(failed(2 * DISABLE_AFTER_MS), endpoint)).toBe(true);
});
