import type { Client } from '@grpc/grpc-js';
import { MAX_DEADLINE_MS } from './deadlines.js';

/**
 * The gRPC client of an address, replaced when it has reached an age, so that names are resolved again and calls reach new
 * replicas. Calls on an earlier client end on it: it is closed when no call can be left.
 */
export class Connections {
  #current: Client;
  #replaceAt: number;
  readonly #retired = new Map<Client, NodeJS.Timeout>();

  /** `maxAgeMs`: milliseconds after which the next call opens new connections. */
  constructor(
    private readonly create: () => Client,
    private readonly maxAgeMs: number,
  ) {
    this.#current = create();
    this.#replaceAt = this.#nextReplacement();
  }

  /** The client for a call that begins now. */
  get current(): Client {
    if (performance.now() >= this.#replaceAt) this.#replace();
    return this.#current;
  }

  close(): void {
    for (const [client, timer] of this.#retired) {
      clearTimeout(timer);
      client.close();
    }
    this.#retired.clear();
    this.#current.close();
  }

  #replace(): void {
    const retired = this.#current;
    const timer = setTimeout(() => {
      this.#retired.delete(retired);
      retired.close();
    }, MAX_DEADLINE_MS);
    this.#retired.set(retired, timer.unref());
    this.#current = this.create();
    this.#replaceAt = this.#nextReplacement();
  }

  /** Within 10 % of the age, so that clients do not all connect at once. */
  #nextReplacement(): number {
    return performance.now() + this.maxAgeMs * (0.9 + Math.random() * 0.2);
  }
}
