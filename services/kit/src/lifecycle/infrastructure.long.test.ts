import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { mongoSettings, natsSettings, processSettings, readConfig } from '../config/config.js';
import { rpcSettings } from '../config/rpc-settings.js';
import { deadLetterSchema } from '../mongo/index.js';
import { createLog } from '../telemetry/log.js';
import { valid } from '../testing/certificates.js';
import { connectInfrastructure, type InfrastructureOptions } from './infrastructure.js';
import { Stack } from './run.js';

const schema = z.object({ ...processSettings, ...mongoSettings('test'), ...natsSettings, ...rpcSettings('billing') });
const unavailable = { MONGODB_URI: 'mongodb://127.0.0.1:1', NATS_URL: 'nats://127.0.0.1:1' };
const log = createLog('test', 'silent');

const connect = (config: object = {}, options: Partial<InfrastructureOptions<object>> = {}) =>
  connectInfrastructure({
    name: 'test',
    config: { ...readConfig(schema, unavailable), ...config },
    log,
    stack: new Stack(log),
    createModels: (connection) => ({ deadLetters: connection.model('dead_letters', deadLetterSchema()) }),
    ...options,
  });

test.each([undefined, true, false])(
  'only a process that emits events has an outbox and reports its stored dead letters (emitsEvents: %p)',
  async (emitsEvents) => {
    const { outbox, registry, stack } = connect({}, emitsEvents === undefined ? {} : { emitsEvents });
    const expected = emitsEvents !== false;
    expect(outbox !== undefined).toBe(expected);
    expect(registry.getSingleMetric('tautan_dead_letters') !== undefined).toBe(expected);
    await stack.stop();
  },
);

test('the stack stops the outbox, and closes the connections', async () => {
  const { outbox, mongo, bus, stack } = connect();
  const stopped = jest.spyOn(outbox!, 'stop');
  await stack.stop();
  expect(stopped).toHaveBeenCalledTimes(1);
  // Resolves because the connection is closed: there is no database.
  await mongo.whenReady;
  const states: boolean[][] = [];
  bus.onChange((connected, closed) => void states.push([connected, closed]));
  expect(states).toEqual([[false, true]]);
});

test('exports the lag of consumers, and the expiry of each certificate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-certificates-'));
  const path = join(folder, 'tls.crt');
  await writeFile(path, valid.cert);
  const { registry, stack } = connect({ RPC_TLS_CERT: path, NATS_TLS_CERT: join(folder, 'missing.crt') });
  expect(registry.getSingleMetric('tautan_consumer_pending_messages')).toBeDefined();
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/^tautan_certificate_expiry_timestamp_seconds{use="rpc",.*} [1-9]\d+$/m);
  expect(metrics).toMatch(/^tautan_certificate_expiry_timestamp_seconds{use="nats",.*} 0$/m);
  await stack.stop();
  await rm(folder, { recursive: true });
});
