import { isIP } from 'node:net';
import { dnsResolver, withInterrupt } from '@tautan/kit';
import {
  ownershipName,
  canonicalAddress,
  routesByAddress,
  type DnsResult,
  type DomainTarget,
} from '../domain/dns-records.js';

/** Looks up all records that concern a domain. Returns within 5 s, or when aborted; never rejects. */
export type DnsLookup = (name: string, signal?: AbortSignal) => Promise<DnsResult>;

const TIMEOUT_MS = 5_000;
const ATTEMPT_MS = 2_000;
const MAX_ATTEMPTS = 2;
/** Timeout of a lookup of only the target's addresses, milliseconds. Short, because adding a domain waits for it. */
const TARGET_MS = 1_500;

/** Creates a lookup that uses `servers`, or the name servers of the machine. */
export function createDnsLookup(servers: string[], target: DomainTarget): DnsLookup {
  return async (name, signal) => {
    // One resolver per lookup, so that aborting cancels all of its queries.
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
      const [ownership, cname, a, aaaa, own] = await withInterrupt(all, TIMEOUT_MS, cancel);
      return { ownership, cname, a: canonical(a), aaaa: canonical(aaaa), target: canonical(own) };
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  };
}

/** Returns the target's own addresses, or null if no server responds within 1.5 s. Never rejects. */
export type TargetLookup = () => Promise<string[] | null>;

/** Creates a lookup of the target's addresses that uses `servers`, or the name servers of the machine. */
export function createTargetLookup(servers: string[], target: DomainTarget): TargetLookup {
  return async () => {
    const resolver = dnsResolver({ servers, timeoutMs: TARGET_MS, tries: 1 });
    const addresses = targetAddresses(resolver, target);
    return canonical(await withInterrupt(addresses, TARGET_MS, () => resolver.cancel()));
  };
}

const canonical = (addresses: string[] | null): string[] | null => addresses?.map(canonicalAddress) ?? null;

async function targetAddresses(
  resolver: ReturnType<typeof dnsResolver>,
  { host, addresses }: DomainTarget,
): Promise<string[] | null> {
  if (addresses.length > 0) return addresses;
  if (isIP(host)) return [host];
  // RFC 6761 6.3: resolved locally.
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  const found = await Promise.all([values(resolver.resolve4(host)), values(resolver.resolve6(host))]);
  return found.includes(null) && !found.some((list) => list?.length) ? null : found.flatMap((list) => list ?? []);
}

/** ENODATA: the name has no such record; ENOTFOUND: the name does not exist (RFC 2308). */
const absent = ['ENODATA', 'ENOTFOUND'];

/** Returns the values of a response, empty if the record does not exist, null if no server responded. */
async function values(answer: Promise<string[]>): Promise<string[] | null> {
  try {
    return await answer;
  } catch (error) {
    return absent.includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
}
