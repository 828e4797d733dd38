import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The executable of the package. */
export const program = join(import.meta.dirname, '..', '..', 'bin', 'tautan.js');

/** The result of a run. */
export interface Run {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Standard output as JSON. */
  json: <T = unknown>() => T;
}

export interface Running {
  ended: Promise<Run>;
  /** Output so far. */
  stdout(): string;
  stderr(): string;
  /** Writes to standard input; `undefined` ends it. */
  type(input: string | undefined): void;
  kill(signal: NodeJS.Signals): void;
  pid: number;
}

export interface TautanOptions {
  env?: Record<string, string>;
  /** The complete standard input; null leaves it open. */
  input?: string | null;
}

/** The `tautan` command with its own home and configuration folder. */
export interface Tautan {
  /** Home and working directory. */
  home: string;
  configDir: string;
  run(args: string[], options?: TautanOptions): Promise<Run>;
  start(args: string[], options?: TautanOptions): Running;
  /** Runs a bash command line in which `tautan` is available. */
  shell(line: string, options?: TautanOptions): Promise<Run>;
  /** Runs the command on a pseudo-terminal, which combines standard output and standard error. */
  terminal(args: string, env?: Record<string, string>): Running;
  /** Deletes the home folder. */
  remove(): void;
}

/** Returns the real command, which runs as a child process and calls the service at `url`. */
export function tautanAt(url: string): Tautan {
  const home = mkdtempSync(join(tmpdir(), 'tautan-cli-'));
  const configDir = join(home, 'config');
  const spawnIn = (file: string, args: string[], { env, input = '' }: TautanOptions): Running => {
    const own = { PATH: process.env['PATH'], HOME: home, TZ: 'UTC', TAUTAN_URL: url, TAUTAN_CONFIG_DIR: configDir };
    return watched(spawn(file, args, { cwd: home, env: { ...own, ...env } }), input);
  };
  const start: Tautan['start'] = (args, options = {}) => spawnIn(process.execPath, [program, ...args], options);
  return {
    home,
    configDir,
    start,
    run: (args, options) => start(args, options).ended,
    shell: (line, options = {}) => {
      const command = `tautan() { '${process.execPath}' '${program}' "$@"; }\n${line}`;
      return spawnIn('bash', ['--norc', '-c', command], options).ended;
    },
    terminal: (args, env) => {
      const command = `exec '${process.execPath}' '${program}' ${args}`;
      return spawnIn('script', ['-qec', command, '/dev/null'], { env: { TERM: 'xterm', ...env }, input: null });
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function watched(child: ChildProcessWithoutNullStreams, input: string | null): Running {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<Run>((resolve) =>
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout, stderr, json: <T>() => JSON.parse(stdout) as T }),
    ),
  );
  return {
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    type: (text) => (text === undefined ? child.stdin.end() : void child.stdin.write(text)),
    kill: (signal) => void child.kill(signal),
    pid: child.pid!,
  };
}
