import type { DomainTarget } from './dns-records.js';
import { canonicalAddress } from './host.js';

/** Which custom domains are accepted, where they must point, and how often they are checked. */
export interface DomainRules {
  target: DomainTarget;
  /** Host names of this service, lower case; they cannot be added. */
  own: ReadonlySet<string>;
  /** Interval between checks of a verified domain, milliseconds. */
  checkEveryMs: number;
  /** Whether domains under .localhost are accepted and verified without DNS records. */
  allowLocal: boolean;
}

/** Returns the rules for the settings. The default target is the host of the base URL. */
export function domainRules(settings: {
  baseUrl: string;
  ownHosts: string[];
  target: string | undefined;
  addresses: string[];
  checkEveryMs: number;
  allowLocal: boolean;
}): DomainRules {
  const base = new URL(settings.baseUrl).hostname.replace(/^\[|\]$/g, '');
  const host = settings.target ?? base;
  const own = [base, host, ...settings.ownHosts.map((each) => new URL(`http://${each}`).hostname)];
  const addresses = settings.addresses.map(canonicalAddress);
  return {
    target: { host, addresses },
    own: new Set(own),
    checkEveryMs: settings.checkEveryMs,
    allowLocal: settings.allowLocal,
  };
}
