import {
  isAddressRange,
  list,
  natsSettings,
  port,
  processSettings,
  readConfig,
  redisSettings,
  rpcSettings,
} from '@tautan/kit';
import { z } from 'zod';

/** Requests per second, `<reads>/<writes>`. */
const rate = (fallback: { reads: number; writes: number }) =>
  z
    .string()
    .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, 'must be <reads per second>/<writes per second>, such as 100/20')
    .transform((text) => {
      const [reads, writes] = text.split('/').map(Number) as [number, number];
      return { reads, writes };
    })
    .default(fallback);

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;
const { RPC_TLS_CA, RPC_TLS_CERT, RPC_TLS_KEY } = rpcSettings;

const schema = z.object({
  ...processSettings,
  ...natsSettings,
  ...redisSettings,
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
  /** Requests per second of a workspace, by plan. */
  RATE_LIMITS_FREE: rate({ reads: 20, writes: 4 }),
  RATE_LIMITS_PRO: rate({ reads: 100, writes: 20 }),
  RATE_LIMITS_BUSINESS: rate({ reads: 500, writes: 100 }),
  /** Requests per second of one client address on public endpoints, and of failed credentials. */
  RATE_LIMIT_PUBLIC: z.coerce.number().int().min(1).max(1_000_000).default(60),
  /** Requests per minute of one client address to sign in, sign up, and what belongs to it. */
  RATE_LIMIT_AUTH: z.coerce.number().int().min(1).max(1_000_000).default(10),
  /** Longest time for a service's answer, milliseconds; imports, bulk actions and exports have their own. */
  RPC_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(3_000),
});

export type GatewayConfig = z.infer<typeof schema>;

/** The gateway's settings. Throws a ConfigError that names every problem at once. */
export const readGatewayConfig = (env: Record<string, string | undefined> = process.env): GatewayConfig =>
  readConfig(schema, env);
