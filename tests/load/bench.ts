import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The root folder of the repository. */
export const root = join(import.meta.dirname, '..', '..', '..');

/** A process that was started for a benchmark and has reported that it is ready. */
export interface Started {
  pid: number;
  process: ChildProcess;
  /** Ports by purpose. */
  ports: Record<string, number>;
  /** Sends SIGTERM and waits until the process exits; sends SIGKILL after 15 s. */
  stop(): Promise<void>;
}

/** The context of a benchmark. `end` stops all processes and removes all folders of the benchmark. */
export class Bench {
  readonly #children = new Set<ChildProcess>();
  readonly #folders: string[] = [];
  readonly #endings: (() => Promise<unknown>)[] = [];

  /** Node.js options of every process that `start` starts, and the environment variables that these options need. */
  readonly nodeOptions: string[] = [];
  readonly nodeEnv: Record<string, string> = {};

  /**
   * `quick` runs fewer and shorter rounds. `profiles` is a folder to which all Node.js processes, except those of the
   * benchmark `stack`, write CPU profiles when they exit.
   */
  constructor(
    readonly quick: boolean,
    profiles?: string,
  ) {
    if (profiles === undefined) return;
    this.nodeOptions = ['--import', join(import.meta.dirname, 'processes', 'profile.js')];
    this.nodeEnv = { BENCH_PROFILE: profiles };
  }

  /** Duration of one measured round in milliseconds. */
  get roundMs(): number {
    return this.quick ? 1_500 : 2_000;
  }

  get rounds(): number {
    return this.quick ? 3 : 5;
  }

  /** Prints progress to standard error, separately from the table of results. */
  say(text: string): void {
    process.stderr.write(`  ${text}\n`);
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tautan-bench-'));
    this.#folders.push(folder);
    return folder;
  }

  /** Runs a module (path relative to the repository root) as a process. Resolves when it has reported its ports. */
  async start(module: string, env: Record<string, string> = {}): Promise<Started> {
    const child = fork(join(root, module), [], {
      cwd: root,
      execArgv: this.nodeOptions,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        LOG_LEVEL: 'error',
        BIND_HOST: '127.0.0.1',
        ADMIN_PORT: '0',
        ...this.nodeEnv,
        ...env,
      },
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    const ports = await firstMessage(child, module);
    return { pid: child.pid!, process: child, ports, stop: () => end(child) };
  }

  /** Starts a module of the `processes` folder. */
  startProcess(name: string, env: Record<string, string> = {}): Promise<Started> {
    return this.start(`tests/dist/load/processes/${name}.js`, env);
  }

  /** Registers a cleanup step. The steps run in reverse order when the benchmark ends. */
  atEnd(ending: () => Promise<unknown>): void {
    this.#endings.push(ending);
  }

  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0).toReversed()) await ending().catch(printError);
    await Promise.all([...this.#children].map(end));
    for (const folder of this.#folders.splice(0)) await rm(folder, { recursive: true, force: true });
  }

  /** Kills every process without waiting. */
  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

async function firstMessage(child: ChildProcess, module: string): Promise<Record<string, number>> {
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${module} exited with ${code ?? signal} before it was ready`);
  });
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [{ ports: Record<string, number> }];
  failed.catch(() => {});
  return message.ports;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(killTimer);
}
