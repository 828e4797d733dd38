import { inTrace, type Log, type Sealing } from '@tautan/kit';
import type { Delivery } from '../domain/delivery.js';
import { standingAfter, type Outcome } from '../domain/schedule.js';
import type { Queue } from '../store/queues.js';
import type { Rounds } from './rounds.js';
import { Health, type HealthDeps } from './health.js';
import type { Sender } from './sender.js';
import { TargetReader, type Target } from './target.js';

/** Attempts under way at once for an endpoint, and for one whose last attempt failed. */
const AT_ONCE = 4;
const AT_ONCE_FAILING = 1;
/** Attempts of an endpoint that may wait for the database. */
const MOST_UNRECORDED = 64;
/** How long an empty queue is kept, in case that more comes. */
const IDLE_MS = 250;
const RETRY_MS = 250;
/** When to look again at an endpoint whose secret cannot be read. */
const UNREADABLE_MS = 60_000;

export interface WorkerDeps extends HealthDeps {
  rounds: Rounds;
  sender: Pick<Sender, 'send'>;
  /** Whether this replica's lease still allows an attempt to begin. */
  leased: () => boolean;
  sealing: Sealing;
  now: () => Date;
  /** 0 to 1. */
  random: () => number;
  /** Whether others wait for the place that this queue has. */
  crowded: (failing: boolean) => boolean;
  observe: (outcome: Outcome, status: Delivery['status'], delivery: Delivery) => void;
  log: Log;
}

/**
 * Works through the due deliveries of one endpoint while this replica has its queue: a few at once, each attempt written
 * down before it counts as done. Nothing that one endpoint does holds up another's worker.
 */
export class QueueWorker {
  readonly #id: string;
  #kicks: number;
  #resumption: string | undefined;
  readonly #health: Health;
  readonly #target: TargetReader;
  #page: Delivery[] = [];
  #inFlight = 0;
  /** Deliveries under way: not to be begun a second time. */
  readonly #taken = new Set<string>();
  /** Those written down since the last page was asked for: it may show them as they were before. */
  readonly #recorded = new Set<string>();
  /** Whether more may be due than the page holds. */
  #more = true;
  #kicked = false;
  #begun = false;
  #lost = false;
  #stopping = false;
  #signalled = false;
  #resume: (() => void) | undefined;

  constructor(
    queue: Queue,
    private readonly deps: WorkerDeps,
  ) {
    this.#id = queue._id;
    this.#kicks = queue.kicks;
    this.#resumption = queue.resumption;
    this.#health = new Health(deps, queue._id, queue.failingSince);
    this.#target = new TargetReader(() => deps.rounds.endpoint.run(queue._id), deps.sealing, deps.now);
  }

  get failing(): boolean {
    return this.#health.failing;
  }

