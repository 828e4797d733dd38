import { newUlid } from '@tautan/kit';
import type { Store } from '../store/index.js';
import type { Queue } from '../store/queues.js';
import { QueueWorker, type WorkerDeps } from './queue-worker.js';
import { createRounds } from './rounds.js';

export interface DelivererOptions {
  pollMs: number;
  leaseMs: number;
  /** Queues in work at once, and as many again whose last attempt failed. */
  endpointsAtOnce: number;
  ready: () => boolean;
}

export type DelivererDeps = Omit<WorkerDeps, 'rounds' | 'crowded' | 'noteFailing'> & { store: Store };

const CLAIM_AT_ONCE = 100;
const HEARTBEATS_PER_LEASE = 4;

/**
 * Takes endpoints' queues that are due, each for as long as it works on it: no other replica works on a queue meanwhile, so
 * that the number of attempts under way for an endpoint holds over all replicas. Endpoints that fail have places of their
 * own, so that however many hang, the others find theirs.
 */
export class Deliverer {
  /** Names this replica in leases. */
  readonly owner = newUlid();
  readonly #held = new Map<string, { worker: QueueWorker; done: Promise<void> }>();
  readonly #workerDeps: WorkerDeps;
  readonly #timers: NodeJS.Timeout[];
  #claiming: Promise<void> | undefined;
  #again = false;
  /** Whether a claim broke off: queues may be this replica's that it does not know of, and whose leases it prolongs. */
  #brokeOff = false;
  #stopped = false;

  constructor(
    private readonly deps: DelivererDeps,
    private readonly options: DelivererOptions,
  ) {
    this.#workerDeps = {
      ...deps,
      rounds: createRounds(deps.store, this.owner, deps.now),
      noteFailing: (id, since) => deps.store.queues.noteFailing(id, this.owner, since),
      crowded: (failing) => this.#room(failing) <= 0,
    };
    this.#timers = [
      setInterval(() => this.#claimSoon(), options.pollMs),
      setInterval(() => void this.#heartbeat(), options.leaseMs / HEARTBEATS_PER_LEASE),
    ];
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
    const running = [...this.#held.values()];
    for (const { worker } of running) worker.stop();
    const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
    await Promise.race([Promise.all(running.map(({ done }) => done)), late]);
    for (const { worker } of running) worker.lose();
    if (this.options.ready()) await this.deps.store.queues.releaseAll(this.owner, this.deps.now());
  }

  #room(failing: boolean): number {
    let inWork = 0;
    for (const { worker } of this.#held.values()) if (worker.failing === failing) inWork += 1;
    return this.options.endpointsAtOnce - inWork;
  }

  /** One claim at a time; what is asked for meanwhile is done once afterwards. */
  #claimSoon(): void {
    if (this.#stopped || !this.options.ready()) return;
    if (this.#claiming) return void (this.#again = true);
    this.#claiming = this.#claim()
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
    for (const queue of await this.deps.store.queues.ownedBy(this.owner)) {
      if (!held.has(queue._id)) this.#begin({ ...queue, leaseUntil: queue.leaseUntil! });
    }
  }

  /** Answers whether there may be more. */
  async #claimSome(failing: boolean): Promise<boolean> {
    const { store, now } = this.deps;
    const limit = Math.min(this.#room(failing), CLAIM_AT_ONCE);
    if (limit <= 0) return false;
    const due = await store.queues.claimable(failing, now(), limit);
    const ids = due.filter((id) => !this.#held.has(id));
    if (ids.length === 0) return false;
    const leaseUntil = new Date(now().getTime() + this.options.leaseMs);
    for (const queue of await store.queues.claim(ids, this.owner, leaseUntil)) this.#begin({ ...queue, leaseUntil });
    return due.length === limit;
  }

  #begin(queue: ConstructorParameters<typeof QueueWorker>[0]): void {
    const worker = new QueueWorker(queue, this.#workerDeps);
    const done = worker.run().then(() => {
      this.#held.delete(queue._id);
      // Whoever waited for the place, or for this very queue, is next.
      if (worker.kicked || this.#room(worker.failing) === 1) this.#claimSoon();
    });
    this.#held.set(queue._id, { worker, done });
  }

  async #heartbeat(): Promise<void> {
    if (!this.options.ready()) return;
    const { store, now, log } = this.deps;
    const held = [...this.#held];
    try {
      const until = new Date(now().getTime() + this.options.leaseMs);
      const renewed = await store.queues.renew(this.owner, until);
      const owned = renewed < held.length ? idsOf(await store.queues.ownedBy(this.owner)) : undefined;
      for (const [id, { worker }] of held) {
        if (!owned || owned.has(id)) worker.renewed(until);
        else worker.lose();
      }
      await store.queues.freeExpired(now());
    } catch (error) {
      log.warn({ err: error }, 'leases could not be prolonged');
    }
  }
}

const idsOf = (queues: Queue[]): Set<string> => new Set(queues.map(({ _id }) => _id));
