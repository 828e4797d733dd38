import { createLog, TRANSACTION_LIFETIME_LIMIT_SECONDS, type Running } from '@tautan/kit';
import { startMongo } from '@tautan/local-mongo';
import { notify } from './notify.js';

/** Starts the embedded MongoDB engine with the settings of `engineSettings`. */
export async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const log = createLog('engine');
  const mongo = await startMongo({
    dataDir: env['ENGINE_DIR']!,
    port: Number(env['ENGINE_PORT']),
    host: env['BIND_HOST']!,
    transactionLifetimeLimitSeconds: TRANSACTION_LIFETIME_LIMIT_SECONDS,
    repair: env['STACK_REPAIR'] === 'true',
    log: (level, message, fields) => {
      log[level](fields ?? {}, message);
      if (level === 'warn') notify(message);
    },
    // No further write can be acknowledged. A new process may be able to use the disk again.
    onFailure: (error) => {
      log.fatal({ err: error }, 'the disk failed');
      process.exit(1);
    },
  });
  return { addresses: { mongodb: mongo.port }, stop: () => mongo.stop() };
}
