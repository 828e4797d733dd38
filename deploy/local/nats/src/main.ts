import { parseArgs } from 'node:util';
import { startNats } from './index.js';

/**
 * Runs the broker as a process, with PORT (default 4222), HOST (default 127.0.0.1) and DATA_DIR (default .data/nats).
 * `--repair` repairs corrupt files. On SIGTERM and SIGINT, the process flushes all data and exits with 0.
 */
async function main(): Promise<void> {
  const { PORT = '4222', DATA_DIR = '.data/nats', HOST } = process.env;
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT must be 0 to 65535, not ${PORT}`);
  const { repair } = parseArgs({ options: { repair: { type: 'boolean' } } }).values;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const broker = await startNats({
    dataDir: DATA_DIR,
    port,
    ...(HOST ? { host: HOST } : {}),
    repair: repair ?? false,
    log: print,
  });
  print(`listening on ${broker.url}`);
  const stop = (): void => {
    broker.stop().then(
      () => process.exit(0),
      (error: Error) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function fail(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

main().catch(fail);
