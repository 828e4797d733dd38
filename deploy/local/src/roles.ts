import { join } from 'node:path';
import { isLoopbackHost } from '@tautan/kit';
import { identityEnvironment, sealingEnvironment, type IdentityFacts } from './identity.js';
import { paymentsEnvironment, type PaymentsFacts } from './payments.js';
import type { Settings } from './settings.js';

/** The processes of the stack, in the order in which they stop. */
export const roleNames = ['gateway', 'redirect', 'services', 'broker', 'engine'] as const;
export type RoleName = (typeof roleNames)[number];

/** The ports that the stack chooses once and keeps, so that peers find a child again after its restart. */
export const portNames = [
  'engine',
  'broker',
  'redirect',
  'redirectAdmin',
  'gateway',
  'gatewayAdmin',
  'links',
  'linksAdmin',
  'linksOperator',
  'workspaces',
  'workspacesAdmin',
  'workspacesOperator',
  'webhooks',
  'webhooksAdmin',
  'webhooksOperator',
  'qr',
  'qrAdmin',
  'qrOperator',
  'billing',
  'billingAdmin',
  'billingOperator',
  'admin',
] as const;
export type Ports = Record<(typeof portNames)[number], number>;

/** Address of every listener but the front, identity and payments: inner ports have neither passwords nor TLS. */
export const INNER_HOST = '127.0.0.1';

export interface Layout {
  settings: Settings;
  /** Whether damaged files are opened too. */
  repair: boolean;
  ports: Ports;
  baseUrl: string;
  mongodbUri: string;
  natsUrl: string;
  identity: IdentityFacts;
  /** Undefined where the settings name a payment provider. */
  payments: PaymentsFacts | undefined;
}

/** Which processes there are: the embedded servers only where no real one is named. */
export const rolesOf = ({ MONGODB_URI, NATS_URL }: Settings): RoleName[] =>
  roleNames.filter((name) => !(name === 'engine' && MONGODB_URI) && !(name === 'broker' && NATS_URL));

/** What each process is told, on top of the environment of the stack itself. */
export function environmentOf(role: RoleName, layout: Layout): NodeJS.ProcessEnv {
  const { settings, baseUrl, mongodbUri, natsUrl } = layout;
  const common = {
    STACK_DATA_DIR: settings.DATA_DIR,
    ...(layout.repair ? { STACK_REPAIR: 'true' } : {}),
    BIND_HOST: INNER_HOST,
    LOG_LEVEL: settings.LOG_LEVEL,
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    BASE_URL: baseUrl,
    // The front is the one proxy that there is.
    TRUSTED_PROXIES: '127.0.0.1,::1',
    // Each in its turn, all within the ten seconds of the stack.
    DRAIN_TIMEOUT_MS: '2500',
  };
  return { ...common, ...own(role, layout) };
}

/** Stand-ins for servers that record no spans. */
const untraced = { OTEL_SDK_DISABLED: 'true' };

function own(role: RoleName, { settings, ports, identity, payments, baseUrl }: Layout): NodeJS.ProcessEnv {
  const { DATA_DIR, DATABASE_PREFIX: prefix } = settings;
  const linksDatabase = { MONGODB_DATABASE: `${prefix}tautan_links` };
  const sealing = role === 'services' ? sealingEnvironment(settings) : {};
  const portsOf = (service: 'links' | 'workspaces' | 'webhooks' | 'qr' | 'billing') => ({
    RPC_PORT: `${ports[service]}`,
    ADMIN_PORT: `${ports[`${service}Admin`]}`,
    OPERATOR_PORT: `${ports[`${service}Operator`]}`,
  });
  switch (role) {
    case 'engine':
      return { ...untraced, ENGINE_DIR: join(DATA_DIR, 'mongo'), ENGINE_PORT: `${ports.engine}` };
    case 'broker':
      return { ...untraced, BROKER_DIR: join(DATA_DIR, 'nats'), BROKER_PORT: `${ports.broker}` };
    case 'redirect':
      return {
        ...linksDatabase,
        ROLES: 'redirect',
        SPILL_DIR: join(DATA_DIR, 'clicks'),
        REDIRECT_PORT: `${ports.redirect}`,
        ADMIN_PORT: `${ports.redirectAdmin}`,
      };
    case 'gateway':
      return {
        GATEWAY_PORT: `${ports.gateway}`,
        ADMIN_PORT: `${ports.gatewayAdmin}`,
        LINKS_ADDRESS: `${INNER_HOST}:${ports.links}`,
        WORKSPACES_ADDRESS: `${INNER_HOST}:${ports.workspaces}`,
        WEBHOOKS_ADDRESS: `${INNER_HOST}:${ports.webhooks}`,
        QR_ADDRESS: `${INNER_HOST}:${ports.qr}`,
        BILLING_ADDRESS: `${INNER_HOST}:${ports.billing}`,
      };
    case 'services':
      return {
        HOSTED: JSON.stringify({
          links: {
            ...linksDatabase,
            ROLES: 'api,stats',
            ...portsOf('links'),
          },
          workspaces: {
            MONGODB_DATABASE: `${prefix}tautan_workspaces`,
            ...identityEnvironment(identity, baseUrl),
            ...sealing,
            ...portsOf('workspaces'),
          },
          webhooks: {
            MONGODB_DATABASE: `${prefix}tautan_webhooks`,
            ...sealing,
            // Receivers on a developer's machine, which strangers who reach the front must not.
            ALLOW_LOOPBACK_ENDPOINTS: `${isLoopbackHost(settings.BIND_HOST)}`,
            ...portsOf('webhooks'),
          },
          qr: {
            MONGODB_DATABASE: `${prefix}tautan_qr`,
            LINKS_ADDRESS: `${INNER_HOST}:${ports.links}`,
            ...portsOf('qr'),
          },
          billing: {
            MONGODB_DATABASE: `${prefix}tautan_billing`,
            ...paymentsEnvironment(payments),
            ...portsOf('billing'),
          },
        }),
      };
  }
}
