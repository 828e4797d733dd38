import { isIP } from 'node:net';
import { dnsResolver } from '@tautan/kit';
import {
  ownershipName,
  plainAddress,
  routesByAddress,
  type DnsLook,
  type DomainTarget,
} from '../domain/dns-records.js';

/** Asks the name servers for all that concerns a domain. Resolves within 5 s, whoever answers, or when given up; never rejects. */
export type LookUp = (name: string, giveUp?: AbortSignal) => Promise<DnsLook>;

const ALTOGETHER_MS = 5_000;
const ONE_TRY_MS = 2_000;
const TRIES = 2;
/** Maximum wait for the target's addresses alone: adding a domain waits for them. */
const TARGET_MS = 1_500;

/** Looks names up at `servers`, or at those of the machine. */
export function createLookUp(servers: string[], target: DomainTarget): LookUp {
  return async (name, giveUp) => {
    // One for each look: giving up cancels all that it still asks.
    const resolver = dnsResolver({ servers, timeoutMs: ONE_TRY_MS, tries: TRIES });
    const cancel = () => resolver.cancel();
    const timer = setTimeout(cancel, ALTOGETHER_MS);
    giveUp?.addEventListener('abort', cancel);
    try {
      const [ownership, cname, a, aaaa, own] = await Promise.all([
        values(resolver.resolveTxt(ownershipName(name)).then((texts) => texts.map((parts) => parts.join('')))),
        routesByAddress(name, target) ? [] : values(resolver.resolveCname(name)),
        values(resolver.resolve4(name)),
        values(resolver.resolve6(name)),
        targetAddresses(resolver, target),
      ]);
      return { ownership, cname, a: plain(a), aaaa: plain(aaaa), target: plain(own) };
    } finally {
      clearTimeout(timer);
      giveUp?.removeEventListener('abort', cancel);
    }
  };
}

/** Returns the target's own addresses, or null if no server could say within 1.5 s. Never rejects. */
export type LookUpTarget = () => Promise<string[] | null>;

/** Looks the target's addresses up at `servers`, or at those of the machine. */
export function createTargetLookUp(servers: string[], target: DomainTarget): LookUpTarget {
  return async () => {
    const resolver = dnsResolver({ servers, timeoutMs: TARGET_MS, tries: 1 });
    const timer = setTimeout(() => resolver.cancel(), TARGET_MS);
    const addresses = await targetAddresses(resolver, target);
    clearTimeout(timer);
    return plain(addresses);
  };
}

const plain = (addresses: string[] | null): string[] | null => addresses?.map(plainAddress) ?? null;

async function targetAddresses(
  resolver: ReturnType<typeof dnsResolver>,
  { host, addresses }: DomainTarget,
): Promise<string[] | null> {
  if (addresses.length > 0) return addresses;
  if (isIP(host)) return [host];
  // RFC 6761 6.3: a name of this machine is asked of nobody.
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  const found = await Promise.all([values(resolver.resolve4(host)), values(resolver.resolve6(host))]);
  return found.includes(null) && !found.some((some) => some?.length) ? null : found.flatMap((some) => some ?? []);
}

/** ENODATA: the name has no such record; ENOTFOUND: there is no such name (RFC 2308). */
const absent = ['ENODATA', 'ENOTFOUND'];

/** The values of an answer; none where there are none; null where no server could say. */
async function values(answer: Promise<string[]>): Promise<string[] | null> {
  try {
    return await answer;
  } catch (error) {
    return absent.includes((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  }
}
