import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 256;

/**
 * Finds who a request comes from behind proxies. X-Forwarded-For is believed only as far as trusted proxies wrote it:
 * read from the right, the first address that is none of theirs is the client.
 */
export class ClientAddresses {
  readonly #trusted: Range[];
  readonly #known = new LRUCache<string, string>({ max: REMEMBERED });
  readonly #peers = new LRUCache<string, boolean>({ max: REMEMBERED });

  /** `trusted`: addresses or CIDR ranges. Throws an Error that names the first that is neither. */
  constructor(trusted: readonly string[]) {
    this.#trusted = trusted.map(range);
  }

  /** Whether a peer is a trusted proxy, so that the headers it added can be believed. */
  isTrusted(peer: string): boolean {
    if (this.#trusted.length === 0) return false;
    let trusted = this.#peers.get(peer);
    if (trusted === undefined) this.#peers.set(peer, (trusted = this.#contains(parse(peer))));
    return trusted;
  }

  /** The client's address in its shortest form (IPv4 even when mapped into IPv6); empty when there is none. */
  of(peer: string, forwardedFor: string): string {
    const believed = forwardedFor !== '' && this.isTrusted(peer) ? forwardedFor : '';
    if (believed.length > LONGEST_REMEMBERED) return this.#find(peer, believed);
    const name = believed === '' ? peer : `${peer},${believed}`;
    let client = this.#known.get(name);
    if (client === undefined) this.#known.set(name, (client = this.#find(peer, believed)));
    return client;
  }

  #find(peer: string, forwardedFor: string): string {
    let nearest = parse(peer);
    for (const text of forwardedFor.split(',').reverse()) {
      if (!this.#contains(nearest)) break;
      const next = parse(withoutPort(text.trim()));
      if (!next) break;
      nearest = next;
    }
    return nearest?.toString() ?? '';
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

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([^:]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Whether a text is an IP address or a CIDR range. */
export const isAddressRange = (text: string): boolean => ipaddr.isValidCIDR(text) || parse(text) !== undefined;
