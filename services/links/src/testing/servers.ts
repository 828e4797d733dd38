import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongo } from '@tautan/local-mongo';
import { startNats } from '@tautan/local-nats';
import { environment } from '../config.js';

/** A database server and a message bus for one test file. */
export interface TestServers {
  mongoUri: string;
  natsUrl: string;
  /** A folder that goes with them. */
  folder: string;
  stop(): Promise<void>;
}

/** Those that MONGODB_URI and NATS_URL name, and embedded ones for those that are not set. */
export async function startServers(): Promise<TestServers> {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-links-'));
  const { MONGODB_URI, NATS_URL } = environment;
  const mongo = MONGODB_URI ? undefined : await startMongo({ dataDir: join(folder, 'mongo') });
  const nats = NATS_URL ? undefined : await startNats({ dataDir: join(folder, 'nats') });
  return {
    mongoUri: mongo?.uri ?? MONGODB_URI!,
    natsUrl: nats?.url ?? NATS_URL!,
    folder,
    stop: async () => {
      await nats?.stop();
      await mongo?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
