import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, TRANSACTION_LIFETIME_LIMIT_SECONDS, type Running } from '@tautan/kit/process';
import { startMongo } from '@tautan/local-mongo';
import { notify } from './notify.js';

/** Starts the embedded MongoDB engine with the settings ENGINE_DIR, ENGINE_PORT, BIND_HOST and STACK_REPAIR. */
export async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const log = createLog('engine');
  const dataDir = env['ENGINE_DIR']!;
  const repair = env['STACK_REPAIR'] === 'true';
  const report = (message: string): void => {
    log.warn(message);
    notify(message);
  };
  if (existsSync(join(dataDir, 'engine.log'))) {
    const { convertEngineLog } = await import('../convert-engine-log.js');
    await convertEngineLog(dataDir, { repair, report });
  }
  const mongo = await startMongo({
    dataDir,
    port: Number(env['ENGINE_PORT']),
    host: env['BIND_HOST']!,
    transactionLifetimeLimitSeconds: TRANSACTION_LIFETIME_LIMIT_SECONDS,
    repair,
    log: (level, message, fields) => (level === 'warn' ? report(message) : log[level](fields ?? {}, message)),
    // Exit, because no further write can be acknowledged. A new process may be able to use the disk again.
    onFailure: (error) => {
      log.fatal({ err: error }, 'the disk failed');
      process.exit(1);
    },
  });
  return { ports: { mongodb: mongo.port }, stop: () => mongo.stop() };
}
