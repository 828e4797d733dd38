import { inTrace, withTimeout } from '@tautan/kit';
import type { Store } from '../store/index.js';
import type { Queue } from '../store/queues.js';
import { Activity } from './activity.js';
import { QueueWorker, type WorkerDeps } from './queue-worker.js';
import { ReplicaLease } from './replica-lease.js';
import { createBatchedStore } from './batched-store.js';
import { ClockSteps } from './clock-steps.js';

export interface DelivererOptions {
  pollMs: number;
  leaseMs: number;
  /** Identifies this instance across restarts; null if nothing does. */
  instance: string | null;
  /** Maximum number of healthy queues in progress. The same maximum applies to failing queues. */
  endpointsAtOnce: number;
  ready: () => boolean;
}

export type DelivererDeps = Omit<WorkerDeps, 'batched' | 'contended' | 'failingSince' | 'recordFailing' | 'lease'> & {
  store: Store;
};

const CLAIM_BATCH = 100;
const HEARTBEATS_PER_LEASE = 6;
const MAX_HEARTBEAT_MS = 500;

/**
 * Claims due queues and runs a worker for each. A replica owns a queue while processing it, so that the limit of
 * concurrent attempts per endpoint holds across all replicas. Failing endpoints have their own slots, so that hanging
 * endpoints never delay the others.
 */
export class Deliverer {
  readonly #lease: ReplicaLease;
  readonly #workers = new Map<string, { worker: QueueWorker; done: Promise<void> }>();
  readonly #workerDeps: WorkerDeps;
  readonly #timers: NodeJS.Timeout[];
  readonly #activity = new Activity();
  readonly #clockSteps: ClockSteps;
  #claiming: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  #checking: Promise<void> | undefined;
  /** Whether any replica owned a queue at the last heartbeat. */
  #isAnyOwned = false;
  #claimAgain = false;
  /**
   * Whether a claim has started and has not completed. If the claim failed midway, this replica may own queues without
   * a worker.
   */
  #isClaimUnfinished = false;
  #stopped = false;

