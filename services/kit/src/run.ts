import { telemetryEnvironment } from './config.js';
import { createLog, type Log } from './log.js';
import { startTelemetry } from './telemetry.js';

/** What `start` of a service answers. */
export interface Running {
  /** Ports by purpose: grpc, http, admin. */
  addresses: Record<string, number>;
  /** Refuses new work, finishes what is under way, flushes, disconnects. Safe to call twice. */
  stop(): Promise<void>;
  /** Longest time for a drain, milliseconds; the process ends without it. */
  drainMs?: number;
}

/** Stops things in the reverse order of their start, each once; one that fails does not keep the others from stopping. */
export class Stack {
  #steps: Array<{ name: string; stop: () => Promise<unknown> }> = [];
  #stopping: Promise<void> | undefined;

  constructor(private readonly log: Log) {}

  /** Adds a step and hands its subject back. */
  add<T>(name: string, subject: T, stop: (subject: T) => Promise<unknown>): T {
    this.#steps.push({ name, stop: async () => stop(subject) });
    return subject;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<void> {
    for (const { name, stop } of this.#steps.toReversed()) {
      await stop().catch((error: unknown) => this.log.error({ err: error, step: name }, 'a step of the stop failed'));
    }
  }
}

/**
 * Runs a service as a process: SIGTERM or SIGINT drains and exits 0, or 1 past the longest drain (`drainMs` where the
 * service names none); a second signal exits at once.
 * A start that fails prints one message and exits 1; an error that nobody caught is logged and exits 1.
 */
export async function runProcess(name: string, start: () => Promise<Running>, drainMs = 8_000): Promise<void> {
  const log = createLog(name);
  const die = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught error');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  let stopTelemetry = async (): Promise<void> => {};
  const begin = async (): Promise<Running> => {
    stopTelemetry = await startTelemetry(name, telemetryEnvironment(), log);
    return start();
  };
  const running = await begin().catch((error: unknown) => {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  let draining = false;
  const drain = (): void => {
    if (draining) return;
    draining = true;
    setTimeout(() => process.exit(1), running.drainMs ?? drainMs).unref();
    running
      .stop()
      .then(() => stopTelemetry())
      .then(() => process.exit(0), die);
  };
  const signalled = (): void => {
    if (draining) process.exit(1);
    drain();
  };
  process.on('SIGTERM', signalled);
  process.on('SIGINT', signalled);
  // A child whose parent is gone has nobody to stop it.
  process.on('disconnect', drain);
  if (process.send && !process.connected) return drain();
  // The parent learns the addresses, so that ports can be chosen freely. Last: who hears it may send a signal at once.
  process.send?.({ started: name, addresses: running.addresses });
  log.info({ addresses: running.addresses }, 'started');
}
