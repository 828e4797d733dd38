import { flag, list, mongoSettings, natsSettings, port, processSettings, readConfig, rpcSettings } from '@tautan/kit';
import { z } from 'zod';
import type { Retention } from './domain/stats/retention.js';

/** What a process of this service does: gRPC for the gateway, redirects over HTTP, applying clicks. */
export const roles = ['api', 'redirect', 'stats'] as const;
export type Role = (typeof roles)[number];

const milliseconds = (fallback: number, min = 1) => z.coerce.number().int().min(min).max(3_600_000).default(fallback);

const days = (fallback: number) => z.coerce.number().int().min(1).max(36_500).default(fallback);

const publicAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .refine((text) => new URL(text).href === `${new URL(text).origin}/`, 'must be a host alone, without a path')
  .transform((text) => new URL(text).origin);

/** Every setting of this service. */
export const linksSettings = z.object({
  ...processSettings,
  ...mongoSettings('tautan_links'),
  ...natsSettings,
  ...rpcSettings,
  /** Comma-separated: api, redirect, stats. */
  ROLES: list([...roles]).pipe(z.array(z.enum(roles)).min(1)),
  /** Public address of the default short domain: a link's short URL is this, a slash and the slug. */
  BASE_URL: publicAddress,
  /** Further hosts of this service (`host` for all its ports, or `host:port`) that no link may lead to. */
  OWN_HOSTS: list(),
  /** Lets links lead to loopback and private hosts. */
  ALLOW_PRIVATE_DESTINATIONS: flag(false),
  /** Time between two searches for links that have expired. */
  EXPIRY_SWEEP_MS: milliseconds(10_000, 10),
  /** Serves redirects. */
  REDIRECT_PORT: port(8081),
  /** Proxies (addresses or CIDR ranges) whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: list(),
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
  /** Days that statistics are kept, by the plan of the workspace; STATS_RETENTION_DAYS where that is not known. */
  STATS_RETENTION_DAYS: days(1_095),
  STATS_RETENTION_DAYS_FREE: days(30),
  STATS_RETENTION_DAYS_PRO: days(365),
  STATS_RETENTION_DAYS_BUSINESS: days(1_095),
  /** A city database in MaxMind's format; without it clicks have a country alone. */
  CITY_DATABASE: z.string().optional(),
});
export type LinksConfig = z.infer<typeof linksSettings>;

/** The process's environment; the only place of this service that reads it. */
export const environment: Record<string, string | undefined> = process.env;

/** Reads the settings. Throws a ConfigError that names all problems at once. */
export const readLinksConfig = (env: Record<string, string | undefined>): LinksConfig => readConfig(linksSettings, env);

/** How long statistics are kept. */
export const retentionOf = (config: LinksConfig): Retention => ({
  FREE: config.STATS_RETENTION_DAYS_FREE,
  PRO: config.STATS_RETENTION_DAYS_PRO,
  BUSINESS: config.STATS_RETENTION_DAYS_BUSINESS,
  other: config.STATS_RETENTION_DAYS,
});
