import type { Bench, Started } from './bench.js';

/** A database that a benchmark uses: its process, unless MONGODB_URI names one that runs elsewhere. */
export interface Database {
  uri: string;
  process?: Started;
}

/** Starts the embedded engine on a folder, or hands out the server that MONGODB_URI names. */
export async function startDatabase(bench: Bench, folder?: string): Promise<Database> {
  const uri = process.env['MONGODB_URI'];
  if (uri) return { uri };
  const engine = await bench.own('engine', { DATA_DIR: folder ?? (await bench.folder()) });
  return { uri: `mongodb://127.0.0.1:${engine.addresses['mongodb']}/?replicaSet=rs0`, process: engine };
}

/** Starts the embedded broker, or hands out the server that NATS_URL names. */
export async function startBus(bench: Bench): Promise<string> {
  const url = process.env['NATS_URL'];
  if (url) return url;
  const broker = await bench.own('broker', { DATA_DIR: await bench.folder() });
  return `nats://127.0.0.1:${broker.addresses['nats']}`;
}
