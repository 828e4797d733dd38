import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { mongoSettings, natsSettings, processSettings, readConfig } from '../config/config.js';
import { rpcSettings } from '../config/rpc-settings.js';
import { refusesCalls, startRunningCall } from '../testing/running-call.js';
import { until } from '../testing/until.js';
import { startService } from './service.js';

const schema = z.object({
  ...processSettings,
  ...mongoSettings('test'),
  ...natsSettings,
  ...rpcSettings('billing'),
});
const config = readConfig(schema, {
  LOG_LEVEL: 'silent',
  BIND_HOST: '127.0.0.1',
  RPC_PORT: '0',
  OPERATOR_PORT: '0',
  ADMIN_PORT: '0',
  MONGODB_URI: 'mongodb://127.0.0.1:1',
  NATS_URL: 'nats://127.0.0.1:1',
});

test('on stop, the gRPC server refuses calls even while a call of an operator is still running', async () => {
  const running = await startService({ name: 'test', config, createModels: () => ({}) }, () => []);
  const { ports } = running;
  const call = await startRunningCall(ports['operator']!);
  const stopped = running.stop();
  await until(() => refusesCalls(ports['grpc']!));
  expect(call.isRunning()).toBe(true);
  call.end();
  await stopped;
});
