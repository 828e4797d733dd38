import {
  mongoSettings,
  natsSettings,
  planSettings,
  processSettings,
  publicAddress,
  readConfig,
  rpcAddress,
  rpcSettings,
  withSecureRpc,
} from '@tautan/kit';
import { z } from 'zod';

const milliseconds = (fallback: number, least: number) =>
  z.coerce.number().int().min(least).max(3_600_000).default(fallback);

const plainSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_qr'),
  ...natsSettings,
  ...rpcSettings('qr'),
  ...planSettings,
  /** The link service, which redirects scans and counts them: host:port, or a gRPC target. */
  LINKS_ADDRESS: rpcAddress,
  /** The public address, for the addresses of images. */
  BASE_URL: publicAddress,
  /** How long a download token is good for. */
  DOWNLOAD_TOKEN_HOURS: z.coerce.number().min(0.001).max(8_760).default(24),
  /** Most memory for images that were drawn of late, MiB. */
  IMAGE_CACHE_MIB: z.coerce.number().int().min(1).max(4_096).default(64),
  /** Time between two searches for QR codes that have expired. */
  EXPIRY_SWEEP_MS: milliseconds(10_000, 10),
  /** Interval of the comparison of QR codes with their links. */
  FOLLOW_SWEEP_MS: milliseconds(3_600_000, 10),
  /** Time between two searches for what was left: changes and removals that nobody carries out any more. */
  SWEEP_MS: milliseconds(1_000, 10),
  /** How long whoever is at work on a QR code has it alone; longer than an answer of the link service can take. */
  LEASE_MS: milliseconds(5_000, 100),
  /** Age at which a QR code that was begun and never finished is given up. */
  ABANDONED_MS: milliseconds(60_000, 100),
  /** Maximum number of logos in a workspace, whatever its plan. */
  MAX_LOGOS: z.coerce.number().int().min(1).max(100_000).default(500),
  /** Age at which a logo that no QR code uses is deleted, days. */
  UNUSED_LOGO_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  /** Interval of the search for unused logos. */
  LOGO_SWEEP_MS: milliseconds(3_600_000, 10),
  /** Interval of the check that the usage counters equal what exists. */
  USAGE_CHECK_MS: milliseconds(3_600_000, 10),
});

/** Every setting of this service. */
export const configSchema = withSecureRpc(plainSchema);

export type Config = z.infer<typeof configSchema>;

/** Reads the settings. Throws a ConfigError that names all problems. */
export const readQrConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);
