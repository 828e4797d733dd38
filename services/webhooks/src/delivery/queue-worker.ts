import { inTrace, sleep, withTimeout, type Log, type Sealing } from '@tautan/kit';
import type { Delivery } from '../domain/delivery.js';
import { stateAfter, type Outcome } from '../domain/schedule.js';
import type { Queue } from '../store/queues.js';
import type { BatchedStore } from './batched-store.js';
import { Health, type HealthDeps } from './health.js';
import type { Sender } from './sender.js';
import { TargetReader, type Target } from './target.js';

/** Maximum number of concurrent attempts for an endpoint. */
const MAX_CONCURRENT = 4;
/** Maximum number of concurrent attempts for a failing endpoint. */
const MAX_CONCURRENT_FAILING = 1;
/** Maximum number of attempts of an endpoint that are in flight or not recorded yet. */
const MAX_UNRECORDED = 64;
/** Time before an empty queue is released, in case more deliveries arrive. */
const IDLE_MS = 250;
/** Delay before retrying a database operation that failed. */
const RETRY_MS = 250;
/** Delay before retrying an endpoint whose secret cannot be decrypted. */
const UNREADABLE_MS = 60_000;

export interface WorkerDeps extends HealthDeps {
  batched: BatchedStore;
  sender: Pick<Sender, 'send'>;
  /** Owner id of the replica's lease; undefined if it may have expired. */
  lease: () => string | undefined;
  sealing: Sealing;
  now: () => Date;
  /** 0 to 1. */
  random: () => number;
  /**
   * Whether all slots of this replica are taken, so that other queues may be waiting for this queue's slot. Each queue
   * in progress takes a slot. Failing queues have slots of their own; `failing` selects which slots are meant.
   */
  contended: (failing: boolean) => boolean;
  /**
   * Adds an attempt to the metrics. `heldByEndpoint`: whether the delivery waited for its endpoint, not only for this
   * service.
   */
  observe: (outcome: Outcome, status: Delivery['status'], delivery: Delivery, heldByEndpoint: boolean) => void;
  log: Log;
}

/**
 * Processes the due deliveries of one endpoint while this replica owns its queue. Attempts are concurrent, and each is
 * recorded before it counts as done. A slow endpoint never delays another endpoint's worker.
 */
export class QueueWorker {
  readonly #id: string;
  /** Owner id of the lease under which the queue was claimed. */
  readonly #owner: string;
  #wakeVersion: number;
  /** Id of a resumption after which the pending deliveries still have to be made due; undefined if there is none. */
  #resumption: string | undefined;
  readonly #health: Health;
  readonly #target: TargetReader;
  #page: Delivery[] = [];
  /** Number of attempts that have no result yet. */
  #inFlight = 0;
  /** Ids of deliveries whose attempt has started and is not recorded yet. */
  readonly #taken = new Set<string>();
  /** Ids of deliveries recorded since the last page was requested. The page may contain their earlier state. */
  readonly #recorded = new Set<string>();
  /**
   * Deliveries created up to this time may have waited, because the endpoint had its maximum number of concurrent
   * attempts or was disabled.
   */
  #heldUntil = new Date(0);
  /** Whether more deliveries may be due than the page holds. */
  #more = true;
  #isWoken = false;
  /** Whether this worker has started an attempt. */
  #begun = false;
  #lost = false;
  #stopping = false;
  #signalled = false;
  #endWait: (() => void) | undefined;

  constructor(
    queue: Queue,
    private readonly deps: WorkerDeps,
  ) {
    this.#id = queue._id;
    this.#owner = queue.owner!;
    this.#wakeVersion = queue.wakeVersion;
    this.#resumption = queue.resumption;
    this.#health = new Health(deps, queue._id, queue.failingSince);
    this.#target = new TargetReader(() => deps.batched.endpoint.run(queue._id), deps.sealing, deps.now);
  }

  get failing(): boolean {
    return this.#health.failing;
  }

