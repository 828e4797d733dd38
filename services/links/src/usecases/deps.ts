import type { Log, Turns } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { DestinationRules } from '../domain/url.js';
import type { DomainRules } from '../domain/domain-rules.js';
import type { LookUp } from '../dns/look-up.js';
import type { Store } from '../store/index.js';
import type { StatsStore } from '../store/stats.js';
import type { ServedHosts } from './served-hosts.js';

/** All that use cases work with; each takes what it needs of it. */
export interface ApiDeps {
  store: Store;
  stats: StatsStore;
  transact: Transact;
  /** By workspace, for changes that count tags. */
  turns: Turns;
  rules: DestinationRules;
  servedHosts: ServedHosts;
  domains: DomainRules;
  /** Asks name servers what stands under a domain. */
  lookUp: LookUp;
  /** Origin of the default short domain. */
  baseUrl: string;
  /** Tells every redirect replica that what it knows of these keys is no longer right. */
  invalidate(keys: string[]): void;
  now(): Date;
  log: Log;
}
