import { isIP } from 'node:net';
import {
  brandSettings,
  dnsSettings,
  flag,
  isAddressRange,
  list,
  mongoSettings,
  natsSettings,
  port,
  processSettings,
  publicAddress,
  readConfig,
  rpcSettings,
  withSecureRpc,
} from '@tautan/kit';
import { planSettings, plansOf } from '@tautan/plans';
import { z } from 'zod';
import { parseDomainName } from './domains/domain/domain-name.js';
import type { FallbackUrls } from './domains/domain/domain-pages.js';
import { domainRules, type DomainRules } from './domains/domain/domain-rules.js';
import { retention, type Retention } from './stats/domain/retention.js';
import { checkUrl, destinationRules } from './links/domain/url.js';

/** The roles of a process: serving gRPC, serving redirects over HTTP, and applying clicks to the statistics. */
export const roles = ['api', 'redirect', 'stats'] as const;
export type Role = (typeof roles)[number];

const DAY_MS = 86_400_000;

const milliseconds = (fallback: number, min = 1, max = 3_600_000) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const count = (fallback: number) => z.coerce.number().int().min(1).max(1_000_000).default(fallback);

/** A maximum per minute; 0: no limit. */
const perMinute = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback);

const days = (fallback: number) => z.coerce.number().int().min(1).max(36_500).default(fallback);

/** A host as in DNS responses: an IP address, or a name in lower case and punycode. */
const host = z.string().transform((text, context) => {
  const name = isIP(text) !== 0 || text === 'localhost' ? text : parseDomainName(text);
  if (name === undefined) context.addIssue({ code: 'custom', message: 'must be a host name or an IP address' });
  return name;
});

const plainSettings = z.object({
  ...processSettings,
  ...mongoSettings('tautan_links'),
  ...natsSettings,
  ...rpcSettings('links'),
  ...dnsSettings,
  ...planSettings,
  ...brandSettings,
  /** Comma-separated: api, redirect, stats. */
  ROLES: list([...roles]).pipe(z.array(z.enum(roles)).min(1)),
  /** Base URL of the default short domain: short URLs are this, a slash and the slug. */
  BASE_URL: publicAddress,
  /** Further hosts of this service (`host` for all ports, or `host:port`) that links may not point to. */
  OWN_HOSTS: list(),
  /** Host name or address that custom domains must point to; default: the host of BASE_URL. */
  DOMAIN_TARGET: host.optional(),
  /** IP addresses of the target, for domains that cannot have a CNAME; default: those that its name resolves to. */
  DOMAIN_ADDRESSES: list().refine((all) => all.every((each) => isIP(each) !== 0), 'must be IP addresses'),
  /** Interval between checks of a verified domain's DNS records. */
  DOMAIN_CHECK_MS: milliseconds(DAY_MS, 1_000, 7 * DAY_MS),
  /** Accepts custom domains under .localhost and verifies them without DNS records. For development. */
  ALLOW_LOCAL_DOMAINS: flag(false),
  /** Target of redirects from `/` of the default domain; default: the landing page. */
  ROOT_URL: z.string().optional(),
  /** Target of redirects from unknown URLs of the default domain; default: the 404 page. */
  NOT_FOUND_URL: z.string().optional(),
  /** Target of redirects from expired and archived links of the default domain; default: the 410 page. */
  EXPIRED_URL: z.string().optional(),
  /** Allows links to loopback and private hosts. */
  ALLOW_PRIVATE_DESTINATIONS: flag(false),
  /** Interval between sweeps for expired links and for domains to check. */
  EXPIRY_SWEEP_MS: milliseconds(10_000, 10),
  /** Port that serves redirects. */
  REDIRECT_PORT: port(8081),
  /** Trusted proxies (X-Forwarded-For): IP addresses or CIDR ranges. */
  TRUSTED_PROXIES: list().refine((ranges) => ranges.every(isAddressRange), 'must be IP addresses or CIDR ranges'),
  /** Requests for unknown slugs per client address and minute. */
  REDIRECT_BUDGET_UNKNOWN: perMinute(300),
  /** Redirects of one link with `maxClicks` (or QR code with `maxScans`) per client address and minute. */
  REDIRECT_BUDGET_LIMITED: perMinute(30),
  /** Ratio of traced redirects, 0 to 1, independent of OTEL_TRACES_SAMPLER. */
  REDIRECT_TRACE_RATIO: z.coerce.number().min(0).max(1).default(0),
  /** Headers by which a trusted edge sends the visitor's country; the first match wins. */
  COUNTRY_HEADERS: list(['cf-ipcountry', 'cloudfront-viewer-country']),
  /** Folder for clicks that are not published yet. */
  SPILL_DIR: z.string().default('.data/clicks'),
  /** Maximum number of cached routes. */
  CACHE_MAX_ENTRIES: z.coerce.number().int().min(1).default(100_000),
  /** Maximum time a click waits for its batch to be sent. */
  CLICK_FLUSH_MS: milliseconds(50),
  /** Maximum number of clicks in a batch. */
  CLICK_FLUSH_MAX: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** Maximum number of tags of a workspace. */
  MAX_TAGS: count(1_000),
  /** Maximum number of unverified custom domains of a workspace. */
  MAX_PENDING_DOMAINS: count(100),
  /** Interval between checks of the usage counters. */
  USAGE_CHECK_MS: milliseconds(3_600_000, 1_000, DAY_MS),
  /** Retention of statistics if the workspace's plan is unknown, days. */
  STATS_RETENTION_DAYS: days(1_095),
  /** Path of a city database in MaxMind format; without it, clicks only have a country. */
  CITY_DATABASE: z.string().optional(),
});
type PlainConfig = z.infer<typeof plainSettings>;

