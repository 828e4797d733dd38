import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Names of private networks: RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/**
 * Returns whether a host, as normalized by the WHATWG URL parser (IPv4 addresses in dotted form), is not public: a
 * private, loopback, link-local, shared (CGNAT), reserved or multicast address, an IPv6 address that maps or tunnels to
 * IPv4, or a name of a private network, including names without a dot.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = withoutDot(hostname);
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address)) return !isPublicAddress(address);
  return !host.includes('.') || privateName.test(host);
}

function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // ipaddr.js returns `unicast` for every range that it does not know. For public IPv6 addresses, IANA has allocated
  // only 2000::/3.
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/** Returns whether every label of a name has 1 to 63 characters, and the name at most 253 (RFC 1035). */
export function isPossibleName(hostname: string): boolean {
  const host = withoutDot(hostname);
  return host.length <= 253 && host.split('.').every((label) => label.length >= 1 && label.length <= 63);
}

/**
 * Returns whether a host (lower case, IPv6 in brackets) is this machine: RFC 6761, section 6.3; RFC 1122, section
 * 3.2.1.3.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '[::1]' ||
  (host.startsWith('127.') && isIP(host) === 4);

/** Removes the final dot of a fully qualified name. The name without it identifies the same host. */
export const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '');

/** Returns the canonical form of an address (RFC 5952), so that addresses can be compared. */
export const canonicalAddress = (text: string): string => (ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text);
