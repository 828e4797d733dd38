import { createLog, type Running } from '@tautan/kit';
import { startNats } from '@tautan/local-nats';

/** The embedded broker, with the settings of `brokerSettings`. */
export async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const log = createLog('broker');
  const nats = await startNats({
    dataDir: env['BROKER_DIR']!,
    port: Number(env['BROKER_PORT']),
    host: env['BIND_HOST']!,
    log: (line) => log.info(line),
  });
  return { addresses: { nats: nats.port }, stop: () => nats.stop() };
}
