import { expect, test } from '@jest/globals';
import { meterConnection } from './connection-meter.js';
import { createMetrics } from './metrics.js';

test('counts lost and restored connections, but not the first connection', async () => {
  const registry = createMetrics('test');
  const nats = meterConnection(registry, 'nats');
  meterConnection(registry, 'mongodb');
  const value = async (series: string): Promise<string | undefined> =>
    (await registry.metrics())
      .split('\n')
      .find((line) => line.startsWith(`tautan_connection_${series}`))
      ?.split(' ')[1];
  const changes = (change: string) => value(`changes_total{connection="nats",change="${change}"`);

  for (const up of [false, true, true]) nats(up);
  expect([await value('up{connection="nats"'), await changes('lost'), await changes('restored')]).toEqual([
    '1',
    '0',
    '0',
  ]);
  for (const up of [false, false]) nats(up);
  expect([await value('up{connection="nats"'), await changes('lost'), await changes('restored')]).toEqual([
    '0',
    '1',
    '0',
  ]);
  nats(true);
  expect([await value('up{connection="nats"'), await changes('lost'), await changes('restored')]).toEqual([
    '1',
    '1',
    '1',
  ]);
  expect(await value('up{connection="mongodb"')).toBe('0');
});
