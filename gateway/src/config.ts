import {
  isAddressRange,
  list,
  natsSettings,
  planSettings,
  port,
  processSettings,
  readConfig,
  redisSettings,
  rpcSettings,
} from '@tautan/kit';
import { z } from 'zod';

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;
const { RPC_TLS_CA, RPC_TLS_CERT, RPC_TLS_KEY } = rpcSettings;

/** Every setting of the gateway. */
export const gatewaySettings = z.object({
  ...processSettings,
  ...natsSettings,
  ...redisSettings,
  ...planSettings,
  /** PEM files; mutual TLS towards the services when all three are set. */
  RPC_TLS_CA,
  RPC_TLS_CERT,
  RPC_TLS_KEY,
  /** Serves the API and its documentation. */
  GATEWAY_PORT: port(3000),
  /** gRPC targets: host:port, or dns:///links-headless:50051 to balance over all its addresses. */
  LINKS_ADDRESS: z.string().min(1),
  WORKSPACES_ADDRESS: z.string().min(1),
  /** Without it there are no webhooks here: their operations answer SERVICE_UNAVAILABLE. */
  WEBHOOKS_ADDRESS: z.string().min(1).optional(),
  /** Likewise of QR codes, and of billing. */
  QR_ADDRESS: z.string().min(1).optional(),
  BILLING_ADDRESS: z.string().min(1).optional(),
  /** The public address: whose pages may use a session, where sign-ins come back to, and for the documentation. */
  BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR ranges, comma-separated. */
  TRUSTED_PROXIES: list().refine((ranges) => ranges.every(isAddressRange), 'must be addresses or CIDR ranges'),
  /** Origins whose pages may call the API, comma-separated; none: no CORS. */
  CORS_ORIGINS: list().refine(
    (origins) => origins.every(isOrigin),
    'must be origins, such as https://app.example.com, without a path',
  ),
  /** Requests per second of one client address on public endpoints, and of failed credentials. */
  RATE_LIMIT_PUBLIC: z.coerce.number().int().min(1).max(1_000_000).default(60),
  /** Requests per minute of one client address to sign in, sign up, and what belongs to it. */
  RATE_LIMIT_AUTH: z.coerce.number().int().min(1).max(1_000_000).default(10),
  /** Requests per second of one client address to the webhook of the payment provider. */
  RATE_LIMIT_PROVIDER: z.coerce.number().int().min(1).max(1_000_000).default(500),
  /** Longest time for a service's answer, milliseconds; imports, bulk actions and exports have their own. */
  RPC_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(3_000),
});

export type GatewayConfig = z.infer<typeof gatewaySettings>;

/** The gateway's settings. Throws a ConfigError that names every problem at once. */
export const readGatewayConfig = (env: Record<string, string | undefined> = process.env): GatewayConfig =>
  readConfig(gatewaySettings, env);
