import { isIP } from 'node:net';
import { dnsResolver, withInterrupt } from '@tautan/kit';
import { ownershipName, routesByAddress, type DnsResult, type DomainTarget } from '../domain/dns-records.js';
import { canonicalAddress } from '../domain/host.js';

/**
 * Looks up the records of a domain and the addresses of the target. Resolves within 5 s, or when aborted; never
 * rejects.
 */
export type DnsLookup = (name: string, signal?: AbortSignal) => Promise<DnsResult>;

const TIMEOUT_MS = 5_000;
const ATTEMPT_MS = 2_000;
const MAX_ATTEMPTS = 2;
/** Timeout of a lookup of only the target's addresses, milliseconds. Short, because adding a domain waits for it. */
const TARGET_MS = 1_500;

/** Creates a lookup that uses `servers`, or the name servers of the machine. */
export function createDnsLookup(servers: string[], target: DomainTarget): DnsLookup {
  return async (name, signal) => {
    // One resolver per lookup, so that aborting cancels the queries of this lookup only.
    const resolver = dnsResolver({ servers, timeoutMs: ATTEMPT_MS, tries: MAX_ATTEMPTS });
    const cancel = () => resolver.cancel();
    signal?.addEventListener('abort', cancel);
    try {
      const all = Promise.all([
        values(resolver.resolveTxt(ownershipName(name)).then((texts) => texts.map((parts) => parts.join('')))),
        routesByAddress(name, target) ? [] : values(resolver.resolveCname(name)),
        values(resolver.resolve4(name)),
        values(resolver.resolve6(name)),
        targetAddresses(resolver, target),
      ]);
      if (signal?.aborted) cancel();
      const [ownership, cname, ipv4, ipv6, ofTarget] = await withInterrupt(all, TIMEOUT_MS, cancel);
      const [a, aaaa, addresses] = [canonical(ipv4), canonical(ipv6), canonical(ofTarget.addresses)];
      // If not all addresses of the target could be looked up, an address of the domain that is not among the known
      // ones may still belong to the target.
      const areKnown = [...(a ?? []), ...(aaaa ?? [])].every((address) => addresses?.includes(address));
      return { ownership, cname, a, aaaa, target: ofTarget.isComplete || areKnown ? addresses : null };
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
}

/**
 * Returns the target's addresses: those found within 1.5 s, or null if none was found and the lookup of at least
 * one address family failed or timed out. Never rejects.
 */
export type TargetLookup = () => Promise<string[] | null>;

/** Creates a lookup of the target's addresses that uses `servers`, or the name servers of the machine. */
export function createTargetLookup(servers: string[], target: DomainTarget): TargetLookup {
  return async () => {
    const resolver = dnsResolver({ servers, timeoutMs: TARGET_MS, tries: 1 });
    const found = await withInterrupt(targetAddresses(resolver, target), TARGET_MS, () => resolver.cancel());
    return canonical(found.addresses);
  };
}

const canonical = (addresses: string[] | null): string[] | null => addresses?.map(canonicalAddress) ?? null;

/**
 * Returns the target's addresses, and whether those of both families are known. The addresses are null if none was
 * found and the lookup of at least one family failed.
 */
async function targetAddresses(
  resolver: ReturnType<typeof dnsResolver>,
  { host, addresses }: DomainTarget,
): Promise<{ addresses: string[] | null; isComplete: boolean }> {
  if (addresses.length > 0) return { addresses, isComplete: true };
  if (isIP(host)) return { addresses: [host], isComplete: true };
  // Name servers need not know it (RFC 6761, section 6.3).
  if (host === 'localhost') return { addresses: ['127.0.0.1', '::1'], isComplete: true };
  const found = await Promise.all([values(resolver.resolve4(host)), values(resolver.resolve6(host))]);
  const isComplete = !found.includes(null);
  const known = found.flatMap((list) => list ?? []);
  return { addresses: isComplete || known.length > 0 ? known : null, isComplete };
}

/** ENODATA: the name has no such record; ENOTFOUND: the name does not exist (RFC 2308). */
const absent = ['ENODATA', 'ENOTFOUND'];

/** Returns the values of a response: empty if the record does not exist, null if the lookup failed. */
async function values(answer: Promise<string[]>): Promise<string[] | null> {
  try {
    return await answer;
  } catch (error) {
    return absent.includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
}
