import type { Log } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import type { DestinationRules } from '../domain/url.js';
import type { Store } from '../store/index.js';
import type { StatsStore } from '../store/stats.js';
import type { Turns } from '../domain/turns.js';

/** All that use cases work with; each takes what it needs of it. */
export interface ApiDeps {
  store: Store;
  stats: StatsStore;
  transact: Transact;
  /** By workspace, for changes that count tags. */
  turns: Turns;
  rules: DestinationRules;
  /** Origin of the default short domain. */
  baseUrl: string;
  /** Tells every redirect replica that what it knows of these keys is no longer right. */
  invalidate(keys: string[]): void;
  now(): Date;
  log: Log;
}
