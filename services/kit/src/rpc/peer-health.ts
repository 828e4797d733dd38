import { startInterval } from '../async/interval.js';
import type { Log } from '../telemetry/log.js';
import type { Certificates } from './certificates.js';
import { rpcClient } from './client.js';
import { healthService, isServing } from './health.js';

const CHECK_EVERY_MS = 2_000;
/** Interval of the checks of a peer while it is not ready. */
const RECHECK_EVERY_MS = 250;
const TIMEOUT_MS = 1_000;

/**
 * Checks the health of each peer (grpc.health.v1) for the readiness of this process: every two seconds, and more often
 * while the peer is not ready. Calls to peers never wait for a check.
 */
export class PeerHealth {
  readonly #serving = new Map<string, boolean>();
  readonly #stops: (() => Promise<void>)[];

  /** `addresses`: the address of each peer, by its name. */
  constructor(
    private readonly addresses: Record<string, string>,
    { log, certificates }: { certificates: Certificates | undefined; log: Log },
  ) {
    this.#stops = Object.entries(addresses).map(([name, address]) => {
      const client = rpcClient(healthService, { certificates, address });
      const check = async (): Promise<boolean> => {
        const status = await client.call('Check', {}, { requestId: '', timeoutMs: TIMEOUT_MS }).catch(() => 0);
        this.#note(name, isServing(status), log);
        return !isServing(status);
      };
      void check();
      const checks = startInterval(check, {
        name: `health of ${name}`,
        everyMs: RECHECK_EVERY_MS,
        idleMs: CHECK_EVERY_MS,
        ready: () => true,
        log,
      });
      return () => checks.stop().then(() => client.close());
    });
  }

  /** Returns a readiness check for each peer: whether it was serving when its health was last checked. */
  checks(): Record<string, () => boolean> {
    return Object.fromEntries(
      Object.keys(this.addresses).map((name) => [name, () => this.#serving.get(name) === true]),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
  }

  #note(name: string, serving: boolean, log: Log): void {
    const before = this.#serving.get(name);
    this.#serving.set(name, serving);
    if (before === serving) return;
    if (!serving) log.warn({ peer: name }, 'a peer does not respond or is not ready');
    else if (before === false) log.warn({ peer: name }, 'a peer is ready');
  }
}
