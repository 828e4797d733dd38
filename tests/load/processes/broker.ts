import { startNats } from '@tautan/local-nats';

/** Runs the embedded broker alone, with the data folder DATA_DIR. */
const broker = await startNats({ dataDir: process.env['DATA_DIR']! });
process.send?.({ ports: { nats: broker.port } });
const end = (): void => void broker.stop().then(() => process.exit(0));
process.on('SIGTERM', end);
process.on('disconnect', end);
