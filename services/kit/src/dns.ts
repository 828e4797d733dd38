import { Resolver } from 'node:dns/promises';
import { list } from './config.js';

/** Settings of a process that asks for names of others. */
export const dnsSettings = {
  /** Name servers, comma-separated, each an address with or without a port; none: those of the machine. */
  DNS_SERVERS: list().refine(
    areNameServers,
    'must be addresses of name servers, such as 192.0.2.53 or [2001:db8::53]:53',
  ),
};

export interface DnsOptions {
  /** Name servers to ask; empty: those of the machine. */
  servers: string[];
  /** Longest wait for one answer of one server, milliseconds, and how often each is asked. */
  timeoutMs: number;
  tries: number;
}

/** Asks name servers itself: not by getaddrinfo, whose few threads one silent name server would hold up for everybody. */
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
