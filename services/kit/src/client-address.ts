import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Finds the address of the client of a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** Whether a text is an IP address or a CIDR range. */
export const isAddressRange = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

/**
 * Reads the client's address: the connection's own, unless that is a trusted proxy (addresses or CIDR ranges): then the
 * last address in X-Forwarded-For that is not a trusted proxy. What stands left of it was written by the client and is
 * not believed. IPv4 in IPv6 comes out as IPv4.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: Address): boolean =>
    ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  return ({ headers, socket }) => {
    let client = parse(socket.remoteAddress ?? '');
    if (!client) return 'unknown';
    if (ranges.length === 0) return client.toString();
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    while (isTrusted(client)) {
      const hop = parse(hops.pop()?.trim() ?? '');
      if (!hop) break;
      client = hop;
    }
    return client.toString();
  };
}

function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function parseRange(text: string): [Address, number] {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
