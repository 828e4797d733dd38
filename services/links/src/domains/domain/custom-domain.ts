import type { DomainStatus } from '@tautan/proto';
import type { DnsResult } from './dns-records.js';
import type { DomainPages } from './domain-pages.js';

/** A custom domain of a workspace. */
export interface CustomDomain {
  /** dom_… */
  _id: string;
  workspaceId: string;
  /** Lower case; punycode if internationalized. */
  name: string;
  /** Value that the ownership record must contain. */
  token: string;
  /** Links are only served on verified domains. */
  status: DomainStatus;
  /** Result of the last DNS lookup. */
  lastLookup: DnsResult | null;
  lastCheckedAt: Date | null;
  /** Error of the last check; null if there is none. */
  lastError: string | null;
  verifiedAt: Date | null;
  /** Time at which the records of a verified domain were first found to be wrong. */
  failingSince: Date | null;
  /** Time of the next check of a verified domain. */
  nextCheckAt: Date | null;
  /** Number of the workspace's links on it, updated in the transactions that create and delete them. */
  linkCount: number;
  createdAt: Date;
  /** Pages and redirects for visitors; absent until set. */
  pages?: DomainPages | null;
}

/**
 * Time for which the records of a verified domain may be wrong. After that, the domain stops serving, because it may
 * belong to someone else.
 */
export const GRACE_MS = 7 * 86_400_000;

/** The result of a check of a domain's records. */
export interface CheckResult {
  /** unknown: nothing is known to be wrong, but some lookups failed. */
  outcome: 'right' | 'wrong' | 'unknown';
  /** The error; null if there is none. */
  error: string | null;
}

/**
 * Returns a domain after a check of its records. An unverified domain becomes verified or failed. A verified domain
 * stays verified if lookups fail; it becomes failed when a check finds that its records have been wrong for seven days.
 */
export function afterCheck(
  domain: CustomDomain,
  result: DnsResult,
  { outcome, error }: CheckResult,
  { now, checkEveryMs }: { now: Date; checkEveryMs: number },
): CustomDomain {
  const next = { ...domain, lastLookup: result, lastCheckedAt: now, lastError: error };
  const nextCheck = new Date(now.getTime() + checkEveryMs);
  const serving = domain.status === 'verified';
  if (outcome === 'right') {
    const verifiedAt = serving ? domain.verifiedAt : now;
    return { ...next, status: 'verified', verifiedAt, failingSince: null, nextCheckAt: nextCheck };
  }
  if (!serving) return { ...next, status: 'failed' };
  const failingSince = domain.failingSince ?? (outcome === 'wrong' ? now : null);
  const graceEnd = failingSince && new Date(failingSince.getTime() + GRACE_MS);
  if (graceEnd && graceEnd <= now && outcome === 'wrong')
    return { ...next, status: 'failed', failingSince, nextCheckAt: null };
  // The next check is at the end of the grace period at the latest. If the grace period has ended and only lookups
  // failed, the usual interval applies.
  const isGraceEndFirst = graceEnd && graceEnd > now && graceEnd < nextCheck;
  return { ...next, failingSince, nextCheckAt: isGraceEndFirst ? graceEnd : nextCheck };
}