  /** Whether there was a wake-up since the queue was last read. */
  get isWoken(): boolean {
    return this.#isWoken;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Signals that more deliveries are due. */
  wake(): void {
    this.#more = true;
    this.#isWoken = true;
    this.#signal();
  }

  /** Invalidates the cached endpoint after a change. */
  invalidate(): void {
    this.#target.invalidate();
    this.#signal();
  }

  /** Signals that the replica's lease was renewed. */
  renewed(): void {
    this.#signal();
  }

  /** Starts no further attempt, because another replica may own the queue. */
  lose(): void {
    this.#lost = true;
    this.#signal();
  }

  /** Starts no further attempt; `run` resolves when the attempts in flight have ended. */
  stop(): void {
    this.#stopping = true;
    this.#signal();
  }

  /** Runs until the queue is released, deleted or lost, or the worker is stopped. Never rejects. */
  async run(): Promise<void> {
    for (;;) {
      try {
        if (await this.#advance()) return;
      } catch (error) {
        this.deps.log.warn({ err: error }, 'the deliveries of an endpoint are waiting for the database');
        await sleep(RETRY_MS);
      }
    }
  }

  /** Performs one step. Returns true when the worker is done. */
  async #advance(): Promise<boolean> {
    const isEnding = this.#lost || this.#stopping;
    if (isEnding && this.#taken.size === 0) return true;
    if (isEnding) return this.#wait();
    const target = await this.#target.current();
    if (typeof target === 'string') return this.#taken.size > 0 ? this.#wait() : this.#releaseUnprocessable(target);
    if (this.#begun && (this.failing || this.#page.length === 0) && this.deps.contended(this.failing)) {
      this.#page = [];
      return this.#taken.size > 0 ? this.#wait() : this.#release(this.deps.now(), false);
    }
    if (this.#resumption !== undefined) await this.#makeAllDue(this.#resumption);
    if (this.#page.length === 0 && this.#more && this.#mayBegin()) await this.#readPage();
    while (this.#page.length > 0 && this.#mayBegin()) {
      const delivery = this.#page.shift()!;
      // Attempts belong to the trace of the event, even long after it.
      void inTrace(delivery.traceparent, () => this.#attempt(delivery, target));
    }
    if (this.#page.length > 0 || this.#more || this.#taken.size > 0) return this.#wait();
    return this.#idle();
  }

  #mayBegin(): boolean {
    return this.deps.lease() === this.#owner && !this.#isAtLimit && this.#taken.size < MAX_UNRECORDED;
  }

  /** Whether the endpoint has its maximum of concurrent attempts. */
  get #isAtLimit(): boolean {
    return this.#inFlight >= (this.failing ? MAX_CONCURRENT_FAILING : MAX_CONCURRENT);
  }

  /** After the endpoint was resumed or its URL changed, makes all pending deliveries due. */
  async #makeAllDue(resumption: string): Promise<void> {
    await this.deps.batched.resume(this.#id, resumption);
    this.#resumption = undefined;
    this.#heldUntil = this.deps.now();
    this.#more = true;
  }

  async #readPage(): Promise<void> {
    this.#recorded.clear();
    this.#more = false;
    try {
      const { deliveries, more } = await this.deps.batched.page.run(this.#id);
      this.#page = deliveries.filter(({ _id }) => !this.#taken.has(_id) && !this.#recorded.has(_id));
      if (more) this.#more = true;
    } catch (error) {
      this.#more = true;
      throw error;
    }
  }

  async #attempt(delivery: Delivery, { endpoint, signer }: Exclude<Target, string>): Promise<void> {
    const { _id, endpointId, eventId, body } = delivery;
    const heldByEndpoint = this.failing || delivery.createdAt <= this.#heldUntil;
    this.#begun = true;
    this.#inFlight += 1;
    this.#taken.add(_id);
    const headers = signer.headers(eventId, this.deps.now(), body);
    const outcome = await this.deps.sender.send({ url: endpoint.url, headers, body, earlier: delivery.attempts });
    if (this.#isAtLimit) this.#heldUntil = this.deps.now();
    this.#inFlight -= 1;
    this.#signal();
    if (!outcome) {
      this.#taken.delete(_id);
      this.#more = true;
      return;
    }
    const state = stateAfter(delivery, outcome, this.deps.now(), this.deps.random());
    await this.#retryUntilWritten(() => this.deps.batched.record.run({ id: _id, endpointId, state }));
    await this.#retryUntilWritten(async () => {
      if (await this.#health.record(outcome, endpoint)) this.#target.invalidate();
    });
    this.deps.observe(outcome, state.status, delivery, heldByEndpoint);
    this.#taken.delete(_id);
    this.#recorded.add(_id);
    this.#signal();
  }

  /**
   * Retries a write until it succeeds or the queue is lost; stops at the next failure once the worker is stopping. If
   * the result of an attempt was not written, another replica repeats the attempt.
   */
  async #retryUntilWritten(write: () => Promise<unknown>): Promise<void> {
    while (!this.#lost) {
      try {
        return void (await write());
      } catch (error) {
        if (this.#stopping) return;
        this.deps.log.warn({ err: error }, 'an attempt could not be recorded yet');
        await sleep(RETRY_MS);
      }
    }
  }

  /** Releases a queue that cannot be processed. */
  async #releaseUnprocessable(reason: 'deleted' | 'disabled' | 'unreadable'): Promise<boolean> {
    this.#page = [];
    const { now, batched, log } = this.deps;
    if (reason === 'disabled') return this.#release(null, true);
    if (reason === 'deleted') return (await batched.deleteQueue(this.#id, this.#wakeVersion)) || this.#stay();
    log.error({ endpointId: this.#id }, 'the secret of an endpoint cannot be decrypted; check ENCRYPTION_KEYS');
    return this.#release(new Date(now().getTime() + UNREADABLE_MS), false);
  }

  /** Waits a moment for more deliveries, then releases the queue with the time of its next attempt. */
  async #idle(): Promise<boolean> {
    if (!this.deps.contended(this.failing)) await this.#wait(IDLE_MS);
    if (this.#more || this.#stopping || this.#lost) return false;
    if (this.#isWoken) {
      // Read the version before the deliveries, so that a later wake-up prevents the release.
      this.#isWoken = false;
      if (await this.#stay()) return true;
    }
    const next = await this.deps.batched.nextAttemptAt(this.#id);
    if (next && next <= this.deps.now()) this.#more = true;
    return this.#more ? false : this.#release(next, true);
  }

  /**
   * Releases the queue; with `unlessWoken`, only if there was no wake-up since its version was read. Returns false if
   * this replica still owns the queue.
   */
  async #release(dueAt: Date | null, unlessWoken: boolean): Promise<boolean> {
    const wakeVersion = unlessWoken ? this.#wakeVersion : undefined;
    if (await this.deps.batched.release.run({ id: this.#id, wakeVersion, dueAt })) return true;
    return this.#stay();
  }

  /** Continues with the current version of the queue. Returns true if this replica no longer owns it. */
  async #stay(): Promise<boolean> {
    const queue = await this.deps.batched.version.run(this.#id);
    if (queue === undefined) return true;
    if (queue.wakeVersion !== this.#wakeVersion) this.#more = true;
    this.#wakeVersion = queue.wakeVersion;
    this.#resumption = queue.resumption;
    this.#target.invalidate();
    return false;
  }

  #signal(): void {
    this.#signalled = true;
    this.#endWait?.();
  }

  /** Resolves with false at the next signal, or after `ms`. */
  async #wait(ms?: number): Promise<false> {
    if (!this.#signalled) {
      const signalled = new Promise<void>((resolve) => (this.#endWait = resolve));
      await (ms === undefined ? signalled : withTimeout(signalled, ms, () => undefined));
    }
    this.#signalled = false;
    this.#endWait = undefined;
    return false;
  }
}
