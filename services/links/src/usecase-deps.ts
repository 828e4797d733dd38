import type { KeyedBatcher, Log } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { UsageCounters } from '@tautan/kit/usage';
import type { Plans } from '@tautan/proto';
import type { LinkView } from './links/domain/view.js';
import type { DestinationRules } from './links/domain/url.js';
import type { DomainRules } from './domains/domain/domain-rules.js';
import type { LookUp, LookUpTarget } from './domains/dns/look-up.js';
import type { ClickUsageStore } from './stats/store/click-usage.js';
import type { Store } from './store/index.js';
import type { StatsStore } from './stats/store/stats.js';
import type { LinkRequest } from './links/steps/creation/create-links.js';
import type { NewQrRoute } from './qr-routes/usecases/create-qr-routes.js';
import type { WrittenQrRoute } from './qr-routes/steps/write-qr-route.js';
import type { ServedHosts } from './domains/steps/served-hosts.js';

/** Limits that no plan lists and that stop abuse, per workspace. */
export interface Ceilings {
  tags: number;
  /** Custom domains that are not verified. */
  pendingDomains: number;
}

/** All that use cases work with; each takes what it needs of it. */
export interface ApiDeps {
  store: Store;
  stats: StatsStore;
  transact: Transact;
  /**
   * Runs the work of one key (a link, a QR code, a workspace) in the order of the calls: work that writes the same documents
   * would only abort each other in the database. Throws SERVICE_UNAVAILABLE when the call's deadline passes before the work starts.
   */
  inOrder<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Creates the links of a workspace that are requested at about the same time together. */
  linkBatcher: KeyedBatcher<LinkRequest, LinkView>;
  /** Does the same with the routes of new QR codes. */
  qrRouteBatcher: KeyedBatcher<NewQrRoute, WrittenQrRoute>;
  /** Aborted when the caller gave up or its deadline passed. */
  signal: AbortSignal;
  plans: Plans;
  usage: UsageCounters;
  clickUsage: ClickUsageStore;
  ceilings: Ceilings;
  rules: DestinationRules;
  servedHosts: ServedHosts;
  domains: DomainRules;
  /** Asks name servers what stands under a domain. */
  lookUp: LookUp;
  lookUpTarget: LookUpTarget;
  /** Origin of the default short domain. */
  baseUrl: string;
  /** Tells every redirect replica that what it knows of these keys is no longer right. */
  invalidate(keys: string[]): void;
  now: () => Date;
  log: Log;
}