const fallbackNames = ['ROOT_URL', 'NOT_FOUND_URL', 'EXPIRED_URL'] as const;

/**
 * Returns the URL of a setting, or null if it is not set. The URL may have a private host, because an operator sets it,
 * but not a host of this service, because that could cause a redirect loop.
 */
function fallbackUrl(config: PlainConfig, name: (typeof fallbackNames)[number]): string | null {
  const { [name]: url, BASE_URL, OWN_HOSTS } = config;
  return url === undefined ? null : checkUrl(url, destinationRules(BASE_URL, OWN_HOSTS, true), name);
}

const checkedSettings = plainSettings.superRefine((config, context) => {
  for (const name of fallbackNames) {
    try {
      fallbackUrl(config, name);
    } catch {
      const message =
        'must be an http(s) address without credentials, on a host other than those of BASE_URL and OWN_HOSTS';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }
});

/** The settings of this service. */
export const linksSettings = withSecureRpc(checkedSettings, ({ ROLES }) => ROLES.includes('api'));
export type LinksConfig = z.infer<typeof linksSettings>;

/** The environment of the process. Other modules (except tests) do not access `process.env`. */
export const environment: Record<string, string | undefined> = process.env;

/** Reads the settings. Throws a ConfigError that lists all problems. */
export const readLinksConfig = (env: Record<string, string | undefined>): LinksConfig => readConfig(linksSettings, env);

/** Returns the URLs to which visitors of the default domain are redirected where there is no active link. */
export const fallbackUrlsOf = (config: LinksConfig): FallbackUrls => ({
  rootUrl: fallbackUrl(config, 'ROOT_URL'),
  notFoundUrl: fallbackUrl(config, 'NOT_FOUND_URL'),
  expiredUrl: fallbackUrl(config, 'EXPIRED_URL'),
});

/** The requirements of custom domains. */
export const domainRulesOf = (config: LinksConfig): DomainRules =>
  domainRules({
    baseUrl: config.BASE_URL,
    ownHosts: config.OWN_HOSTS,
    target: config.DOMAIN_TARGET,
    addresses: config.DOMAIN_ADDRESSES,
    checkEveryMs: config.DOMAIN_CHECK_MS,
    allowLocal: config.ALLOW_LOCAL_DOMAINS,
  });

/** The retention of statistics. */
export const retentionOf = (config: LinksConfig): Retention => retention(plansOf(config), config.STATS_RETENTION_DAYS);
