import { randomBytes } from 'node:crypto';
import { rpcClient } from '@tautan/kit/rpc';
import { readBillingConfig, start as startBilling } from '@tautan/billing';
import { readQrConfig, start as startQr } from '@tautan/qr';
import { readWebhooksConfig, start as startWebhooks } from '@tautan/webhooks';
import { readLinksConfig, start as startLinks } from '@tautan/links';
import type { RpcCaller, RpcService } from '@tautan/proto/callers';
import { operatorServices } from '@tautan/proto/rpc';
import { readWorkspacesConfig, start as startWorkspaces } from '@tautan/workspaces';
import { eventually, startServers } from '@tautan/kit/testing';
import { readGatewayConfig, start } from '../index.js';
import { client, type Client } from './client.js';

/** TLS settings of one process. */
type TlsSettings = Partial<Record<'RPC_TLS_CA' | 'RPC_TLS_CERT' | 'RPC_TLS_KEY', string>>;

export interface Product extends Client {
  url: string;
  key: string;
  workspaceId: string;
  /** Ports of the services by purpose, such as `admin` and `grpc`. */
  ports: Record<RpcService, Record<string, number>>;
  /** Revokes `key`. */
  revoke(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The gateway with the real services, on the embedded database and broker unless MONGODB_URI and NATS_URL name others.
 * The databases are fresh. `settings` apply to the gateway; `tlsOf` returns the TLS settings of each process.
 */
export async function startProduct(
  settings: Record<string, string> = {},
  tlsOf: (name: RpcCaller | RpcService) => TlsSettings = () => ({}),
): Promise<Product> {
  const servers = await startServers();
  const common = {
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    NATS_URL: servers.natsUrl,
    MONGODB_URI: servers.mongodbUri,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
  const own = (name: RpcService) => ({ ...common, ...tlsOf(name), MONGODB_DATABASE: `${servers.database}_${name}` });
  const target = (port: number | undefined) => `127.0.0.1:${port}`;
  const links = await startLinks(readLinksConfig({ ...own('links'), ROLES: 'api', BASE_URL: 'https://go.example' }));
  const qr = await startQr(
    readQrConfig({
      ...own('qr'),
      BASE_URL: 'https://go.example',
      LINKS_ADDRESS: target(links.ports['grpc']),
    }),
  );
  const workspaces = await startWorkspaces(readWorkspacesConfig(own('workspaces')));
  const webhooks = await startWebhooks(
    readWebhooksConfig({
      ...own('webhooks'),
      ALLOW_LOOPBACK_ENDPOINTS: 'true',
    }),
  );
  const billing = await startBilling(readBillingConfig(own('billing')));
  const gateway = await start(
    readGatewayConfig({
      ...common,
      ...tlsOf('gateway'),
      GATEWAY_PORT: '0',
      LINKS_ADDRESS: target(links.ports['grpc']),
      WORKSPACES_ADDRESS: target(workspaces.ports['grpc']),
      WEBHOOKS_ADDRESS: target(webhooks.ports['grpc']),
      BILLING_ADDRESS: target(billing.ports['grpc']),
      QR_ADDRESS: target(qr.ports['grpc']),
      PLAN_BUSINESS: '{"rateLimits":{"read":100000,"write":100000}}',
      RATE_LIMIT_PUBLIC: '100000',
      ...settings,
    }),
  );
  const services = { links, qr, workspaces, webhooks, billing };
  await Promise.all([gateway, ...Object.values(services)].map(({ ports }) => ready(ports['admin']!)));
  const account = await createAccount(target(workspaces.ports['operator']));
  const portsByService = Object.entries(services).map(([name, { ports }]) => [name, ports]);
  const url = `http://127.0.0.1:${gateway.ports['http']}`;
  return {
    ...client(url, account.key),
    ...account,
    url,
    ports: Object.fromEntries(portsByService) as Product['ports'],
    stop: async () => {
      account.close();
      for (const running of [gateway, qr, links, workspaces, webhooks, billing]) await running.stop();
      await servers.stop();
    },
  };
}

/** Resolves when a process is ready. Creating indexes takes longer on a real database than on the embedded one. */
const ready = (adminPort: number): Promise<void> =>
  eventually(async () => {
    const { status } = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
    if (status !== 200) throw new Error(`/readyz is ${status}`);
  }, 60_000);

/** Creates a workspace on the BUSINESS plan and a key for it. */
async function createAccount(address: string) {
  const requestId = 'test';
  const operators = rpcClient(operatorServices.workspaces, { address });
  const { id: workspaceId } = await operators.call(
    'CreateWorkspace',
    { name: 'Test', plan: 'BUSINESS' },
    { requestId },
  );
  const { id, key } = await operators.call('MintApiKey', { workspaceId, label: 'test' }, { requestId });
  return {
    workspaceId,
    key,
    revoke: async () => void (await operators.call('RevokeApiKey', { workspaceId, id }, { requestId })),
    close: () => operators.close(),
  };
}
