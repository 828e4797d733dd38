import { z } from 'zod';
import {
  dnsSettings,
  flag,
  list,
  mongoSettings,
  natsSettings,
  processSettings,
  readConfig,
  rpcSettings,
  sealingSettings,
  withSecureRpc,
} from '@tautan/kit';
import { planSettings } from '@tautan/plans';

const milliseconds = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

const plainSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_webhooks'),
  ...natsSettings,
  ...rpcSettings('webhooks'),
  ...sealingSettings,
  ...dnsSettings,
  ...planSettings,
  /** Also accepts endpoints at loopback addresses, with http or https. For development only. */
  ALLOW_LOOPBACK_ENDPOINTS: flag(false),
  /** Ports that endpoints may use. Loopback endpoints, where accepted, may use any port. */
  ENDPOINT_PORTS: list(['80', '443', '8443'])
    .refine((ports) => ports.length > 0 && ports.every(isPort), 'must be ports, such as 80,443')
    .transform((ports) => ports.map(Number)),
  /** Timeout of an attempt, from the DNS lookup to the response headers. */
  ATTEMPT_TIMEOUT_MS: milliseconds(15_000, 100, 60_000),
  /** Time without renewal after which a replica's lease on its delivery queues ends. */
  LEASE_MS: milliseconds(3_000, 500, 300_000),
  /**
   * Interval at which an active replica polls for due deliveries. Polling also finds those whose notification was lost.
   * An idle replica checks less often.
   */
  POLL_MS: milliseconds(500, 10, 60_000),
  /**
   * Maximum number of healthy endpoints that a replica delivers to at once. In addition, the replica delivers to at
   * most the same number of failing endpoints.
   */
  ENDPOINTS_AT_ONCE: z.coerce.number().int().min(1).max(10_000).default(500),
  /** While an endpoint has at least this number of pending deliveries, clicks and scans are not queued for it. */
  CLICK_BACKLOG: z.coerce.number().int().min(0).max(10_000_000).default(50_000),
  /** Retention period of deliveries. */
  DELIVERY_RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(30),
  /** Interval of the usage counter check. */
  USAGE_CHECK_MS: milliseconds(3_600_000, 10, 86_400_000),
});

/** All settings of this service. */
export const configSchema = withSecureRpc(plainSchema);

export type Config = z.infer<typeof configSchema>;

/** Reads the settings. Throws a ConfigError that lists all problems. */
export const readWebhooksConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);
