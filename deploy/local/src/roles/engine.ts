import { type Running } from '@tautan/kit';
import { startMongo } from '@tautan/local-mongo';

/** The embedded MongoDB engine, with the settings of `engineSettings`. */
export async function start(env: NodeJS.ProcessEnv): Promise<Running> {
  const { port, stop } = await startMongo({
    dataDir: env['ENGINE_DIR']!,
    port: Number(env['ENGINE_PORT']),
    host: env['BIND_HOST']!,
  });
  return { addresses: { mongodb: port }, stop };
}
