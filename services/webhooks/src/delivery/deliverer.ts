import { inTrace } from '@tautan/kit';
import type { Store } from '../store/index.js';
import type { Queue } from '../store/queues.js';
import { QueueWorker, type WorkerDeps } from './queue-worker.js';
import { ReplicaLease } from './replica-lease.js';
import { createRounds } from './rounds.js';

export interface DelivererOptions {
  pollMs: number;
  leaseMs: number;
  /** Identifies this instance across restarts; null if nothing does. */
  instance: string | null;
  /** Queues in work at once, and as many again whose last attempt failed. */
  endpointsAtOnce: number;
  ready: () => boolean;
}

export type DelivererDeps = Omit<WorkerDeps, 'rounds' | 'crowded' | 'noteFailing' | 'leased'> & { store: Store };

const CLAIM_AT_ONCE = 100;
const HEARTBEATS_PER_LEASE = 6;
const MAX_HEARTBEAT_MS = 500;
/** A step back of the wall clock by more than this is noticed; less is ordinary adjustment. */
const CLOCK_STEP_MS = 1_000;

/**
 * Takes endpoints' queues that are due, each for as long as it works on it: no other replica works on a queue meanwhile, so
 * that the number of attempts under way for an endpoint holds over all replicas. Endpoints that fail have places of their
 * own, so that however many hang, the others find theirs.
 */
export class Deliverer {
  readonly #lease: ReplicaLease;
  readonly #held = new Map<string, { worker: QueueWorker; done: Promise<void> }>();
  readonly #workerDeps: WorkerDeps;
  readonly #timers: NodeJS.Timeout[];
  #claiming: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  /** Wall clock minus monotonic clock at the last heartbeat, milliseconds. */
  #clockOffset = Infinity;
  #again = false;
  /** Whether a claim broke off: queues may be this replica's that it does not know of. */
  #brokeOff = false;
  #stopped = false;

