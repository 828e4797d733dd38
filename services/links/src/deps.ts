import { KeyedMutex, type Log } from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import type { Transact } from '@tautan/kit/mongo';
import { forCall as transactionsForCall, type Call } from '@tautan/kit/rpc';
import type { Connection } from 'mongoose';
import { domainRulesOf, type LinksConfig } from './config.js';
import { createDnsLookup, createTargetLookup } from './domains/dns/dns-lookup.js';
import { destinationRules } from './links/domain/url.js';
import { ClickUsageStore } from './stats/store/click-usage.js';
import { createStore } from './store/index.js';
import type { Models } from './store/models.js';
import { StatsStore } from './stats/store/stats.js';
import { usageCounters } from './links/store/usage.js';
import { linkBatcher } from './links/steps/creation/link-batcher.js';
import type { ApiDeps } from './usecase-deps.js';
import { qrRouteBatcher } from './qr-routes/steps/create-qr-routes.js';
import { ServedHosts } from './domains/steps/served-hosts.js';

interface DepsOptions {
  config: LinksConfig;
  models: Models;
  connection: Connection;
  transact: Transact;
  invalidate: ApiDeps['invalidate'];
  log: Log;
  now?: () => Date;
}

/** Creates the dependencies of the api role's use cases. */
export function createDeps({ config, models, connection, now = () => new Date(), ...given }: DepsOptions): ApiDeps {
  const domains = domainRulesOf(config);
  const store = createStore(models, connection);
  const mutex = new KeyedMutex();
  const creation = {
    ...given,
    store,
    plans: plansOf(config),
    usage: usageCounters(models, connection),
    ceilings: { tags: config.MAX_TAGS, pendingDomains: config.MAX_PENDING_DOMAINS },
    baseUrl: config.BASE_URL,
    rules: destinationRules(config.BASE_URL, config.OWN_HOSTS, config.ALLOW_PRIVATE_DESTINATIONS),
    now,
  };
  return {
    ...creation,
    stats: new StatsStore(models),
    clickUsage: new ClickUsageStore(models),
    inOrder: (key, work, signal) => mutex.run(key, work, signal),
    linkBatcher: linkBatcher(creation, mutex),
    qrRouteBatcher: qrRouteBatcher(creation, mutex),
    signal: new AbortController().signal,
    deadline: Infinity,
    servedHosts: new ServedHosts(store),
    domains,
    lookUp: createDnsLookup(config.DNS_SERVERS, domains.target),
    lookUpTarget: createTargetLookup(config.DNS_SERVERS, domains.target),
  };
}

/**
 * Returns the dependencies for one call. No work is started or committed after the caller has canceled the call or its
 * deadline has passed.
 */
export const forCall = (deps: ApiDeps, call: Pick<Call, 'signal' | 'deadline'>): ApiDeps => ({
  ...transactionsForCall(deps, call),
  inOrder: (key, work) => deps.inOrder(key, work, call.signal),
});
