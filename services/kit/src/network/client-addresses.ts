import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../values/lru-size.js';
import { copyString } from '../values/copy-string.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const MAX_CACHED_PEERS = 10_000;

/** The remote end of a connection: its canonical address, and whether it is a trusted proxy. */
interface Peer {
  address: string;
  trusted: boolean;
}

/**
 * Determines client addresses behind proxies. Only the entries of X-Forwarded-For that trusted proxies wrote are
 * trusted: read from the right, the first address that is not a trusted proxy is the client.
 */
export class ClientAddresses {
  readonly #trusted: Range[];
  /**
   * Cache of peers, and of forwarded addresses that may be proxies. The leftmost forwarded address, usually a client,
   * is not cached: there are many clients, and parsing their addresses is cheaper than caching them.
   */
  readonly #peers = new LRUCache<string, Peer>(maxEntries(MAX_CACHED_PEERS));

  /** `trusted`: addresses or CIDR ranges. Throws an Error that names the first invalid one. */
  constructor(trusted: readonly string[]) {
    this.#trusted = trusted.map(range);
  }

  /** Returns whether a remote address is a trusted proxy, whose headers can be trusted. */
  isTrusted(peer: string): boolean {
    return this.#trusted.length > 0 && this.#peer(peer).trusted;
  }

  /** Returns the client's canonical address (IPv4 also for IPv4-mapped IPv6); empty if unknown. */
  of(peer: string, forwardedFor: string): string {
    const { address, trusted } = this.#peer(peer);
    return (trusted && this.#forwarded(forwardedFor)) || address;
  }

  /**
   * Returns the client's address like `of`, but empty if only addresses of trusted proxies are known: all clients of a
   * proxy share its address. A forwarded loopback address belongs to a client on the proxy's machine.
   */
  ownOf(peer: string, forwardedFor: string): string {
    const { address, trusted } = this.#peer(peer);
    if (!trusted) return address;
    const client = parse(this.#forwarded(forwardedFor));
    if (!client || (this.#contains(client) && client.range() !== 'loopback')) return '';
    return client.toString();
  }

  /**
   * Returns the first address from the right that is not a trusted proxy. If there is none before an invalid entry or
   * the end, returns the last address read, or an empty string.
   */
  #forwarded(forwardedFor: string): string {
    if (forwardedFor === '') return '';
    const forwarded = forwardedFor.includes(',') ? forwardedFor.split(',') : [forwardedFor];
    let client = '';
    for (let i = forwarded.length - 1; i >= 0; i -= 1) {
      const next = canonical(forwarded[i]!.trim());
      if (next === '') break;
      client = next;
      if (i === 0 || !this.isTrusted(next)) break;
    }
    return client;
  }

  #peer(text: string): Peer {
    let peer = this.#peers.get(text);
    if (!peer) {
      const address = parse(text);
      // The text may be a slice of a header, which the cache would otherwise retain.
      this.#peers.set(
        copyString(text),
        (peer = { address: address?.toString() ?? '', trusted: this.#contains(address) }),
      );
    }
    return peer;
  }

  #contains(address: Address | undefined): boolean {
    if (!address) return false;
    return this.#trusted.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
  }
}

function range(text: string): Range {
  if (isCidrRange(text)) return ipaddr.parseCIDR(text);
  const address = parse(text);
  if (!address) throw new Error(`TRUSTED_PROXIES: ${text} is neither an address nor a CIDR range.`);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

// Accepts IPv4 only as four decimal parts: proxies never write `127.1` or octal forms.
function parse(text: string): Address | undefined {
  if (text.includes(':') ? !ipaddr.IPv6.isValid(text) : !isIPv4(text)) return undefined;
  return ipaddr.process(text);
}

/** Returns a forwarded address in canonical form; empty if it is not an address. */
function canonical(text: string): string {
  if (isIPv4(text)) return text;
  return parse(withoutPort(text))?.toString() ?? '';
}

/** Removes the port that some proxies write: `1.2.3.4:5678`, `[::1]:5678`. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Returns whether a text is an IP address or a CIDR range. */
export const isAddressRange = (text: string): boolean => isCidrRange(text) || parse(text) !== undefined;

const isCidrRange = (text: string): boolean =>
  ipaddr.isValidCIDR(text) && parse(text.replace(/\/.*/, '')) !== undefined;

/** Limit of an IPv6 /56, the prefix of a site with many clients, as a multiple of the limit of one client. */
export const SITE_FACTOR = 10;

/**
 * Returns the keys for rate limiting a client address: the address itself, or for IPv6 its /64 (one client) and its /56
 * (one site).
 */
export function addressKeys(ip: string): [client: string, site?: string] {
  // The address may be a slice of a header, which the key would otherwise retain.
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return [copyString(ip)];
  const bytes = ipaddr.IPv6.parse(ip).toByteArray();
  return [bytes.slice(0, 8).join(':'), bytes.slice(0, 7).join(':')];
}
