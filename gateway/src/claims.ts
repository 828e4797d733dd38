import { fail, newId, newUlid, type Log } from '@tautan/kit';
import type { RpcClient } from '@tautan/kit/rpc';
import type { IdempotencyDefinition } from '@tautan/proto';

/** A lease on an Idempotency-Key: no other process runs a request with this key meanwhile. */
interface Claim {
  claimId: string;
  /** Lifetime of the claim from its start or its last renewal, milliseconds. */
  leaseMs: number;
  /** Start of the call that created the claim, by `performance.now()`. */
  from: number;
}

interface HeldClaim extends Claim {
  lost: AbortController;
  expiry: NodeJS.Timeout | undefined;
}

const RENEW_MS = 500;
const CALL_TIMEOUT_MS = 1_000;

/**
 * The claims of requests with an Idempotency-Key that run in this process. They are renewed while the requests run, so
 * that a claim expires a few seconds after a crash. Their expiry is measured with a monotonic clock.
 */
export class Claims {
  /** Identifies this process to the workspaces service. */
  readonly holder: { process: string; instance?: string };
  readonly #held = new Map<string, HeldClaim>();
  #renewal: NodeJS.Timeout | undefined;
  #release: NodeJS.Timeout | undefined;
  #stopped = false;

  /** `instance` identifies this process across restarts; null if nothing does. */
  constructor(
    private readonly idempotency: RpcClient<IdempotencyDefinition>,
    instance: string | null,
    private readonly log: Log,
  ) {
    this.holder = { process: newUlid(), ...(instance !== null && { instance }) };
  }

  /** Releases the claims of this process's predecessors, once the workspaces service is available. */
  start(): void {
    if (this.holder.instance === undefined || this.#stopped) return;
    this.idempotency.call('ReleaseInstance', this.holder, callOptions()).catch((error: unknown) => {
      this.log.debug({ err: error }, 'the claims of earlier processes of this instance were not released');
      if (!this.#stopped) this.#release = setTimeout(() => this.start(), RENEW_MS).unref();
    });
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#release);
    clearTimeout(this.#renewal);
  }

  /**
   * Runs the work of a request and returns its result. `signal` is aborted as soon as another process may have taken
   * over the claim. Throws SERVICE_UNAVAILABLE if the claim has already expired, and any error that `work` throws.
   */
  async hold<T>(claim: Claim, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (performance.now() >= claim.from + claim.leaseMs) {
      throw fail('SERVICE_UNAVAILABLE', 'The request could not be started in time. Try again.');
    }
    const held: HeldClaim = { ...claim, lost: new AbortController(), expiry: undefined };
    this.#held.set(claim.claimId, held);
    extend(held, claim.from);
    this.#renewSoon();
    try {
      return await work(held.lost.signal);
    } finally {
      clearTimeout(held.expiry);
      this.#held.delete(claim.claimId);
    }
  }

  #renewSoon(): void {
    if (this.#stopped || this.#held.size === 0) return;
    this.#renewal ??= setTimeout(() => {
      void this.#renew().finally(() => {
        this.#renewal = undefined;
        this.#renewSoon();
      });
    }, RENEW_MS).unref();
  }

  async #renew(): Promise<void> {
    const claimIds = [...this.#held.keys()];
    if (claimIds.length === 0) return;
    const from = performance.now();
    try {
      const { lost } = await this.idempotency.call('RenewRequests', { claimIds }, callOptions());
      const ended = new Set(lost);
      for (const held of claimIds.map((id) => this.#held.get(id))) {
        if (held && ended.has(held.claimId)) held.lost.abort();
        else if (held) extend(held, from);
      }
    } catch (error) {
      this.log.warn({ err: error, claims: claimIds.length }, 'claims of running requests were not renewed');
    }
  }
}

const callOptions = () => ({ requestId: newId('req'), timeoutMs: CALL_TIMEOUT_MS });

/**
 * Restarts the lifetime of a claim, counted from the start of the call that created or renewed it. The workspaces
 * service counts from the moment at which it creates or renews the claim, which is later, so it never considers the
 * claim expired before this process does.
 */
function extend(held: HeldClaim, from: number): void {
  clearTimeout(held.expiry);
  held.expiry = setTimeout(() => held.lost.abort(), from + held.leaseMs - performance.now()).unref();
}
