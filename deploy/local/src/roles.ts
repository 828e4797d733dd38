import { join } from 'node:path';
import { isLoopbackHost } from '@tautan/kit';
import { addressSetting } from '@tautan/proto/callers';
import { databaseOf, serviceNames, type ServiceName } from '@tautan/proto/services';
import { identityEnvironment, sealingEnvironment, type IdentityFacts } from './identity.js';
import { paymentsEnvironment, type PaymentsFacts } from './payments.js';
import type { Settings } from './settings.js';

/** The roles of the stack's processes, in the order in which they stop. */
export const roleNames = ['gateway', 'redirect', 'services', 'broker', 'engine'] as const;
export type RoleName = (typeof roleNames)[number];

/** Roles that run once, regardless of REPLICAS. */
const single: ReadonlySet<RoleName> = new Set(['broker', 'engine']);

/** Names of the ports of processes that run once. `admin` belongs to the supervisor. */
const singlePortNames = ['engine', 'broker', 'admin'] as const;

/** Names of the ports of the processes that run REPLICAS times. Each replica has its own set of these ports. */
const replicaPortNames = [
  'redirect',
  'redirectAdmin',
  'gateway',
  'gatewayAdmin',
  ...serviceNames.flatMap((name) => [name, `${name}Admin`, `${name}Operator`] as const),
] as const;
export type ReplicaPorts = Record<(typeof replicaPortNames)[number], number>;

/** Ports of all processes. They stay the same when a process restarts. */
export type Ports = Record<(typeof singlePortNames)[number], number> & { replicas: ReplicaPorts[] };

/** Returns the number of ports that a stack with this number of replicas needs. */
export const portCount = (replicas: number): number => singlePortNames.length + replicas * replicaPortNames.length;

/** Assigns `portCount(replicas)` ports to all listeners. */
export function assignPorts(replicas: number, ports: readonly number[]): Ports {
  const left = [...ports];
  const take = <N extends string>(names: readonly N[]) =>
    Object.fromEntries(names.map((name) => [name, left.pop()!])) as Record<N, number>;
  return { ...take(singlePortNames), replicas: Array.from({ length: replicas }, () => take(replicaPortNames)) };
}

/** Address of all listeners except the front, identity and payments. Internal ports have neither passwords nor TLS. */
export const INNER_HOST = '127.0.0.1';

/** Settings, ports and addresses of the processes of a stack. */
export interface Layout {
  settings: Settings;
  /** Whether to repair corrupt files. */
  repair: boolean;
  ports: Ports;
  baseUrl: string;
  mongodbUri: string;
  natsUrl: string;
  identity: IdentityFacts;
  /** Undefined without a local payment sandbox. */
  payments: PaymentsFacts | undefined;
}

/** A process of the stack. */
export interface Replica {
  role: RoleName;
  /** Index of the replica among those of its role, from 0. */
  index: number;
  /** Name of the process, such as `gateway` for the first replica and `gateway-2` for the second. */
  name: string;
}

/** Returns the processes of the stack. Embedded servers are included only if no external one is configured. */
export const processesOf = ({ MONGODB_URI, NATS_URL, REPLICAS }: Settings): Replica[] =>
  roleNames
    .filter((role) => !(role === 'engine' && MONGODB_URI) && !(role === 'broker' && NATS_URL))
    .flatMap((role) =>
      Array.from({ length: single.has(role) ? 1 : REPLICAS }, (_, index) => ({
        role,
        index,
        name: index === 0 ? role : `${role}-${index + 1}`,
      })),
    );

/** Returns the environment variables that a process has in addition to those of the stack. */
export function environmentOf(replica: Replica, layout: Layout): NodeJS.ProcessEnv {
  const { settings, baseUrl, mongodbUri, natsUrl } = layout;
  const common = {
    STACK_DATA_DIR: settings.DATA_DIR,
    ...(layout.repair ? { STACK_REPAIR: 'true' } : {}),
    BIND_HOST: INNER_HOST,
    LOG_LEVEL: settings.LOG_LEVEL,
    MONGODB_URI: mongodbUri,
    NATS_URL: natsUrl,
    BASE_URL: baseUrl,
    // The front is the only proxy.
    TRUSTED_PROXIES: '127.0.0.1,::1',
    // Processes stop one after another, within ten seconds in total.
    DRAIN_TIMEOUT_MS: '2500',
  };
  return { ...common, ...roleEnvironment(replica, layout) };
}

/** Environment of the embedded servers, which record no spans. */
const untraced = { OTEL_SDK_DISABLED: 'true' };

/** Returns the gRPC target of a service, with all of its replicas. */
function targetOf(service: keyof ReplicaPorts, { replicas }: Ports): string {
  const addresses = replicas.map((each) => `${INNER_HOST}:${each[service]}`);
  return addresses.length === 1 ? addresses[0]! : `ipv4:${addresses.join(',')}`;
}

function roleEnvironment(
  { role, index }: Replica,
  { settings, ports: all, identity, payments, baseUrl }: Layout,
): NodeJS.ProcessEnv {
  const ports = { ...all, ...all.replicas[index]! };
  const { DATA_DIR, DATABASE_PREFIX: prefix } = settings;
  const linksCommon = { MONGODB_DATABASE: `${prefix}${databaseOf('links')}`, ALLOW_LOCAL_DOMAINS: 'true' };
  const sealing = role === 'services' ? sealingEnvironment(settings) : {};
  const databaseAndPorts = (service: ServiceName) => ({
    MONGODB_DATABASE: `${prefix}${databaseOf(service)}`,
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
        ...linksCommon,
        ROLES: 'redirect',
        SPILL_DIR: join(DATA_DIR, index === 0 ? 'clicks' : `clicks-${index + 1}`),
        REDIRECT_PORT: `${ports.redirect}`,
        ADMIN_PORT: `${ports.redirectAdmin}`,
      };
    case 'gateway':
      return {
        GATEWAY_PORT: `${ports.gateway}`,
        ADMIN_PORT: `${ports.gatewayAdmin}`,
        ...Object.fromEntries(serviceNames.map((name) => [addressSetting(name), targetOf(name, all)])),
      };
    case 'services':
      return {
        HOSTED: JSON.stringify({
          links: {
            ...linksCommon,
            ROLES: 'api,stats',
            ...databaseAndPorts('links'),
          },
          workspaces: {
            ...identityEnvironment(identity, baseUrl),
            ...sealing,
            ...databaseAndPorts('workspaces'),
          },
          webhooks: {
            ...sealing,
            // Allow webhook receivers on this machine, unless other machines can reach the front.
            ALLOW_LOOPBACK_ENDPOINTS: `${isLoopbackHost(settings.BIND_HOST)}`,
            ...databaseAndPorts('webhooks'),
          },
          qr: {
            LINKS_ADDRESS: targetOf('links', all),
            ...databaseAndPorts('qr'),
          },
          billing: {
            ...paymentsEnvironment(payments),
            ...databaseAndPorts('billing'),
          },
        } satisfies Record<ServiceName, NodeJS.ProcessEnv>),
      };
  }
}
