import { configSchema as billing, readBillingConfig } from '@tautan/billing';
import { gatewaySettings as gateway, readGatewayConfig } from '@tautan/gateway';
import { linksSettings as links, readLinksConfig } from '@tautan/links';
import type { ServiceName } from '@tautan/proto/services';
import { configSchema as qr, readQrConfig } from '@tautan/qr';
import { configSchema as webhooks, readWebhooksConfig } from '@tautan/webhooks';
import { configSchema as workspaces, readWorkspacesConfig } from '@tautan/workspaces';

type Environment = Record<string, string | undefined>;

/** The settings that the service of a workload declares, and their parser. */
export interface Settings {
  names: string[];
  /** Throws a ConfigError that names all problems. */
  read: (env: Environment) => unknown;
}

const settingsOf = (schema: { shape: object }, read: Settings['read']): Settings => ({
  names: Object.keys(schema.shape),
  read,
});
const linksWorkload = settingsOf(links, readLinksConfig);

/** The workloads in the values of the chart. */
export const workloads: Record<string, Settings> = {
  gateway: settingsOf(gateway, readGatewayConfig),
  redirect: linksWorkload,
  links: linksWorkload,
  stats: linksWorkload,
  qr: settingsOf(qr, readQrConfig),
  workspaces: settingsOf(workspaces, readWorkspacesConfig),
  billing: settingsOf(billing, readBillingConfig),
  webhooks: settingsOf(webhooks, readWebhooksConfig),
} satisfies Record<ServiceName | 'gateway' | 'redirect' | 'stats', Settings>;

/** Settings that the image and the templates set: listen addresses and writable folders. */
export const fixedSettings = /^(BIND_HOST|SPILL_DIR|(ADMIN|RPC|GATEWAY|REDIRECT)_PORT)$/;

const dedicatedValues =
  /^(ROLES|BASE_URL|OWN_HOSTS|LOG_LEVEL|DRAIN_TIMEOUT_MS|DEFAULT_PLAN|PLANS_FILE|TRUSTED_PROXIES|COUNTRY_HEADERS|ENCRYPTION_KEYS|MONGODB_URI|(NATS|REDIS|RPC_TLS)_\w+|\w+_ADDRESS|DOMAIN_(TARGET|ADDRESSES)|BRAND_\w+|(ROOT|NOT_FOUND|EXPIRED)_URL|IDENTITY_(URL|ISSUER|AUDIENCE|CLIENT_ID|CLIENT_SECRET|DEVICE_CLIENT_ID|WORKSPACES)|PAYMENT_(SECRET_KEY|WEBHOOK_SECRET))$/;

/** Returns whether the chart sets a setting from a value outside `settings`. */
export const hasDedicatedValue = (name: string): boolean => dedicatedValues.test(name);
/** Returns the settings that users can set under `settings` of a workload. */
export const configurableSettings = ({ names }: Settings): string[] =>
  names.filter((name) => !fixedSettings.test(name) && !hasDedicatedValue(name));
