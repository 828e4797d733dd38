import { plainAddress, type DomainTarget } from './dns-records.js';

/** The requirements of custom domains. */
export interface DomainRules {
  target: DomainTarget;
  /** Host names of this service, lower case, that nobody may add. */
  own: ReadonlySet<string>;
  /** Time between two looks at a verified domain. */
  checkEveryMs: number;
  /** Whether domains under .localhost are accepted, and verified without DNS records. */
  allowLocal: boolean;
}

/** The rules that follow from the settings. Without a target of its own a domain points to the public address. */
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
  const addresses = settings.addresses.map(plainAddress);
  return {
    target: { host, addresses },
    own: new Set(own),
    checkEveryMs: settings.checkEveryMs,
    allowLocal: settings.allowLocal,
  };
}
