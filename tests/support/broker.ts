import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@tautan/kit/testing';

export interface RealBroker {
  url: string;
  pid(): number;
  /** Kills the server with SIGKILL and restarts it with the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real NATS server if TEST_BROKER is the path of its program. Otherwise (unset or `embedded`), returns
 * undefined.
 */
export async function startBroker(): Promise<RealBroker | undefined> {
  const program = process.env['TEST_BROKER'];
  if (!program || program === 'embedded') return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'nats-'));
  const port = await freePort();
  const run = async () => {
    const child = spawn(program, ['-js', '-sd', dir, '-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    await eventually(() => reachable(port), 10_000);
    return child;
  };
  let child = await run();
  const kill = (signal: NodeJS.Signals) =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill(signal);
    });
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: () => child.pid!,
    crash: async () => {
      await kill('SIGKILL');
      child = await run();
    },
    stop: async () => {
      await kill('SIGTERM');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function reachable(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    }).once('error', reject);
  });
}
