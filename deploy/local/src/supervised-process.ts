import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fail, withInterrupt, type Log } from '@tautan/kit';
import { checkLiveness } from './liveness-check.js';
import { callProcess } from './process-calls.js';

export interface ProcessOptions {
  name: string;
  /** Path of the module to run. */
  entry: string;
  /** Arguments of the module. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** File descriptor for standard output. */
  logFd: number;
  log: Log;
  /** Called when the process has started or exited. */
  onChange(): void;
  /**
   * Called with each notice that the process sends, and with a sentence for each failure. If a start fails with the
   * same sentence as the previous failure, it is not called again.
   */
  onNotice(sentence: string): void;
  /** Possible cause of a crash in native code, added to the notice of the crash. */
  crashCause?: string;
  /** Time in ms without a response after which a started process is killed. Default: 10 s. */
  silentMs?: number;
}

/** Number of times that a process is restarted immediately if it was ready. After that, backoff applies. */
const IMMEDIATE_RESTARTS = 3;
const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;
/** A process that has run this long resets the backoff. */
const STABLE_AFTER_MS = 10_000;
const SILENT_MS = 10_000;

/**
 * A child process that is restarted whenever it exits: the first few times immediately if it was ready, otherwise with
 * exponential backoff. It is killed if it does not respond. It has its own process group, so that Ctrl-C reaches only
 * the supervisor, and it exits if the supervisor has exited.
 */
export class SupervisedProcess {
  #child: ChildProcess | undefined;
  #ports: Record<string, number> | undefined;
  #startedAt = 0;
  #backoffMs = MIN_BACKOFF_MS;
  #immediateRestarts = 0;
  #stopChecking = (): void => {};
  #retry: NodeJS.Timeout | undefined;
  #stopping = false;
  /** First lines of the standard error of the current run. */
  #stderrLines: string[] = [];
  /** Number of consecutive runs that exited before they were ready. */
  #failures = 0;
  /** How the last run ended, as a sentence without its period. */
  #lastExit = '';
  #lastReported: string | undefined;

  constructor(private readonly options: ProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** Process id. Undefined while the process is not running. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ports, keyed by purpose. Undefined while the process is not ready. */
  get ports(): Record<string, number> | undefined {
    return this.#ports;
  }

  /** The reason why the process cannot start. Undefined before three consecutive failures. */
  get failure(): string | undefined {
    return this.#failures >= 3 ? (this.#startError() ?? this.#lastExit) : undefined;
  }

  start(): void {
    const { entry, args, env, logFd, log, name } = this.options;
    this.#stderrLines = [];
    this.#startedAt = Date.now();
    const child = fork(entry, args, {
      execArgv: [],
      env,
      detached: true,
      stdio: ['ignore', logFd, 'pipe', 'ipc'],
    });
    this.#child = child;
    createInterface({ input: child.stderr! }).on('line', (line) => this.#onStderr(line));
    child.on('message', (message) => this.#onMessage(child, message));
    child.on('error', (error) => log.error({ err: error, process: name }, 'a process could not be started'));
    // `close` instead of `exit`, so that all output of the process has arrived.
    child.once('close', (code, signal) => this.#onClose(child, code, signal));
    log.info({ process: name, pid: child.pid }, 'process forked');
  }

  /** Calls a function of the process (see `callProcess`). Throws SERVICE_UNAVAILABLE while the process is not ready. */
  async call(name: string, input: unknown): Promise<unknown> {
    if (!this.#child || !this.#ports) throw fail('SERVICE_UNAVAILABLE', `${this.name} is not ready.`);
    return callProcess(this.#child, name, input);
  }

  /** Drains the process, and kills it if it has not exited within `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#retry);
    const child = this.#child;
    if (!child) return;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill('SIGTERM');
    await withInterrupt(closed, Math.max(withinMs, 0), () => child.kill('SIGKILL'));
  }

  /** Kills the process. */
  kill(): void {
    this.#stopping = true;
    this.#child?.kill('SIGKILL');
  }

  #onStderr(line: string): void {
    this.options.log.warn({ process: this.name, line }, 'stderr');
    if (this.#stderrLines.length < 20) this.#stderrLines.push(line);
  }

  #killSilent(child: ChildProcess): void {
    this.#report(`${this.name} is not responding; killing it.`, true);
    child.kill('SIGKILL');
  }

  #onMessage(child: ChildProcess, message: unknown): void {
    const { ports, notice } = message as { ports?: Record<string, number>; notice?: string };
    if (notice !== undefined) this.options.onNotice(`${this.name}: ${notice}`);
    if (!ports) return;
    this.#ports = ports;
    this.#failures = 0;
    this.#stopChecking = checkLiveness(child, this.options.silentMs ?? SILENT_MS, () => this.#killSilent(child));
    this.options.log.info({ process: this.name, pid: this.pid, ports }, 'process started');
    this.options.onChange();
  }

  #onClose(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child !== this.#child) return;
    const wasReady = this.#ports !== undefined;
    this.#child = undefined;
    this.#ports = undefined;
    this.#stopChecking();
    this.options.log[this.#stopping ? 'info' : 'error']({ process: this.name, code, signal }, 'process ended');
    if (!this.#stopping) this.#scheduleRestart(wasReady, code, signal);
    this.options.onChange();
  }

  #scheduleRestart(wasReady: boolean, code: number | null, signal: NodeJS.Signals | null): void {
    if (wasReady && Date.now() - this.#startedAt > STABLE_AFTER_MS) {
      this.#backoffMs = MIN_BACKOFF_MS;
      this.#immediateRestarts = 0;
    }
    if (!wasReady) this.#failures += 1;
    this.#lastExit = `${this.name} ${signal ? `was terminated by ${signal}` : `exited with code ${code}`}`;
    const { crashCause } = this.options;
    if (crashCause && this.#isNativeCrash(signal)) this.#lastExit += ` (${crashCause})`;
    this.#report(
      wasReady ? `${this.#lastExit}; restarting.` : `${this.#startError() ?? this.#lastExit}; retrying.`,
      wasReady,
    );
    this.#retry = setTimeout(() => this.start(), this.#nextBackoff(wasReady));
  }

  /** Returns whether the process crashed in native code, and not because V8 was out of memory. */
  #isNativeCrash(signal: NodeJS.Signals | null): boolean {
    if (!['SIGABRT', 'SIGBUS', 'SIGSEGV'].includes(signal ?? '')) return false;
    return !this.#stderrLines.some((line) => line.includes('out of memory'));
  }

  #nextBackoff(wasReady: boolean): number {
    if (wasReady && this.#immediateRestarts < IMMEDIATE_RESTARTS) {
      this.#immediateRestarts += 1;
      return 0;
    }
    const backoffMs = this.#backoffMs;
    this.#backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
    return backoffMs;
  }

  /** Reports a message, unless it repeats the previous one and `always` is false. */
  #report(sentence: string, always: boolean): void {
    if (always || sentence !== this.#lastReported) this.options.onNotice(sentence);
    this.#lastReported = always ? undefined : sentence;
  }

  /**
   * Returns the error of the process on one line: its error output from the line that starts with `<name>: ` (see
   * `runProcess` in the kit), or the first line with "Error".
   */
  #startError(): string | undefined {
    const own = this.#stderrLines.findIndex((line) => line.startsWith(`${this.name}: `));
    const message =
      own >= 0 ? this.#stderrLines.slice(own).join(' ') : this.#stderrLines.find((line) => /Error/.test(line));
    return message?.replaceAll(/\s+/g, ' ').replace(/[.\s]+$/, '');
  }
}
