import { existsSync, openSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createLog, droppedLogLines } from './log.js';
import { createMetrics } from './metrics.js';

// Every write to it fails like on a full disk (full(4)).
const full = '/dev/full';

(existsSync(full) ? test : test.skip)('drops and counts lines that a full disk refuses, and never throws', async () => {
  const log = createLog('test', 'info', openSync(full, 'w'));
  for (let i = 0; i < 2_000; i += 1) log.info({ i }, 'a line of about a hundred bytes');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(droppedLogLines()).toBeGreaterThan(1_000);
  expect(await createMetrics('test').metrics()).toContain(
    `tautan_log_lines_dropped_total{service="test"} ${droppedLogLines()}`,
  );
});
