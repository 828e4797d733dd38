import { fork, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { withInterrupt, type Log } from '@tautan/kit';
import { checkLiveness } from './liveness-check.js';

export interface ProcessOptions {
  name: string;
  /** The module to run and its arguments. */
  entry: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** File descriptor for standard output. */
  logFd: number;
  log: Log;
  /** Called when the process has started or ended. */
  onChange(): void;
  /** Receives a sentence for each failure, and the notices of the process for the user. */
  onTrouble(sentence: string): void;
  /** Time in ms without a response after which a started process is killed. Default: 10 s. */
  silentMs?: number;
}

/** Number of immediate restarts. */
const IMMEDIATE_RESTARTS = 3;
const FIRST_BACK_OFF_MS = 100;
const LAST_BACK_OFF_MS = 2_000;
/** A process that has run this long resets the backoff. */
const STABLE_AFTER_MS = 10_000;
const SILENT_MS = 10_000;

/**
 * A child process that is restarted whenever it ends, first immediately, then with exponential backoff. It is killed if it does not
 * respond. It has its own process group, so that Ctrl-C reaches only the supervisor, and exits if the supervisor has ended.
 */
export class SupervisedProcess {
  #child: ChildProcess | undefined;
  #addresses: Record<string, number> | undefined;
  #startedAt = 0;
  #backOff = FIRST_BACK_OFF_MS;
  #immediateRestarts = 0;
  #stopChecking = (): void => {};
  #retry: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Standard error of the current run. */
  #words: string[] = [];
  /** Consecutive runs that ended before they were ready. */
  #failures = 0;
  #lastReported: string | undefined;

  constructor(private readonly options: ProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** Process id while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ports by purpose while the process is ready. */
  get addresses(): Record<string, number> | undefined {
    return this.#addresses;
  }

  /** The reason why the process cannot start, after three consecutive failures. */
  get failure(): string | undefined {
    return this.#failures >= 3 ? this.#lastWords() : undefined;
  }

  start(): void {
    const { entry, args, env, logFd, log, name } = this.options;
    this.#words = [];
    this.#startedAt = Date.now();
    const child = fork(entry, args, {
      execArgv: [],
      env,
      detached: true,
      stdio: ['ignore', logFd, 'pipe', 'ipc'],
    });
    this.#child = child;
    createInterface({ input: child.stderr! }).on('line', (line) => this.#heard(line));
    child.on('message', (message) => this.#received(child, message));
    child.on('error', (error) => log.error({ err: error, process: name }, 'a process could not be started'));
    // `close` instead of `exit`, so that all of its output has arrived.
    child.once('close', (code, signal) => this.#ended(child, code, signal));
    log.info({ process: name, pid: child.pid }, 'process forked');
  }

  /** Drains the process, and kills it after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#retry);
    const child = this.#child;
    if (!child) return;
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill('SIGTERM');
    await withInterrupt(gone, Math.max(withinMs, 0), () => child.kill('SIGKILL'));
  }

  /** Kills the process. */
  kill(): void {
    this.#stopping = true;
    this.#child?.kill('SIGKILL');
  }

  #heard(line: string): void {
    this.options.log.warn({ process: this.name, line }, 'stderr');
    if (this.#words.length < 20) this.#words.push(line);
  }

  #killSilent(child: ChildProcess): void {
    this.#tell(`${this.name} does not respond`, true);
    child.kill('SIGKILL');
  }

  #received(child: ChildProcess, message: unknown): void {
    const { addresses, notice } = message as { addresses?: Record<string, number>; notice?: string };
    if (notice !== undefined) this.options.onTrouble(`${this.name}: ${notice}`);
    if (!addresses) return;
    this.#addresses = addresses;
    this.#failures = 0;
    this.#stopChecking = checkLiveness(child, this.options.silentMs ?? SILENT_MS, () => this.#killSilent(child));
    this.options.log.info({ process: this.name, pid: this.pid, addresses }, 'process started');
    this.options.onChange();
  }

  #ended(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void {
    if (child !== this.#child) return;
    const wasUp = this.#addresses !== undefined;
    this.#child = undefined;
    this.#addresses = undefined;
    this.#stopChecking();
    this.options.log[this.#stopping ? 'info' : 'error']({ process: this.name, code, signal }, 'process ended');
    if (!this.#stopping) this.#again(wasUp, code, signal);
    this.options.onChange();
  }

  #again(wasUp: boolean, code: number | null, signal: NodeJS.Signals | null): void {
    if (wasUp && Date.now() - this.#startedAt > STABLE_AFTER_MS) {
      this.#backOff = FIRST_BACK_OFF_MS;
      this.#immediateRestarts = 0;
    }
    if (!wasUp) this.#failures += 1;
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    this.#tell(
      wasUp
        ? `${this.name} ${how}; it is started again.`
        : `${this.#lastWords() ?? `${this.name} ${how}`}; tried again.`,
      wasUp,
    );
    this.#retry = setTimeout(() => this.start(), this.#nextBackOff(wasUp));
  }

  #nextBackOff(wasUp: boolean): number {
    if (wasUp && this.#immediateRestarts < IMMEDIATE_RESTARTS) {
      this.#immediateRestarts += 1;
      return 0;
    }
    const backOff = this.#backOff;
    this.#backOff = Math.min(backOff * 2, LAST_BACK_OFF_MS);
    return backOff;
  }

  /** Reports a message once, however often it repeats. */
  #tell(sentence: string, isNews: boolean): void {
    if (isNews || sentence !== this.#lastReported) this.options.onTrouble(sentence);
    this.#lastReported = isNews ? undefined : sentence;
  }

  /** Returns the error of the process on one line: the message of `runProcess`, or the first line that contains an error. */
  #lastWords(): string | undefined {
    const own = this.#words.findIndex((line) => line.startsWith(`${this.name}: `));
    const message = own >= 0 ? this.#words.slice(own).join(' ') : this.#words.find((line) => /Error/.test(line));
    return message?.replaceAll(/\s+/g, ' ').replace(/[.\s]+$/, '');
  }
}
