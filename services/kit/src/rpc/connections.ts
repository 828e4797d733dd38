import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { connectivityState, type Client } from '@grpc/grpc-js';
import type { Certificates } from './certificates.js';

/** Time within which new connections must be established to replace those in use, milliseconds. */
const CONNECT_MS = 20_000;
/** Interval between two lookups of a name, milliseconds. */
const LOOKUP_MS = 10_000;

export interface ConnectionsOptions {
  create: () => Client;
  /** Milliseconds after which the next call opens new connections. */
  maxAgeMs: number;
  /** Host name whose addresses are looked up every few seconds. */
  name?: string | undefined;
  certificates?: Pick<Certificates, 'onChange'> | undefined;
}

/** A client with the number of its active calls. */
export interface CountedClient {
  readonly client: Client;
  calls: number;
}

/**
 * The gRPC client of an address. It is replaced when the certificates change, when the addresses of the name change
 * (gRPC itself resolves a name again only when it loses a connection), and at a maximum age, because replicas behind a
 * load balancer change unnoticed. If the old client is connected, it is used until the new one is connected too. The
 * old client is closed after its last call.
 */
export class Connections {
  #current: CountedClient;
  #next: Client | undefined;
  #replaceAt: number;
  #addresses: string[] | undefined;
  readonly #retired = new Set<CountedClient>();
  readonly #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly options: ConnectionsOptions) {
    const { name, certificates } = options;
    if (name !== undefined) void this.#watch(name);
    this.#current = { client: options.create(), calls: 0 };
    this.#replaceAt = this.#nextReplacement();
    this.#unsubscribe = certificates?.onChange(() => this.#replace());
  }

  /** Returns a client for a call. Call `release` when the call has ended. */
  acquire(): CountedClient {
    if (performance.now() >= this.#replaceAt) this.#replace();
    this.#current.calls += 1;
    return this.#current;
  }

  release(counted: CountedClient): void {
    counted.calls -= 1;
    if (counted.calls === 0 && this.#retired.delete(counted)) counted.client.close();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#next?.close();
    this.#next = undefined;
    for (const { client } of [...this.#retired, this.#current]) client.close();
    this.#retired.clear();
  }

  /** Looks up the name at regular intervals, and replaces the client if the addresses have changed. */
  async #watch(name: string): Promise<void> {
    const addresses = await addressesOf(name);
    if (this.#isClosed) return;
    const isChanged = this.#addresses && addresses && !isDeepStrictEqual(addresses, this.#addresses);
    this.#addresses = addresses ?? this.#addresses;
    if (isChanged) this.#replace();
    this.#timer = setTimeout(() => void this.#watch(name), LOOKUP_MS).unref();
  }

  #replace(): void {
    this.#replaceAt = this.#nextReplacement();
    this.#next?.close();
    const next = (this.#next = this.options.create());
    if (this.#current.client.getChannel().getConnectivityState(false) !== connectivityState.READY)
      return this.#use(next);
    next.waitForReady(Date.now() + CONNECT_MS, (error) => {
      if (this.#next !== next) return; // Closed or replaced in the meantime.
      if (!error) return this.#use(next);
      this.#next = undefined;
      next.close();
      this.#replaceAt = performance.now();
    });
  }

  #use(client: Client): void {
    const { client: previous, calls } = this.#current;
    if (calls === 0) previous.close();
    else this.#retired.add(this.#current);
    this.#next = undefined;
    this.#current = { client, calls: 0 };
  }

  /** Returns the time of the next replacement, with 10% jitter, so that clients do not reconnect at the same time. */
  #nextReplacement(): number {
    return performance.now() + this.options.maxAgeMs * (0.9 + Math.random() * 0.2);
  }
}

let lookups: Promise<unknown> = Promise.resolve();

/** Returns a name's addresses, or undefined if it cannot be resolved now. */
function addressesOf(name: string): Promise<string[] | undefined> {
  const lookUp = async (): Promise<string[]> =>
    (await dns.lookup(name, { all: true })).map(({ address }) => address).sort();
  // One lookup at a time, so that a silent name server does not block all threads of getaddrinfo.
  const lookup = lookups.then(lookUp).catch(() => undefined);
  lookups = lookup;
  return lookup;
}

/** Returns the host name of a gRPC target that has one: host:port, dns:host:port or dns:///host:port. */
export function nameOf(target: string): string | undefined {
  const [, host = ''] = /^(?:dns:(?:\/\/[^/]*\/)?)?([^:/[\]]+)(?::\d+)?$/.exec(target) ?? [];
  return host === '' || isIP(host) !== 0 ? undefined : host;
}
