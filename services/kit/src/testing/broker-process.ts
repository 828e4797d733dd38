import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** A broker in a separate process, initially with an empty data folder. */
export interface BrokerProcess {
  url: string;
  /** Sends a signal, for example SIGSTOP to make it hang and SIGCONT to make it resume. */
  signal(signal: NodeJS.Signals): void;
  /** Its data folder. */
  folder: string;
  /** Kills the broker and restarts it with its data and address. `whileDown` can change the data in between. */
  crash(whileDown?: () => Promise<void>): Promise<void>;
  /** Kills the broker and deletes its data. */
  stop(): Promise<void>;
}

/** The brokers that tests can start: the embedded one, and `nats-server` if it is on PATH. */
export const brokerPrograms: readonly string[] =
  spawnSync('nats-server', ['--version']).status === 0 ? ['embedded', 'nats-server'] : ['embedded'];

/** Starts a broker: `embedded`, or a NATS server by its name or path. Resolves when it accepts connections. */
export async function startBrokerProcess(program: string): Promise<BrokerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-broker-'));
  const port = await freePort();
  const start = async () => {
    const child =
      program === 'embedded'
        ? spawnEmbedded(port, folder)
        : spawn(program, ['-js', '-sd', folder, '-a', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
    await until(() => accepts(port));
    return child;
  };
  let child = await start();
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    signal: (signal) => void child.kill(signal),
    folder,
    crash: async (whileDown) => {
      await kill();
      await whileDown?.();
      child = await start();
    },
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function spawnEmbedded(port: number, folder: string) {
  const main = join(dirname(createRequire(import.meta.url).resolve('@tautan/local-nats')), 'main.js');
  const env = { ...process.env, NODE_OPTIONS: '', PORT: `${port}`, DATA_DIR: folder };
  return spawn(process.execPath, [main], { env, stdio: 'ignore' });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}
