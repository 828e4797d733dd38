import { afterEach, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { Bus } from '../bus/index.js';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import { Outbox } from './outbox.js';

afterEach(() => void jest.useRealTimers());

test('losing or restoring the connection to the bus never postpones the next sweep', async () => {
  jest.useFakeTimers();
  let sweeps = 0;
  let change = (_connected: boolean): void => {};
  const bus = {
    // Each sweep reads this once, and reads nothing else while the bus is unavailable.
    get connected() {
      sweeps += 1;
      return false;
    },
    onChange: (listener: typeof change) => {
      change = listener;
      listener(false);
      return () => {};
    },
  } as unknown as Bus;
  const connection = mongoose.createConnection();
  const outbox = new Outbox({ connection, bus, log: createLog('test', 'silent'), registry: createMetrics('test') });
  for (let i = 0; i < 20; i += 1) {
    await jest.advanceTimersByTimeAsync(500);
    change(i % 2 === 0);
  }
  // One sweep per second.
  expect(sweeps).toBe(10);
  await outbox.stop();
  await connection.close();
});
