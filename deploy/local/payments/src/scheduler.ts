import type { State } from '@tautan/append-log';
import type { Log } from '@tautan/kit';
import { catchUp } from './objects/renewals.js';
import { expireSession } from './objects/sessions.js';
import type { Sandbox } from './sandbox.js';

const INTERVAL_MS = 2_000;

/**
 * Ends periods, retries unpaid invoices, expires sessions and deletes expired records, every two seconds, one run at a
 * time.
 */
export class Scheduler {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly state: State,
    private readonly log: Log,
  ) {}

  start(): void {
    const run = (): void => void (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
    this.#timer = setInterval(run, INTERVAL_MS).unref();
    run();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    this.state.sweep();
    try {
      await this.sandbox.change((tx) => {
        for (const subscription of tx.all('subscription')) catchUp(tx, subscription);
        for (const { id, status, expires_at: end } of tx.all('session'))
          if (status === 'open' && end <= tx.now) expireSession(tx, {}, id);
      });
    } catch (err) {
      // Retried at the next interval.
      this.log.error({ err }, 'scheduled changes failed');
    }
  }
}
