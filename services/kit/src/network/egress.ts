import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { dnsResolver } from './dns.js';

/** Resolves with all addresses of a host name. Rejects if there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** A connection refused because its address is not on the public Internet. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';

  constructor(hostname: string) {
    super(`${hostname} has no public address`);
    this.name = 'EgressRefused';
  }
}

export interface EgressOptions {
  /** Allows 127.0.0.0/8 and ::1, for development. */
  allowLoopback?: boolean;
  /** Name servers; empty: those of the system. */
  servers?: string[];
  /** Replaces the name servers (tests). */
  resolve?: Resolve;
}

// Ranges that are translated to other networks or not routed, whether or not ipaddr.js reports them as unicast.
const nonPublicRanges = [
  '168.63.129.16/32', // services of the Azure platform, reachable only from Azure virtual machines
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '::/96', // IPv4-compatible, RFC 4291 2.5.5.1
  '::ffff:0:0:0/96', // IPv4-translated, RFC 2765
  '64:ff9b::/96', // NAT64, RFC 6052
  '64:ff9b:1::/48', // local NAT64, RFC 8215
  '100::/64', // discard, RFC 6666
  '2001::/23', // Teredo and other assignments of the IETF, RFC 2928
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '3fff::/20', // documentation, RFC 9637
  '5f00::/16', // segment routing, RFC 9602
  'fec0::/10', // site-local, RFC 3879
].map((range) => ipaddr.parseCIDR(range));
/** The allocated part of IPv6 (RFC 4291, 2.4); the rest is reserved. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
const loopbacks = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function within(address: Address, [range, bits]: [Address, number]): boolean {
  return (
    address.kind() === range.kind() && address.match([range, bits] as [ipaddr.IPv4, number] & [ipaddr.IPv6, number])
  );
}

/** Returns whether an address, in any notation, is public (IANA special-purpose address registries, RFC 6890). */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !within(address, globalUnicast)) return false;
  return !nonPublicRanges.some((range) => within(address, range));
}

function isLoopback(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return loopbacks.some((range) => within(address, range));
}

/** Returns a host without the brackets of an IPv6 literal (RFC 3986, 3.2.2) and without a trailing dot. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
const isLocalName = (hostname: string): boolean => /(^|\.)localhost$/i.test(hostname);

/** Returns whether a host name or address, with or without brackets, is loopback. */
export const isLoopbackHost = (hostname: string): boolean => isLocalName(bare(hostname)) || isLoopback(bare(hostname));

/**
 * Decides which addresses this process may connect to on behalf of users. Names are resolved when connecting, and the
 * connection uses the checked addresses, which prevents DNS rebinding.
 */
export class EgressGuard {
  readonly #allowLoopback: boolean;
  readonly #resolve: Resolve;

  constructor({ allowLoopback = false, servers = [], resolve = resolveByDns(servers) }: EgressOptions = {}) {
    this.#allowLoopback = allowLoopback;
    this.#resolve = resolve;
  }

  /** Returns whether a URL's host may be allowed, as far as can be known without resolving it. */
  mayConnectTo(hostname: string): boolean {
    const host = bare(hostname);
    if (isLocalName(host)) return this.#allowLoopback;
    return !ipaddr.isValid(host) || this.#allows(host);
  }

  /** Returns whether a host is this machine, by name or address. */
  isLoopback(hostname: string): boolean {
    return isLoopbackHost(hostname);
  }

  /** Resolves with the allowed addresses of a host. Rejects with EgressRefused if there is none. */
  async addressesOf(hostname: string): Promise<string[]> {
    const host = bare(hostname);
    // RFC 6761, 6.3: never query DNS for localhost names.
    const all = ipaddr.isValid(host)
      ? [ipaddr.parse(host).toString()]
      : isLocalName(host)
        ? ['127.0.0.1', '::1']
        : await this.#resolve(host);
    const allowed = all.filter((address) => this.#allows(address));
    if (allowed.length === 0) throw new EgressRefused(host);
    return allowed;
  }

  /** A `lookup` for net.connect and tls.connect, which call it only for names. Check addresses with `mayConnectTo`. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.addressesOf(hostname).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4 }));
        if (options.all) callback(null, all);
        else callback(null, all[0]!.address, all[0]!.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };

  #allows(address: string): boolean {
    return isPublicAddress(address) || (this.#allowLoopback && isLoopback(address));
  }
}

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/** Queries A and AAAA records. Concurrent queries for the same name are shared. */
function resolveByDns(servers: string[]): Resolve {
  const resolver = dnsResolver({ servers, timeoutMs: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const pending = new Map<string, Promise<string[]>>();
  const queryAll = async (hostname: string): Promise<string[]> => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failure = answers.find((answer) => answer.status === 'rejected');
    if (addresses.length === 0 && failure) throw failure.reason;
    return addresses;
  };
  return (hostname) => {
    const known = pending.get(hostname);
    if (known) return known;
    const query = queryAll(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, query);
    return query;
  };
}
