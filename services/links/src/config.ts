import { isIP } from 'node:net';
import { dnsSettings, flag, list, mongoSettings, natsSettings, plansOf, planSettings, port, processSettings, publicAddress, readConfig, rpcSettings, withSecureRpc } from '@tautan/kit'; // prettier-ignore
import { z } from 'zod';
import { parseDomainName } from './domain/domain-name.js';
import { domainRules, type DomainRules } from './domain/domain-rules.js';
import { retention, type Retention } from './domain/stats/retention.js';

/** What a process of this service does: gRPC for the gateway, redirects over HTTP, applying clicks. */
export const roles = ['api', 'redirect', 'stats'] as const;
export type Role = (typeof roles)[number];

const DAY_MS = 86_400_000;

const milliseconds = (fallback: number, min = 1, max = 3_600_000) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const count = (fallback: number) => z.coerce.number().int().min(1).max(1_000_000).default(fallback);

/** A budget per minute; 0 switches it off. */
const perMinute = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback);

const days = (fallback: number) => z.coerce.number().int().min(1).max(36_500).default(fallback);

/** A host as DNS answers have it: an address, or a name in lower case and punycode. */
const host = z.string().transform((text, context) => {
  const name = isIP(text) !== 0 || text === 'localhost' ? text : parseDomainName(text);
  if (name === undefined) context.addIssue({ code: 'custom', message: 'must be a host name or an address' });
  return name;
});

const plainSettings = z.object({
  ...processSettings,
  ...mongoSettings('tautan_links'),
  ...natsSettings,
  ...rpcSettings('links'),
  ...dnsSettings,
  ...planSettings,
  /** Comma-separated: api, redirect, stats. */
  ROLES: list([...roles]).pipe(z.array(z.enum(roles)).min(1)),
  /** Public address of the default short domain: a link's short URL is this, a slash and the slug. */
  BASE_URL: publicAddress,
  /** Further hosts of this service (`host` for all its ports, or `host:port`) that no link may lead to. */
  OWN_HOSTS: list(),
  /** Host name (or address) that custom domains have to point to; without it the host of BASE_URL. */
  DOMAIN_TARGET: host.optional(),
  /** Addresses of that target, for domains that cannot have a CNAME; without them what its name resolves to. */
  DOMAIN_ADDRESSES: list().refine((all) => all.every((each) => isIP(each) !== 0), 'must be addresses'),
  /** Time between two looks at the DNS records of a verified domain. */
  DOMAIN_CHECK_MS: milliseconds(DAY_MS, 1_000, 7 * DAY_MS),
  /** Lets links lead to loopback and private hosts. */
  ALLOW_PRIVATE_DESTINATIONS: flag(false),
  /** Time between two searches for links that have expired. */
  EXPIRY_SWEEP_MS: milliseconds(10_000, 10),
  /** Serves redirects. */
  REDIRECT_PORT: port(8081),
  /** Proxies (addresses or CIDR ranges) whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: list(),
  /** Requests for unknown slugs per client address and minute. */
  REDIRECT_BUDGET_UNKNOWN: perMinute(300),
  /** Redirects per client address, link with `maxClicks` (or QR code with `maxScans`) and minute. */
  REDIRECT_BUDGET_LIMITED: perMinute(30),
  /** Share of redirects that are traced, 0 to 1, whatever OTEL_TRACES_SAMPLER says. */
  REDIRECT_TRACE_RATIO: z.coerce.number().min(0).max(1).default(0),
  /** Headers of a trusted edge that name the visitor's country, first match wins. */
  COUNTRY_HEADERS: list(['cf-ipcountry', 'cloudfront-viewer-country']),
  /** Folder for clicks that the bus did not take yet. */
  SPILL_DIR: z.string().default('.data/clicks'),
  /** Prepared answers kept in memory. */
  CACHE_MAX_ENTRIES: z.coerce.number().int().min(1).default(100_000),
  /** Longest time that a click waits for its batch to leave. */
  CLICK_FLUSH_MS: milliseconds(50),
  /** Clicks of a partition that leave at once. */
  CLICK_FLUSH_MAX: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** Maximum number of tags of a workspace. */
  MAX_TAGS: count(1_000),
  /** Maximum number of custom domains of a workspace that are not verified. */
  MAX_PENDING_DOMAINS: count(100),
  /** Time between two checks of the usage counters. */
  USAGE_CHECK_MS: milliseconds(3_600_000, 1_000, DAY_MS),
  /** Days that statistics are kept where the plan of the workspace is not known. */
  STATS_RETENTION_DAYS: days(1_095),
  /** A city database in MaxMind's format; without it clicks have a country alone. */
  CITY_DATABASE: z.string().optional(),
});
/** Every setting of this service. */
export const linksSettings = withSecureRpc(plainSettings, ({ ROLES }) => ROLES.includes('api'));
export type LinksConfig = z.infer<typeof linksSettings>;

/** The process's environment; the only place of this service that reads it. */
export const environment: Record<string, string | undefined> = process.env;

/** Reads the settings. Throws a ConfigError that names all problems at once. */
export const readLinksConfig = (env: Record<string, string | undefined>): LinksConfig => readConfig(linksSettings, env);

/** What custom domains are held to. */
export const domainRulesOf = (config: LinksConfig): DomainRules =>
  domainRules({
    baseUrl: config.BASE_URL,
    ownHosts: config.OWN_HOSTS,
    target: config.DOMAIN_TARGET,
    addresses: config.DOMAIN_ADDRESSES,
    checkEveryMs: config.DOMAIN_CHECK_MS,
  });

/** How long statistics are kept. */
export const retentionOf = (config: LinksConfig): Retention => retention(plansOf(config), config.STATS_RETENTION_DAYS);
