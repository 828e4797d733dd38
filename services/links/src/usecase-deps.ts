import type { KeyedBatcher, Log } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { UsageCounters } from '@tautan/plans/usage';
import type { Plans } from '@tautan/proto';
import type { LinkView } from './links/domain/view.js';
import type { DestinationRules } from './links/domain/url.js';
import type { DomainRules } from './domains/domain/domain-rules.js';
import type { DnsLookup, TargetLookup } from './domains/dns/dns-lookup.js';
import type { ClickUsageStore } from './stats/store/click-usage.js';
import type { Store } from './store/index.js';
import type { StatsStore } from './stats/store/stats.js';
import type { LinkRequest } from './links/steps/creation/create-links.js';
import type { NewQrRoute } from './qr-routes/steps/create-qr-routes.js';
import type { WrittenQrRoute } from './qr-routes/steps/write-qr-route.js';
import type { ServedHosts } from './domains/steps/served-hosts.js';

/** Limits per workspace that prevent abuse and are not part of a plan. */
export interface Ceilings {
  tags: number;
  /** Unverified custom domains. */
  pendingDomains: number;
}

/** The dependencies of use cases; each picks those that it needs. */
export interface ApiDeps {
  store: Store;
  stats: StatsStore;
  transact: Transact;
  /**
   * Runs one piece of work per key (a link, a QR code, a workspace) at a time, in the order of submission, because
   * concurrent writes to the same documents would abort each other. Throws SERVICE_UNAVAILABLE if the caller of the use
   * case cancels, or the caller's deadline passes, before the work starts.
   */
  inOrder<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Batches concurrent link creations of a workspace. */
  linkBatcher: KeyedBatcher<LinkRequest, LinkView>;
  /** Batches concurrent route creations of new QR codes. */
  qrRouteBatcher: KeyedBatcher<NewQrRoute, WrittenQrRoute>;
  /** Aborted when the caller cancels or its deadline passes. */
  signal: AbortSignal;
  /** Deadline of the call, Unix milliseconds. */
  deadline: number;
  plans: Plans;
  usage: UsageCounters;
  clickUsage: ClickUsageStore;
  ceilings: Ceilings;
  rules: DestinationRules;
  servedHosts: ServedHosts;
  domains: DomainRules;
  /** Looks up the DNS records of a domain. */
  lookUp: DnsLookup;
  /** Looks up the addresses that custom domains must point to. */
  lookUpTarget: TargetLookup;
  /** Origin of the default short domain. */
  baseUrl: string;
  /** Removes these routing keys from the caches of all redirect replicas. */
  invalidate(keys: string[]): void;
  now: () => Date;
  log: Log;
}
