import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A service in a separate process. */
export interface ServiceProcess {
  child: ChildProcess;
  /** Ports, keyed by the name of the listener. */
  ports: Record<string, number>;
  /** Sends SIGKILL and waits for the process to exit. */
  kill(): Promise<void>;
}

/** Starts the main module of a service in a separate process. Resolves when its ports accept connections. */
export async function startProcess(main: string, settings: Record<string, string>): Promise<ServiceProcess> {
  const env = { ...process.env, NODE_OPTIONS: '', ...settings };
  const child = fork(main, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const gone = once(child, 'exit');
  const [message] = (await Promise.race([
    once(child, 'message'),
    gone.then(([code, signal]) => Promise.reject(new Error(`the service exited with ${code ?? signal}`))),
  ])) as [{ ports: Record<string, number> }];
  gone.catch(() => {});
  return {
    child,
    ports: message.ports,
    kill: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await gone;
    },
  };
}
