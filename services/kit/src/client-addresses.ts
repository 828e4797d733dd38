import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { standalone } from './standalone.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const REMEMBERED = 10_000;

/** Whoever opened a connection: their address in its shortest form, and whether they are a trusted proxy. */
interface Peer {
  address: string;
  trusted: boolean;
}

/**
 * Finds who a request comes from behind proxies. X-Forwarded-For is believed only as far as trusted proxies wrote it:
 * read from the right, the first address that is none of theirs is the client.
 */
export class ClientAddresses {
  readonly #trusted: Range[];
  /** Peers are few and come again; those whom they forward are many, and cost less to read than to remember. */
  readonly #peers = new LRUCache<string, Peer>({ max: REMEMBERED });

  /** `trusted`: addresses or CIDR ranges. Throws an Error that names the first that is neither. */
  constructor(trusted: readonly string[]) {
    this.#trusted = trusted.map(range);
  }

  /** Whether a peer is a trusted proxy, so that the headers it added can be believed. */
  isTrusted(peer: string): boolean {
    return this.#trusted.length > 0 && this.#peer(peer).trusted;
  }

  /** The client's address in its shortest form (IPv4 even when mapped into IPv6); empty when there is none. */
  of(peer: string, forwardedFor: string): string {
    const { address, trusted } = this.#peer(peer);
    return (trusted && this.#forwarded(forwardedFor)) || address;
  }

  /**
   * The client's address as `of` returns it, but empty where only trusted proxies are known: all clients behind them would
   * share one address. A loopback address that a proxy forwards is a client on the proxy's machine.
   */
  ownOf(peer: string, forwardedFor: string): string {
    const { address, trusted } = this.#peer(peer);
    if (!trusted) return address;
    const client = parse(this.#forwarded(forwardedFor));
    if (!client || (this.#contains(client) && client.range() !== 'loopback')) return '';
    return client.toString();
  }

  /** The first address from the right that is none of a trusted proxy, or the last that can be read; empty when there is none. */
  #forwarded(forwardedFor: string): string {
    if (forwardedFor === '') return '';
    const forwarded = forwardedFor.includes(',') ? forwardedFor.split(',') : [forwardedFor];
    let client = '';
    for (let i = forwarded.length - 1; i >= 0; i -= 1) {
      const next = shortest(forwarded[i]!.trim());
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
      this.#peers.set(text, (peer = { address: address?.toString() ?? '', trusted: this.#contains(address) }));
    }
    return peer;
  }

  #contains(address: Address | undefined): boolean {
    if (!address) return false;
    return this.#trusted.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
  }
}

function range(text: string): Range {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parse(text);
  if (!address) throw new Error(`TRUSTED_PROXIES: ${text} is neither an address nor a CIDR range.`);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

// Four-part only: `127.1` and octal forms are no addresses that a proxy writes.
function parse(text: string): Address | undefined {
  if (text.includes(':') ? !ipaddr.IPv6.isValid(text) : !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  return ipaddr.process(text);
}

/** A forwarded address in its shortest form; empty when it is none. */
function shortest(text: string): string {
  if (isIPv4(text)) return text;
  return parse(withoutPort(text))?.toString() ?? '';
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Whether a text is an IP address or a CIDR range. */
export const isAddressRange = (text: string): boolean => ipaddr.isValidCIDR(text) || parse(text) !== undefined;

/** How many times as much an IPv6 /56 may ask for as one client: it is many sites. */
export const SITE_FACTOR = 10;

/**
 * Returns the keys under which requests of a client address are counted: the address itself, or for IPv6 its /64, which is
 * what one client has, and its /56, which is what many sites have.
 */
export function addressKeys(ip: string): [client: string, site?: string] {
  // The address may be a slice of a header field, which the key would keep in memory.
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return [standalone(ip)];
  const bytes = ipaddr.IPv6.parse(ip).toByteArray();
  return [bytes.slice(0, 8).join(':'), bytes.slice(0, 7).join(':')];
}
