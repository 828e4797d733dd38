#!/usr/bin/env node
import { startMongo } from './server.js';

const write = (level: string, msg: string, fields: Record<string, unknown> = {}): void => {
  process.stdout.write(
    `${JSON.stringify({ level, time: Date.now(), service: 'mongo', pid: process.pid, msg, ...fields })}\n`,
  );
};

function fail(error: Error): never {
  write('fatal', error.message);
  process.exit(1);
}

const { PORT = '27017', HOST = '127.0.0.1', DATA_DIR = '.data/mongo', TTL_SECONDS } = process.env;
const { TRANSACTION_LIFETIME_LIMIT_SECONDS: lifetimeLimit } = process.env;

const mongo = await startMongo({
  dataDir: DATA_DIR,
  port: Number(PORT),
  host: HOST,
  ...(TTL_SECONDS && { ttlIntervalSeconds: Number(TTL_SECONDS) }),
  ...(lifetimeLimit && { transactionLifetimeLimitSeconds: Number(lifetimeLimit) }),
  repair: process.argv.includes('--repair'),
  log: write,
  onFailure: fail,
}).catch(fail);

write('info', 'listening', { uri: mongo.uri, dataDir: DATA_DIR });

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    mongo.stop().then(() => process.exit(0), fail);
  });
}
