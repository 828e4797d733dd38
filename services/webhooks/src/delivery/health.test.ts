import { expect, test } from '@jest/globals';
import type { Endpoint } from '../domain/endpoint.js';
import { DISABLE_AFTER_MS, type Outcome } from '../domain/schedule.js';
import { Health } from './health.js';

const endpoint = { url: 'https://hooks.example.com/' } as Endpoint;
const start = new Date('2030-01-01T00:00:00Z');
const failed = (ms: number) => ({ error: 'timeout', statusCode: null, at: new Date(start.getTime() + ms) }) as Outcome;

/** A stored queue, and the number of times its endpoint was disabled. */
function aQueue(failingSince: Date | null) {
  const queue = { failingSince, disabled: 0 };
  const deps = {
    failingSince: async () => queue.failingSince,
    recordFailing: async (_id: string, since: Date | null) => void (queue.failingSince = since),
    disable: async () => void (queue.disabled += 1),
  };
  return { queue, health: new Health(deps, 'whe_1', failingSince) };
}

test('an endpoint is disabled after 3 days of failures', async () => {
  const { queue, health } = aQueue(null);
  expect(await health.record(failed(0), endpoint)).toBe(false);
  expect(await health.record(failed(DISABLE_AFTER_MS - 1), endpoint)).toBe(false);
  expect(await health.record(failed(DISABLE_AFTER_MS), endpoint)).toBe(true);
  expect(queue.disabled).toBe(1);
});

test('an endpoint that is resumed while its queue is processed is disabled after another 3 days of failures', async () => {
  const { queue, health } = aQueue(start);
  queue.failingSince = null; // resumed
  expect(await health.record(failed(DISABLE_AFTER_MS), endpoint)).toBe(false);
  expect(queue).toEqual({ failingSince: failed(DISABLE_AFTER_MS).at, disabled: 0 });
  expect(await health.record(failed(2 * DISABLE_AFTER_MS - 1), endpoint)).toBe(false);
  expect(await health.record(failed(2 * DISABLE_AFTER_MS), endpoint)).toBe(true);
});