  constructor(
    private readonly deps: DelivererDeps,
    private readonly options: DelivererOptions,
  ) {
    this.#lease = new ReplicaLease(deps.store.replicas, options);
    const owner = (): string => this.#lease.owner ?? '';
    this.#workerDeps = {
      ...deps,
      rounds: createRounds(deps.store, owner, deps.now),
      leased: () => this.leased,
      noteFailing: (id, since) => deps.store.queues.noteFailing(id, owner(), since),
      crowded: (failing) => this.#room(failing) <= 0,
    };
    this.#timers = [
      setInterval(() => (this.#lease.owner === undefined ? this.#heartbeat() : this.#claimSoon()), options.pollMs),
      setInterval(() => this.#heartbeat(), Math.min(options.leaseMs / HEARTBEATS_PER_LEASE, MAX_HEARTBEAT_MS)),
    ];
  }

  /** Whether this replica may begin attempts: no other one can have taken its queues over. */
  get leased(): boolean {
    return this.#lease.held;
  }

  /** Attempts under way, queues in work, and those of them that fail. */
  get load(): { inFlight: number; queues: number; failing: number } {
    const workers = [...this.#held.values()].map(({ worker }) => worker);
    return {
      inFlight: workers.reduce((sum, { inFlight }) => sum + inFlight, 0),
      queues: workers.length,
      failing: workers.filter(({ failing }) => failing).length,
    };
  }

  /** Deliveries to endpoints are due. Answers those that are not in work here. */
  wake(endpointIds: readonly string[]): string[] {
    const others = endpointIds.filter((id) => !this.#held.has(id));
    for (const id of endpointIds) this.#held.get(id)?.worker.wake();
    if (others.length > 0) this.#claimSoon();
    return others;
  }

  /** An endpoint was changed. */
  forget(endpointId: string): void {
    this.#held.get(endpointId)?.worker.forget();
  }

  /**
   * Begins nothing more and waits for what is under way, for at most `withinMs`; what has not ended by then will be
   * attempted again. Gives every queue back.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#claiming;
    await this.#beating;
    const running = [...this.#held.values()];
    for (const { worker } of running) worker.stop();
    const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    await Promise.race([Promise.all(running.map(({ done }) => done)), late]);
    for (const { worker } of running) worker.lose();
    if (!this.options.ready() || this.#lease.owner === undefined) return;
    await this.deps.store.queues.releaseAll([this.#lease.owner], this.deps.now());
    await this.#lease.end();
  }

  #room(failing: boolean): number {
    let inWork = 0;
    for (const { worker } of this.#held.values()) if (worker.failing === failing) inWork += 1;
    return this.options.endpointsAtOnce - inWork;
  }

  /** One claim at a time; what is asked for meanwhile is done once afterwards. */
  #claimSoon(): void {
    if (this.#stopped || !this.leased || !this.options.ready()) return;
    if (this.#claiming) return void (this.#again = true);
    this.#claiming = inTrace(undefined, () => this.#claim())
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'due deliveries wait for the database'))
      .finally(() => {
        this.#claiming = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.#claimSoon();
      });
  }

  async #claim(): Promise<void> {
    if (this.#brokeOff) await this.#adopt();
    this.#brokeOff = true;
    for (const failing of [false, true]) {
      let full = true;
      while (full && !this.#stopped) full = await this.#claimSome(failing);
    }
    this.#brokeOff = false;
  }

  /** Works on the queues that a claim took before it broke off. */
  async #adopt(): Promise<void> {
    // Noted before looking: what is held now may be given back meanwhile.
    const held = new Set(this.#held.keys());
    const owner = this.#lease.owner!;
    const owned = await this.deps.store.queues.ownedBy(owner);
    if (owner !== this.#lease.owner) return;
    for (const queue of owned) if (!held.has(queue._id)) this.#begin(queue);
  }

  /** Answers whether there may be more. */
  async #claimSome(failing: boolean): Promise<boolean> {
    const { store, now } = this.deps;
    const limit = Math.min(this.#room(failing), CLAIM_AT_ONCE);
    if (limit <= 0) return false;
    const due = await store.queues.claimable(failing, now(), limit);
    const ids = due.filter((id) => !this.#held.has(id));
    if (ids.length === 0) return false;
    const owner = this.#lease.owner!;
    const claimed = await store.queues.claim(ids, owner);
    // Lost meanwhile: the queues are released with all others of that owner.
    if (owner !== this.#lease.owner) return false;
    for (const queue of claimed) this.#begin(queue);
    return due.length === limit;
  }

  #begin(queue: Queue): void {
    const worker = new QueueWorker(queue, this.#workerDeps);
    // It serves many events, not only the one that it was woken for.
    const running = inTrace(undefined, () => worker.run());
    const done = running.then(() => {
      this.#held.delete(queue._id);
      // Whoever waited for the place, or for this very queue, is next.
      if (worker.kicked || this.#room(worker.failing) === 1) this.#claimSoon();
    });
    this.#held.set(queue._id, { worker, done });
  }

  #heartbeat(): void {
    if (this.#stopped || !this.options.ready()) return;
    this.#beating ??= this.#beat()
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'the lease could not be renewed'))
      .finally(() => (this.#beating = undefined));
  }

  async #beat(): Promise<void> {
    const renewed = await this.#lease.renew();
    // Without a wait in between: nothing can have begun under the new lease yet.
    for (const { worker } of this.#held.values()) {
      if (renewed) worker.renewed();
      else worker.lose();
    }
    if (!renewed) this.#claimSoon();
    await this.#lease.endAbandoned();
    if ((await this.#releaseOrphans()) + (await this.#recheckAfterClockStep()) > 0) this.#claimSoon();
  }

  /** Releases the queues of replicas that are not registered any more. Returns how many. */
  async #releaseOrphans(): Promise<number> {
    const { store, now, log } = this.deps;
    // In this order: a replica is registered before it owns a queue.
    const owners = await store.queues.owners();
    const registered = await store.replicas.beats();
    const gone = owners.filter((owner) => !registered.has(owner));
    if (gone.length === 0) return 0;
    const released = await store.queues.releaseAll(gone, now());
    log.info({ owners: gone, queues: released }, 'queues of a lost replica are released');
    return released;
  }

  /** Checks every queue once if the clock was set back, or may have been before the start. Returns 1 then. */
  async #recheckAfterClockStep(): Promise<number> {
    const { store, now } = this.deps;
    const at = now();
    const offset = at.getTime() - performance.now();
    const stepped = offset < this.#clockOffset - CLOCK_STEP_MS;
    if (stepped) await store.queues.recheck(at);
    this.#clockOffset = offset;
    return stepped ? 1 : 0;
  }
}
