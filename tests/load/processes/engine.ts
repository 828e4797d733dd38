import { startMongo } from '@tautan/local-mongo';

// Runs only the embedded MongoDB engine, with the data folder DATA_DIR.
const engine = await startMongo({ dataDir: process.env['DATA_DIR']! });
process.send?.({ ports: { mongodb: engine.port } });
const end = (): void => void engine.stop().then(() => process.exit(0));
process.on('SIGTERM', end);
process.on('disconnect', end);
