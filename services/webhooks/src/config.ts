import { z } from 'zod';
import {
  dnsSettings,
  flag,
  list,
  mongoSettings,
  natsSettings,
  planSettings,
  processSettings,
  readConfig,
  rpcSettings,
  sealingSettings,
  withSecureRpc,
} from '@tautan/kit';

const milliseconds = (fallback: number, least: number, most: number) =>
  z.coerce.number().int().min(least).max(most).default(fallback);

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

const plainSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_webhooks'),
  ...natsSettings,
  ...rpcSettings('webhooks'),
  ...sealingSettings,
  ...dnsSettings,
  ...planSettings,
  /** Accepts http and loopback addresses as endpoints: for development alone. */
  ALLOW_LOOPBACK_ENDPOINTS: flag(false),
  /** Ports that endpoints may use; on a loopback address, where those are accepted, any. */
  ENDPOINT_PORTS: list(['80', '443', '8443'])
    .refine((ports) => ports.length > 0 && ports.every(isPort), 'must be ports, such as 80,443')
    .transform((ports) => ports.map(Number)),
  /** Longest time of an attempt, from the look-up of the name to the answer's status. */
  ATTEMPT_TIMEOUT_MS: milliseconds(15_000, 100, 60_000),
  /** How long a replica keeps its queues without renewing its lease; then another one takes over. */
  LEASE_MS: milliseconds(3_000, 500, 300_000),
  /** How often due deliveries are looked for when nothing told of them. */
  POLL_MS: milliseconds(500, 10, 60_000),
  /** Endpoints that one replica works on at once, and as many again whose last attempt failed. */
  ENDPOINTS_AT_ONCE: z.coerce.number().int().min(1).max(10_000).default(500),
  /** Undelivered clicks and scans of one endpoint, beyond which further ones are left out. */
  CLICK_BACKLOG: z.coerce.number().int().min(0).max(10_000_000).default(50_000),
  /** How long deliveries are kept. */
  DELIVERY_RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(30),
  /** Interval of the check that the usage counters equal what exists. */
  USAGE_CHECK_MS: milliseconds(3_600_000, 10, 86_400_000),
});

/** Every setting of this service. */
export const configSchema = withSecureRpc(plainSchema);

export type Config = z.infer<typeof configSchema>;

/** Reads the settings. Throws a ConfigError that names all problems. */
export const readWebhooksConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);
