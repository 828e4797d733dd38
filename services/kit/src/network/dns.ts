import { Resolver } from 'node:dns/promises';
import { list } from '../config/config.js';

/** Settings of a process that resolves host names that users enter. */
export const dnsSettings = {
  /** Comma-separated name servers, each an address with an optional port; empty: those of the system. */
  DNS_SERVERS: list().refine(
    areNameServers,
    'must be addresses of name servers, such as 192.0.2.53 or [2001:db8::53]:53',
  ),
};

export interface DnsOptions {
  /** Name servers; empty: those of the system. */
  servers: string[];
  /** Timeout of one query, milliseconds. */
  timeoutMs: number;
  /** Number of attempts per server. */
  tries: number;
}

/**
 * Creates a resolver that does not use getaddrinfo: a name server that does not respond would block its few threads.
 */
export function dnsResolver({ servers, timeoutMs, tries }: DnsOptions): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}

function areNameServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}