  /** Whether it was told of something that it did not look for since. */
  get kicked(): boolean {
    return this.#kicked;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** More has become due. */
  wake(): void {
    this.#more = true;
    this.#kicked = true;
    this.#signal();
  }

  /** The endpoint was changed. */
  forget(): void {
    this.#target.forget();
    this.#signal();
  }

  /** The replica's lease was renewed. */
  renewed(): void {
    this.#signal();
  }

  /** Another replica has the queue: begins nothing more. */
  lose(): void {
    this.#lost = true;
    this.#signal();
  }

  /** Begins nothing more; `run` resolves when what is under way has ended. */
  stop(): void {
    this.#stopping = true;
    this.#signal();
  }

  /** Works until the queue is empty and given back, or lost. Never rejects. */
  async run(): Promise<void> {
    for (;;) {
      try {
        if (await this.#advance()) return;
      } catch (error) {
        this.deps.log.warn({ err: error }, 'an endpoint waits for the database');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** One step; true when there is nothing more to do here. */
  async #advance(): Promise<boolean> {
    const over = this.#lost || this.#stopping;
    if (over && this.#taken.size === 0) return true;
    if (over) return this.#wait();
    const target = await this.#target.current();
    if (typeof target === 'string') return this.#taken.size > 0 ? this.#wait() : this.#leave(target);
    if (this.#begun && (this.failing || this.#page.length === 0) && this.deps.crowded(this.failing)) {
      this.#page = [];
      return this.#taken.size > 0 ? this.#wait() : this.#giveBack(this.deps.now(), false);
    }
    if (this.#resumption !== undefined) await this.#hasten(this.#resumption);
    if (this.#page.length === 0 && this.#more && this.#mayBegin()) await this.#readPage();
    while (this.#page.length > 0 && this.#mayBegin()) {
      const delivery = this.#page.shift()!;
      // In the trace of what caused it, however much later that is.
      void inTrace(delivery.traceparent, () => this.#attempt(delivery, target));
    }
    if (this.#page.length > 0 || this.#more || this.#taken.size > 0) return this.#wait();
    return this.#idle();
  }

  #mayBegin(): boolean {
    const most = this.failing ? AT_ONCE_FAILING : AT_ONCE;
    return this.deps.leased() && this.#inFlight < most && this.#taken.size < MOST_UNRECORDED;
  }

  /** Makes everything due that was pending when the endpoint was resumed or moved. */
  async #hasten(resumption: string): Promise<void> {
    await this.deps.rounds.resume(this.#id, resumption);
    this.#resumption = undefined;
    this.#more = true;
  }

  async #readPage(): Promise<void> {
    this.#recorded.clear();
    this.#more = false;
    try {
      const { deliveries, more } = await this.deps.rounds.page.run(this.#id);
      this.#page = deliveries.filter(({ _id }) => !this.#taken.has(_id) && !this.#recorded.has(_id));
      if (more) this.#more = true;
    } catch (error) {
      this.#more = true;
      throw error;
    }
  }

  async #attempt(delivery: Delivery, { endpoint, signer }: Exclude<Target, string>): Promise<void> {
    const { _id, endpointId, eventId, body } = delivery;
    this.#begun = true;
    this.#inFlight += 1;
    this.#taken.add(_id);
    const headers = signer.headers(eventId, this.deps.now(), body);
    const outcome = await this.deps.sender.send({ url: endpoint.url, headers, body, earlier: delivery.attempts });
    this.#inFlight -= 1;
    this.#signal();
    if (!outcome) {
      this.#taken.delete(_id);
      this.#more = true;
      return;
    }
    const standing = standingAfter(delivery, outcome, this.deps.now(), this.deps.random());
    await this.#insist(() => this.deps.rounds.record.run({ id: _id, endpointId, standing }));
    await this.#insist(async () => {
      if (await this.#health.note(outcome, endpoint)) this.#target.forget();
    });
    this.deps.observe(outcome, standing.status, delivery);
    this.#taken.delete(_id);
    this.#recorded.add(_id);
    this.#signal();
  }

  /** Repeats a write until it succeeds, or the queue is no longer here: then the attempt will be made again. */
  async #insist(write: () => Promise<unknown>): Promise<void> {
    while (!this.#lost) {
      try {
        return void (await write());
      } catch (error) {
        if (this.#stopping) return;
        this.deps.log.warn({ err: error }, 'an attempt waits to be written down');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Gives back a queue that cannot be worked on. */
  async #leave(why: 'gone' | 'off' | 'unreadable'): Promise<boolean> {
    this.#page = [];
    const { now, rounds, log } = this.deps;
    if (why === 'off') return this.#giveBack(null, true);
    if (why === 'gone') return (await rounds.bury(this.#id, this.#kicks)) || this.#stay();
    log.error({ endpointId: this.#id }, 'the secret of an endpoint cannot be read: is its encryption key missing?');
    return this.#giveBack(new Date(now().getTime() + UNREADABLE_MS), false);
  }

  /** Waits a little for more, then gives the queue back with the time of its next attempt. */
  async #idle(): Promise<boolean> {
    if (!this.deps.crowded(this.failing)) await this.#wait(IDLE_MS);
    if (this.#more || this.#stopping || this.#lost) return false;
    if (this.#kicked) {
      // Read before looking: what comes after the look changes it, and then the queue is not given back.
      this.#kicked = false;
      if (await this.#stay()) return true;
    }
    const next = await this.deps.rounds.nextAttemptAt(this.#id);
    if (next && next <= this.deps.now()) this.#more = true;
    return this.#more ? false : this.#giveBack(next, true);
  }

  /** True when the queue was given back. `unlessKicked`: not if something became due since the kicks were read. */
  async #giveBack(dueAt: Date | null, unlessKicked: boolean): Promise<boolean> {
    const kicks = unlessKicked ? this.#kicks : undefined;
    if (await this.deps.rounds.release.run({ id: this.#id, kicks, dueAt })) return true;
    return this.#stay();
  }

  /** Goes on with the queue as it is now; true when it is no longer this replica's. */
  async #stay(): Promise<boolean> {
    const queue = await this.deps.rounds.kicks.run(this.#id);
    if (queue === undefined) return true;
    if (queue.kicks !== this.#kicks) this.#more = true;
    this.#kicks = queue.kicks;
    this.#resumption = queue.resumption;
    this.#target.forget();
    return false;
  }

  #signal(): void {
    this.#signalled = true;
    this.#resume?.();
  }

  /** Resolves, with false, at the next signal, or after `ms`. */
  async #wait(ms?: number): Promise<false> {
    if (!this.#signalled) {
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#signalled = false;
    this.#resume = undefined;
    return false;
  }
}
