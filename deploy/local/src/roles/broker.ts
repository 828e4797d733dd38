import { createLog, type Running } from '@tautan/kit/process';
import { startNats } from '@tautan/local-nats';
import { notify } from './notify.js';

/** Starts the embedded broker with the settings BROKER_DIR, BROKER_PORT, BIND_HOST and STACK_REPAIR. */
export async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const log = createLog('broker');
  let starting = true;
  const nats = await startNats({
    dataDir: env['BROKER_DIR']!,
    port: Number(env['BROKER_PORT']),
    host: env['BIND_HOST']!,
    repair: env['STACK_REPAIR'] === 'true',
    log: (line) => log.info(line),
    warn: (line) => {
      log.warn(line);
      if (starting) notify(line);
    },
  });
  starting = false;
  return { ports: { nats: nats.port }, stop: () => nats.stop() };
}
