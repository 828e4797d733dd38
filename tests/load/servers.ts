import type { Bench, Started } from './bench.js';

/** The database of a benchmark. `process` is unset if MONGODB_URI names an external one. */
export interface Database {
  uri: string;
  process?: Started;
}

/** Starts the embedded engine with a data folder, unless MONGODB_URI names an external server. */
export async function startDatabase(bench: Bench, folder?: string): Promise<Database> {
  const uri = process.env['MONGODB_URI'];
  if (uri) return { uri };
  const engine = await bench.startProcess('engine', { DATA_DIR: folder ?? (await bench.folder()) });
  return { uri: `mongodb://127.0.0.1:${engine.ports['mongodb']}/?replicaSet=rs0`, process: engine };
}

/** Starts the embedded broker, unless NATS_URL names an external server. */
export async function startBus(bench: Bench): Promise<string> {
  const url = process.env['NATS_URL'];
  if (url) return url;
  const broker = await bench.startProcess('broker', { DATA_DIR: await bench.folder() });
  return `nats://127.0.0.1:${broker.ports['nats']}`;
}
