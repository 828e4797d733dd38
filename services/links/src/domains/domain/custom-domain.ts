import type { DomainStatus } from '@tautan/proto';
import type { DnsLook } from './dns-records.js';
import type { DomainPages } from './domain-pages.js';

/** A workspace's own domain for its links. */
export interface CustomDomain {
  /** dom_… */
  _id: string;
  workspaceId: string;
  /** Lower case, punycode where it is international. */
  name: string;
  /** What its ownership record has to say. */
  token: string;
  /** Links are served under verified ones alone. */
  status: DomainStatus;
  /** What the name servers said at the last look. */
  look: DnsLook | null;
  lastCheckedAt: Date | null;
  /** What the last look missed. */
  lastError: string | null;
  verifiedAt: Date | null;
  /** Since when a verified domain's records are wrong. */
  failingSince: Date | null;
  /** When a verified domain is to be looked at again. */
  nextCheckAt: Date | null;
  /** Links of the workspace on it; changed in the transactions that make and delete them. */
  linkCount: number;
  createdAt: Date;
  /** What visitors see on it; absent until it is set. */
  pages?: DomainPages | null;
}

/** How long a verified domain may be wrong before it stops serving: it may be somebody else's by then. */
export const GRACE_MS = 7 * 86_400_000;

/** What a look at a domain's records amounts to. */
export interface Verdict {
  /** unknown: no name server said that anything is wrong, but not all was answered. */
  outcome: 'right' | 'wrong' | 'unknown';
  /** What is missing; null where all is right. */
  error: string | null;
}

/**
 * A domain after a look at its records. One that was not verified is so now, or failed. One that was stays so through
 * looks without an answer, and until wrong ones have been found over seven days.
 */
export function afterLook(
  domain: CustomDomain,
  look: DnsLook,
  { outcome, error }: Verdict,
  { now, checkEveryMs }: { now: Date; checkEveryMs: number },
): CustomDomain {
  const next = { ...domain, look, lastCheckedAt: now, lastError: error };
  const again = new Date(now.getTime() + checkEveryMs);
  const serving = domain.status === 'verified';
  if (outcome === 'right') {
    const verifiedAt = serving ? domain.verifiedAt : now;
    return { ...next, status: 'verified', verifiedAt, failingSince: null, nextCheckAt: again };
  }
  if (!serving) return { ...next, status: 'failed' };
  const failingSince = domain.failingSince ?? (outcome === 'wrong' ? now : null);
  const over = failingSince && new Date(failingSince.getTime() + GRACE_MS);
  if (over && over <= now && outcome === 'wrong') return { ...next, status: 'failed', failingSince, nextCheckAt: null };
  // Not later than the end of the grace, unless that is over and only an answer is missing.
  return { ...next, failingSince, nextCheckAt: over && over > now && over < again ? over : again };
}
