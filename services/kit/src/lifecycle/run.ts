import { telemetryEnvironment } from '../config/telemetry-environment.js';
import { createLog, type Log } from '../telemetry/log.js';
import { startTelemetry } from '../telemetry/telemetry.js';

/** A running service, as returned by its `start`. */
export interface Running {
  /** Ports by purpose, such as grpc, http or admin. */
  ports: Record<string, number>;
  /** Refuses new work, finishes work in progress, flushes and disconnects. Idempotent. */
  stop(): Promise<void>;
  /** Maximum duration of a drain, milliseconds; the process then exits. */
  drainMs?: number;
}

/** Part of a drain reserved for the steps after the running calls, milliseconds. */
const FINAL_STEPS_MS = 1_000;

/** Returns the maximum time that a drain waits for running calls, milliseconds. */
export const runningCallsMs = ({ DRAIN_TIMEOUT_MS }: { DRAIN_TIMEOUT_MS: number }): number =>
  Math.max(100, DRAIN_TIMEOUT_MS - FINAL_STEPS_MS);

/** Stops components once each, in reverse order of their start. A failure does not prevent the others from stopping. */
export class Stack {
  #steps: Array<{ name: string; stop: () => Promise<unknown> }> = [];
  #stopping: Promise<void> | undefined;

  constructor(private readonly log: Log) {}

  /** Adds a component and returns it. */
  add<T>(name: string, component: T, stop: (component: T) => Promise<unknown>): T {
    this.#steps.push({ name, stop: async () => stop(component) });
    return component;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<void> {
    for (const { name, stop } of this.#steps.toReversed()) {
      await stop().catch((error: unknown) =>
        this.log.error({ err: error, component: name }, 'a component failed to stop'),
      );
    }
  }
}

/**
 * Runs a service as a process. SIGTERM, SIGINT or the exit of the parent process drains the service. The process then
 * exits with 0, or with 1 if the drain fails or takes longer than the service's `drainMs` (by default
 * `defaultDrainMs`). A second signal exits immediately. A failed start prints one message and exits with 1; an uncaught
 * error is logged and exits with 1.
 */
export async function runProcess(name: string, start: () => Promise<Running>, defaultDrainMs = 8_000): Promise<void> {
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
    // Not unreferenced: without open handles, the process would exit with 0 before the drain has finished.
    setTimeout(() => process.exit(1), running.drainMs ?? defaultDrainMs);
    running
      .stop()
      .then(() => stopTelemetry())
      .then(() => process.exit(0), die);
  };
  const onSignal = (): void => {
    if (draining) process.exit(1);
    drain();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // A child must not outlive its parent.
  process.on('disconnect', drain);
  if (process.send && !process.connected) return drain();
  // Tells the parent the ports that the system chose. Sent after the signal handlers are installed, because the parent
  // may send a signal right away. Fails if the parent has just exited, which `disconnect` will report.
  process.send?.({ started: name, ports: running.ports }, undefined, undefined, () => {});
  log.info({ ports: running.ports }, 'started');
}
