import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The service as a process of its own. */
export interface ServiceProcess {
  child: ChildProcess;
  addresses: Record<string, number>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

const main = join(import.meta.dirname, '..', 'main.js');

/** Starts the service as a process; resolves when it listens. */
export async function startProcess(settings: Record<string, string>): Promise<ServiceProcess> {
  const env = { ...process.env, NODE_OPTIONS: '', ...settings };
  const child = fork(main, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const gone = once(child, 'exit');
  const [message] = (await Promise.race([
    once(child, 'message'),
    gone.then(([code, signal]) => Promise.reject(new Error(`the service ended with ${code ?? signal}`))),
  ])) as [{ addresses: Record<string, number> }];
  gone.catch(() => {});
  return {
    child,
    addresses: message.addresses,
    kill: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await gone;
    },
  };
}
