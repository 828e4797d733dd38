import { notConfigured, type Log, type Registry } from '@tautan/kit';
import {
  PeerHealth,
  rpcClient,
  rpcConnections,
  type CallOptions,
  type Certificates,
  type Connections,
  type RpcClient,
} from '@tautan/kit/rpc';
import type {
  LimitName,
  ApiKeysDefinition,
  AuditDefinition,
  BillingDefinition,
  DomainsDefinition,
  IdempotencyDefinition,
  IdentityDefinition,
  LinksDefinition,
  MembersDefinition,
  QrCodesDefinition,
  QrImagesDefinition,
  SessionsDefinition,
  StatsDefinition,
  TagsDefinition,
  WebhooksDefinition,
  WorkspacesDefinition,
} from '@tautan/proto';
import { addressSetting } from '@tautan/proto/callers';
import { rpcServices } from '@tautan/proto/rpc';
import { serviceNames } from '@tautan/proto/services';
import type { GatewayConfig } from './config.js';

/** gRPC clients of the services behind the gateway. */
export interface ServiceClients {
  links: RpcClient<LinksDefinition>;
  tags: RpcClient<TagsDefinition>;
  domains: RpcClient<DomainsDefinition>;
  stats: RpcClient<StatsDefinition>;
  workspaces: RpcClient<WorkspacesDefinition>;
  members: RpcClient<MembersDefinition>;
  identity: RpcClient<IdentityDefinition>;
  sessions: RpcClient<SessionsDefinition>;
  apiKeys: RpcClient<ApiKeysDefinition>;
  audit: RpcClient<AuditDefinition>;
  idempotency: RpcClient<IdempotencyDefinition>;
  webhooks: RpcClient<WebhooksDefinition>;
  qrCodes: RpcClient<QrCodesDefinition>;
  qrImages: RpcClient<QrImagesDefinition>;
  billing: RpcClient<BillingDefinition>;
  /** Returns a workspace's usage by plan limit, collected from the configured services that count usage. */
  readUsage(options: CallOptions): Promise<Partial<Record<LimitName, number>>>;
  close(): void;
}

/** Creates the clients. They connect on their first call, so an unavailable service does not delay startup. */
export function connectServices(
  config: GatewayConfig,
  { certificates, registry }: { certificates: Certificates | undefined; registry: Registry },
): ServiceClients {
  const names = new Map(Object.entries(addressesOf(config)).map(([name, address]) => [address, name]));
  const connections = new Map<string, Connections>();
  const connectionsTo = (address: string): Connections => {
    const known = connections.get(address) ?? rpcConnections({ address, certificates });
    connections.set(address, known);
    return known;
  };
  const to = <D>(address: string, definition: D): RpcClient<D> => {
    const meter = { registry, peer: names.get(address)! };
    return rpcClient(definition, { connections: connectionsTo(address), meter });
  };
  const optional = <D>(address: string | undefined, what: string, definition: D): RpcClient<D> =>
    address === undefined ? absent(what) : to(address, definition);
  const { LINKS_ADDRESS: links, WORKSPACES_ADDRESS: workspaces } = config;
  const clients = {
    links: to(links, rpcServices.links),
    tags: to(links, rpcServices.tags),
    domains: to(links, rpcServices.domains),
    stats: to(links, rpcServices.stats),
    workspaces: to(workspaces, rpcServices.workspaces),
    members: to(workspaces, rpcServices.members),
    identity: to(workspaces, rpcServices.identity),
    sessions: to(workspaces, rpcServices.sessions),
    apiKeys: to(workspaces, rpcServices.apiKeys),
    audit: to(workspaces, rpcServices.audit),
    idempotency: to(workspaces, rpcServices.idempotency),
    webhooks: optional(config.WEBHOOKS_ADDRESS, 'Webhooks are', rpcServices.webhooks),
    qrCodes: optional(config.QR_ADDRESS, 'QR codes are', rpcServices.qrCodes),
    qrImages: optional(config.QR_ADDRESS, 'QR codes are', rpcServices.qrImages),
    billing: optional(config.BILLING_ADDRESS, 'Billing is', rpcServices.billing),
  };
  const usageAddresses = [links, workspaces, config.QR_ADDRESS, config.WEBHOOKS_ADDRESS].filter(
    (each) => each !== undefined,
  );
  const usageClients = usageAddresses.map((address) => to(address, rpcServices.usage));
  return {
    ...clients,
    readUsage: async (options) => {
      const answers = await Promise.all(usageClients.map((client) => client.call('GetUsage', {}, options)));
      return Object.assign({}, ...answers.map(({ used }) => used)) as Partial<Record<LimitName, number>>;
    },
    close: () => connections.forEach((each) => each.close()),
  };
}

/** Watches the health of the services behind the gateway. */
export function watchServices(
  config: GatewayConfig,
  options: { certificates: Certificates | undefined; log: Log },
): PeerHealth {
  return new PeerHealth(addressesOf(config), options);
}

/** The addresses of the configured services by name. */
const addressesOf = (config: GatewayConfig): Record<string, string> =>
  Object.fromEntries(
    serviceNames.flatMap((name) => {
      const address = config[addressSetting(name)];
      return address === undefined ? [] : [[name, address]];
    }),
  );

/** Returns a client of a service that is not configured. Every call throws. `what`: the start of the error message. */
function absent<D>(what: string): RpcClient<D> {
  const refuse = (): never => {
    throw notConfigured(`${what} not configured.`);
  };
  return { call: async () => refuse(), stream: refuse, close: () => {} };
}