  constructor(
    private readonly deps: DelivererDeps,
    private readonly options: DelivererOptions,
  ) {
    this.#lease = new ReplicaLease(deps.store.replicas, options);
    this.#clockSteps = new ClockSteps(deps.now);
    const owner = (): string => this.#lease.owner ?? '';
    this.#workerDeps = {
      ...deps,
      batched: createBatchedStore(deps.store, owner, deps.now),
      lease: () => this.lease,
      failingSince: (id) => deps.store.queues.failingSince(id),
      recordFailing: (id, since) => deps.store.queues.recordFailing(id, owner(), since),
      contended: (failing) => this.#freeSlots(failing) <= 0,
    };
    this.#timers = [
      setInterval(() => this.#poll(), options.pollMs),
      setInterval(
        () => this.#isActive && this.#heartbeat(),
        Math.min(options.leaseMs / HEARTBEATS_PER_LEASE, MAX_HEARTBEAT_MS),
      ),
    ];
  }

  /**
   * Owner id of the lease under which this replica may start attempts; undefined if another replica may have taken over
   * its queues.
   */
  get lease(): string | undefined {
    return this.#lease.heldBy;
  }

  /** Attempts in flight, queues in progress, and how many of those are failing. */
  get load(): { inFlight: number; queues: number; failing: number } {
    const workers = [...this.#workers.values()].map(({ worker }) => worker);
    return {
      inFlight: workers.reduce((sum, { inFlight }) => sum + inFlight, 0),
      queues: workers.length,
      failing: workers.filter(({ failing }) => failing).length,
    };
  }

  /** Wakes the workers of endpoints with due deliveries. Returns the endpoints that have no worker here. */
  wake(endpointIds: readonly string[]): string[] {
    const others = endpointIds.filter((id) => !this.#workers.has(id));
    for (const id of endpointIds) this.#workers.get(id)?.worker.wake();
    if (others.length > 0) this.checkNow();
    return others;
  }

  /** Claims due queues now, and looks for abandoned ones at the next heartbeat. */
  checkNow(): void {
    this.#activity.wake();
    this.#claimSoon();
  }

  /** Invalidates the cached endpoint after a change. */
  invalidate(endpointId: string): void {
    this.#workers.get(endpointId)?.worker.invalidate();
  }

  /**
   * Starts no more attempts and waits up to `withinMs` for those in flight; unfinished ones are repeated. Releases
   * every queue.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#claiming;
    await this.#beating;
    await this.#checking;
    const running = [...this.#workers.values()];
    for (const { worker } of running) worker.stop();
    await withTimeout(Promise.all(running.map(({ done }) => done)), withinMs, () => undefined);
    for (const { worker } of running) worker.lose();
    if (!this.options.ready() || this.#lease.owner === undefined) return;
    await this.deps.store.queues.releaseAll([this.#lease.owner], this.deps.now());
    await this.#lease.end();
  }

  #freeSlots(failing: boolean): number {
    let inProgress = 0;
    for (const { worker } of this.#workers.values()) if (worker.failing === failing) inProgress += 1;
    return this.options.endpointsAtOnce - inProgress;
  }

  /** Whether work may be pending. True until startup completes, while queues are owned, and after a wake-up. */
  get #isActive(): boolean {
    const isWorking = this.#workers.size > 0 || this.#isAnyOwned || this.#isClaimUnfinished;
    return isWorking || this.#activity.isRecent || this.#lease.owner === undefined;
  }

  #poll(): void {
    if (this.#clockSteps.detect() !== 0) this.#activity.wake();
    if (this.#isActive) this.#claimSoon(true);
    else if (this.#activity.isCheckDue && !this.#stopped && this.options.ready())
      this.#checking ??= this.#checkIdle()
        .catch((error: unknown) => this.deps.log.warn({ err: error }, 'the check for due deliveries failed'))
        .finally(() => (this.#checking = undefined));
  }

  async #checkIdle(): Promise<void> {
    const { store, now } = this.deps;
    const [dueAt, isAnyOwned] = await Promise.all([store.queues.nextDueAt(), store.queues.isAnyOwned()]);
    const dueInMs = dueAt && dueAt.getTime() - now().getTime();
    if (isAnyOwned || (dueInMs !== undefined && dueInMs <= 0)) this.checkNow();
    else this.#activity.checkAgain(dueInMs);
  }

  /**
   * Runs one claim at a time. Requests during a claim cause one more claim. A poll first checks whether any queue is
   * due.
   */
  #claimSoon(isPoll = false): void {
    if (this.#stopped || !this.options.ready()) return;
    // The heartbeat renews the lease and then claims.
    if (this.lease === undefined) return this.#heartbeat();
    if (this.#claiming) return void (this.#claimAgain = true);
    this.#claiming = inTrace(undefined, () => this.#claim(isPoll))
      .catch((error: unknown) =>
        this.deps.log.warn({ err: error }, 'due deliveries could not be claimed; the next poll will retry'),
      )
      .finally(() => {
        this.#claiming = undefined;
        if (!this.#claimAgain) return;
        this.#claimAgain = false;
        this.#claimSoon();
      });
  }

  async #claim(isPoll: boolean): Promise<void> {
    if (this.#isClaimUnfinished) await this.#adopt();
    else if (isPoll && !(await this.deps.store.queues.isAnyDue(this.deps.now()))) return;
    this.#isClaimUnfinished = true;
    for (const failing of [false, true]) {
      let full = true;
      while (full && !this.#stopped) full = await this.#claimSome(failing);
    }
    this.#isClaimUnfinished = false;
  }

  /** Starts workers for the queues that a failed claim acquired. */
  async #adopt(): Promise<void> {
    // Read before the query, because a worker can release its queue during the query.
    const held = new Set(this.#workers.keys());
    const owner = this.#lease.owner!;
    const owned = await this.deps.store.queues.ownedBy(owner);
    if (owner !== this.#lease.owner) return;
    for (const queue of owned) if (!held.has(queue._id)) this.#begin(queue);
  }

  /** Claims some due queues, failing or healthy ones, and starts their workers. Returns whether more may be due. */
  async #claimSome(failing: boolean): Promise<boolean> {
    const { store, now } = this.deps;
    const limit = Math.min(this.#freeSlots(failing), CLAIM_BATCH);
    if (limit <= 0) return false;
    const due = await store.queues.claimable(failing, now(), limit);
    const ids = due.filter((id) => !this.#workers.has(id));
    if (ids.length === 0) return false;
    const owner = this.#lease.owner!;
    const claimed = await store.queues.claim(ids, owner);
    // The lease was lost during the claim. The queues are released with all others of that owner.
    if (owner !== this.#lease.owner) return false;
    for (const queue of claimed) this.#begin(queue);
    return due.length === limit;
  }

  #begin(queue: Queue): void {
    const worker = new QueueWorker(queue, this.#workerDeps);
    // The worker handles many events, so it runs outside the trace of the one that woke it.
    const running = inTrace(undefined, () => worker.run());
    const done = running.then(() => {
      this.#workers.delete(queue._id);
      // This queue may be due again, or another queue may be waiting for the slot.
      if (worker.isWoken || this.#freeSlots(worker.failing) === 1) this.#claimSoon();
    });
    this.#workers.set(queue._id, { worker, done });
  }

  #heartbeat(): void {
    if (this.#stopped || !this.options.ready()) return;
    this.#beating ??= this.#beat()
      .catch((error: unknown) => {
        this.deps.log.warn({ err: error }, 'the lease could not be renewed');
        this.#activity.wake();
      })
      .finally(() => (this.#beating = undefined));
  }

  async #beat(): Promise<void> {
    const wasLeased = this.lease !== undefined;
    const renewed = await this.#lease.renew();
    for (const { worker } of this.#workers.values()) {
      if (renewed) worker.renewed();
      else worker.lose();
    }
    if (!renewed || !wasLeased) this.#claimSoon();
    if ((await this.#releaseOrphans()) + (await this.#recheckAfterClockStep()) > 0) this.#claimSoon();
  }

  /**
   * Ends the leases of lost replicas, and releases the queues of all unregistered owners. Returns the number of queues.
   */
  async #releaseOrphans(): Promise<number> {
    const { store, now, log } = this.deps;
    // The order matters: a replica registers before it owns a queue.
    const owners = await store.queues.owners();
    this.#isAnyOwned = owners.length > 0;
    const registered = await this.#lease.endAbandoned();
    const unregistered = owners.filter((owner) => !registered.has(owner));
    if (unregistered.length === 0) return 0;
    const released = await store.queues.releaseAll(unregistered, now());
    log.info({ owners: unregistered, queues: released }, 'released the queues of lost replicas');
    return released;
  }

  /**
   * Rechecks every queue once after the clock was set back, and once after the start, because the clock may have been
   * set back before. Returns 1 if it rechecked the queues, else 0.
   */
  async #recheckAfterClockStep(): Promise<number> {
    const isBack = this.#clockSteps.detect() < 0;
    if (isBack) await this.deps.store.queues.recheck(this.deps.now());
    this.#clockSteps.accept();
    return isBack ? 1 : 0;
  }
}
