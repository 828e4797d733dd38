import { setTimeout } from 'node:timers/promises';
import { eachCommand, type WireCommand } from './wire-commands.js';

/** Commands that processes send on a timer. */
const polls = new Set([
  'find outbox',
  // Looks for past days of statistics to close.
  'find stats_days',
  'find queues',
  'distinct queues',
  'find replicas',
  'update replicas',
  'find idempotent_requests',
  'find qr_codes',
  'find provider_events',
  'find leases',
  'insert leases',
  'findAndModify subscriptions',
  'findAndModify domains',
  'find redirects',
  'find tag_removals',
  'find invitation_reservations',
]);
const handshakes = new Set(['hello', 'ismaster', 'endSessions']);
const SETTLED_AFTER_MS = 1_000;

/** Number of commands by service, command and collection, such as `links: insert links`. */
export type CommandCounts = Record<string, number>;

export const total = (counts: CommandCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * Counts the commands that the embedded MongoDB servers in this process receive. Create it before these servers start.
 */
export class CommandCounter {
  #counts: CommandCounts = {};
  #polled = 0;
  #lastAt = 0;
  /** Stops counting the commands of new connections. */
  readonly stop: () => void = eachCommand((command, app) => this.#count(command, app));

  /** Returns the commands, except polls, that `work` and its asynchronous effects send. */
  async of(work: () => Promise<unknown>): Promise<CommandCounts> {
    await this.#settled();
    this.#counts = {};
    await work();
    await this.#settled();
    return this.#counts;
  }

  /** Counts while the product is idle. Returns the commands except polls, and the polls per second. */
  async idle(forMs: number): Promise<{ commands: CommandCounts; pollsPerSecond: number }> {
    await this.#settled();
    [this.#counts, this.#polled] = [{}, 0];
    await setTimeout(forMs);
    return { commands: this.#counts, pollsPerSecond: (this.#polled * 1_000) / forMs };
  }

  #count(command: WireCommand, app: string): void {
    const name = Object.keys(command)[0]!;
    if (handshakes.has(name)) return;
    const collection = command[name];
    const label = typeof collection === 'string' ? `${name} ${collection}` : name;
    if (polls.has(label)) return void (this.#polled += 1);
    this.#counts[`${app}: ${label}`] = (this.#counts[`${app}: ${label}`] ?? 0) + 1;
    this.#lastAt = performance.now();
  }

  async #settled(): Promise<void> {
    this.#lastAt = performance.now();
    while (performance.now() - this.#lastAt < SETTLED_AFTER_MS) await setTimeout(100);
  }
}
