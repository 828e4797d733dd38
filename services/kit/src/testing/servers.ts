import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@tautan/local-mongo';
import { startNats } from '@tautan/local-nats';
import { TRANSACTION_LIFETIME_LIMIT_SECONDS } from '../config/transaction-lifetime.js';

/** A MongoDB and a NATS server for one test file. */
export interface TestServers {
  mongodbUri: string;
  /** A database name that no other test uses. */
  database: string;
  natsUrl: string;
  stop(): Promise<void>;
}

/** Starts the embedded servers on free ports; MONGODB_URI and NATS_URL select real servers instead. */
export async function startServers(): Promise<TestServers> {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-test-'));
  const mongo = process.env['MONGODB_URI']
    ? undefined
    : await startMongo({
        dataDir: join(folder, 'mongo'),
        transactionLifetimeLimitSeconds: TRANSACTION_LIFETIME_LIMIT_SECONDS,
      });
  const nats = process.env['NATS_URL'] ? undefined : await startNats({ dataDir: join(folder, 'nats') });
  return {
    mongodbUri: mongo?.uri ?? process.env['MONGODB_URI']!,
    database: `test_${Date.now().toString(36)}_${process.pid}`,
    natsUrl: nats?.url ?? process.env['NATS_URL']!,
    stop: async () => {
      await nats?.stop();
      await mongo?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
