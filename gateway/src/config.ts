import {
  brandSettings,
  isAddressRange,
  list,
  natsSettings,
  port,
  processSettings,
  publicAddress,
  readConfig,
  redisSettings,
  rpcAddress,
  rpcTlsSettings,
  withSecureRpc,
} from '@tautan/kit';
import { planSettings } from '@tautan/plans';
import { z } from 'zod';

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const plainSchema = z.object({
  ...processSettings,
  ...natsSettings,
  ...redisSettings,
  ...planSettings,
  ...brandSettings,
  ...rpcTlsSettings,
  /** Port of the API and its documentation. */
  GATEWAY_PORT: port(3000),
  /** Addresses of services: host:port, or gRPC targets such as dns:///links-headless:50051. */
  LINKS_ADDRESS: rpcAddress,
  WORKSPACES_ADDRESS: rpcAddress,
  /** If unset, webhook operations respond with SERVICE_UNAVAILABLE. */
  WEBHOOKS_ADDRESS: rpcAddress.optional(),
  /** If unset, QR code operations respond with SERVICE_UNAVAILABLE. */
  QR_ADDRESS: rpcAddress.optional(),
  /** If unset, billing operations respond with SERVICE_UNAVAILABLE. */
  BILLING_ADDRESS: rpcAddress.optional(),
  /** Origin of pages that may use sessions, base of sign-in redirects, and server in the OpenAPI document. */
  BASE_URL: publicAddress.optional(),
  /** Trusted proxies (X-Forwarded-For): comma-separated addresses or CIDR ranges. */
  TRUSTED_PROXIES: list().refine((ranges) => ranges.every(isAddressRange), 'must be IP addresses or CIDR ranges'),
  /** Comma-separated origins that may call the API from browsers; empty: CORS is disabled. */
  CORS_ORIGINS: list().refine(
    (origins) => origins.every(isOrigin),
    'must be origins, such as https://app.example.com, without a path',
  ),
  /**
   * Maximum requests per second and client address to public endpoints. Requests with invalid credentials are counted
   * separately, up to the same maximum.
   */
  RATE_LIMIT_PUBLIC: z.coerce.number().int().min(1).max(1_000_000).default(60),
  /** Maximum requests per minute per client address for sign-ins, sign-ups and related operations. */
  RATE_LIMIT_AUTH: z.coerce.number().int().min(1).max(1_000_000).default(10),
  /** Maximum requests per second and client address to the payment provider's webhook. */
  RATE_LIMIT_PROVIDER: z.coerce.number().int().min(1).max(1_000_000).default(500),
  /**
   * Time for handling an API request after its body was read, milliseconds. All RPCs of the request share it. A route
   * that sets `timeoutMs` uses that time instead.
   */
  RPC_TIMEOUT_MS: z.coerce.number().int().min(50).max(60_000).default(3_000),
});

/** The settings of the gateway. */
export const gatewaySettings = withSecureRpc(plainSchema);

export type GatewayConfig = z.infer<typeof gatewaySettings>;

/** Reads the gateway's settings. Throws a ConfigError that lists all problems. */
export const readGatewayConfig = (env: Record<string, string | undefined> = process.env): GatewayConfig =>
  readConfig(gatewaySettings, env);
