import {
  mongoSettings,
  natsSettings,
  processSettings,
  publicAddress,
  readConfig,
  rpcAddress,
  rpcSettings,
  withSecureRpc,
} from '@tautan/kit';
import { planSettings } from '@tautan/plans';
import { z } from 'zod';

const milliseconds = (fallback: number, min: number) =>
  z.coerce.number().int().min(min).max(3_600_000).default(fallback);

const plainSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_qr'),
  ...natsSettings,
  ...rpcSettings('qr'),
  ...planSettings,
  /** The link service, which redirects scans and counts them: host:port, or a gRPC target. */
  LINKS_ADDRESS: rpcAddress,
  /** Public origin, used in QR codes and in the URLs of images. */
  BASE_URL: publicAddress,
  /** Lifetime of download tokens. */
  DOWNLOAD_TOKEN_HOURS: z.coerce.number().min(0.001).max(8_760).default(24),
  /** Maximum memory for cached images, MiB. */
  IMAGE_CACHE_MIB: z.coerce.number().int().min(1).max(4_096).default(64),
  /** Interval between searches for QR codes that have reached a limit. */
  EXPIRY_SWEEP_MS: milliseconds(10_000, 10),
  /** Interval between comparisons of QR codes with their links. */
  FOLLOW_SWEEP_MS: milliseconds(3_600_000, 10),
  /**
   * Interval between searches for unfinished creations, changes and deletions: at most a quarter of LEASE_MS and of
   * ABANDONED_MS. After a search that found none, the next one starts after 5 s, or after this interval if it is longer.
   */
  SWEEP_MS: milliseconds(1_000, 10),
  /** Lease of a process on a QR code. Must exceed the maximum response time of the link service. */
  LEASE_MS: milliseconds(5_000, 100),
  /** Age at which an unfinished creation is undone. */
  ABANDONED_MS: milliseconds(60_000, 100),
  /** Maximum number of logos in a workspace, regardless of its plan. */
  MAX_LOGOS: z.coerce.number().int().min(1).max(100_000).default(500),
  /** Time from the latest upload or last use of a logo until it is deleted, days. */
  UNUSED_LOGO_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  /** Interval between searches for unused logos. */
  LOGO_SWEEP_MS: milliseconds(3_600_000, 10),
  /** Interval between checks of the usage counters. */
  USAGE_CHECK_MS: milliseconds(3_600_000, 10),
});

/** All settings of this service. */
export const configSchema = withSecureRpc(plainSchema).refine(
  ({ SWEEP_MS, LEASE_MS, ABANDONED_MS }) => SWEEP_MS <= Math.min(LEASE_MS, ABANDONED_MS) / 4,
  {
    path: ['SWEEP_MS'],
    // `LeaseWatch` finds that a lease has ended only if searches start less than half a lease apart. The limit is a
    // quarter, because the time between their starts includes the duration of a search.
    error: 'must be at most a quarter of LEASE_MS and of ABANDONED_MS',
  },
);

export type Config = z.infer<typeof configSchema>;

/** Reads the settings. Throws a ConfigError that lists all problems. */
export const readQrConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);
