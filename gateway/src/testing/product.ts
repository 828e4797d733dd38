import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rpcClient } from '@tautan/kit/rpc';
import { readLinksConfig, start as startLinks } from '@tautan/links';
import { startMongo } from '@tautan/local-mongo';
import { startNats } from '@tautan/local-nats';
import { rpcServices } from '@tautan/proto';
import { readWorkspacesConfig, start as startWorkspaces } from '@tautan/workspaces';
import { readGatewayConfig, start } from '../index.js';
import { client, type Client } from './client.js';
import { eventually } from './eventually.js';

export interface Product extends Client {
  url: string;
  key: string;
  workspaceId: string;
  /** Revokes the key that requests are sent with. */
  revoke(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The gateway before the real services, on the embedded database and broker unless MONGODB_URI and NATS_URL name others.
 * The databases are fresh.
 */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-'));
  const mongo = process.env['MONGODB_URI'] ? undefined : await startMongo({ dataDir: join(dataDir, 'mongo') });
  const nats = process.env['NATS_URL'] ? undefined : await startNats({ dataDir: join(dataDir, 'nats') });
  const common = {
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    RPC_PORT: '0',
    NATS_URL: nats?.url ?? process.env['NATS_URL'],
    MONGODB_URI: mongo?.uri ?? process.env['MONGODB_URI'],
  };
  const database = (name: string) => ({ MONGODB_DATABASE: `test_${name}_${randomUUID().slice(0, 8)}` });
  const links = await startLinks(
    readLinksConfig({ ...common, ...database('links'), ROLES: 'api', BASE_URL: 'https://go.example' }),
  );
  const workspaces = await startWorkspaces(readWorkspacesConfig({ ...common, ...database('workspaces') }));
  const target = (port: number | undefined) => `127.0.0.1:${port}`;
  const gateway = await start(
    readGatewayConfig({
      ...common,
      GATEWAY_PORT: '0',
      LINKS_ADDRESS: target(links.addresses['grpc']),
      WORKSPACES_ADDRESS: target(workspaces.addresses['grpc']),
      RATE_LIMITS_BUSINESS: '100000/100000',
      RATE_LIMIT_PUBLIC: '100000',
      ...settings,
    }),
  );
  const account = await makeAccount(target(workspaces.addresses['grpc']));
  const url = `http://127.0.0.1:${gateway.addresses['http']}`;
  return {
    ...client(url, account.key),
    ...account,
    url,
    stop: async () => {
      account.close();
      for (const running of [gateway, links, workspaces]) await running.stop();
      await nats?.stop();
      await mongo?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A workspace on the BUSINESS plan, and a key for it. */
async function makeAccount(address: string) {
  const requestId = 'test';
  const workspaces = rpcClient(rpcServices.workspaces, { address });
  const apiKeys = rpcClient(rpcServices.apiKeys, { address });
  const { id: workspaceId } = await eventually(() =>
    workspaces.call('CreateWorkspace', { name: 'Test', plan: 'BUSINESS' }, { requestId }),
  );
  const { id, key } = await apiKeys.call('MintApiKey', { workspaceId, label: 'test' }, { requestId });
  return {
    workspaceId,
    key,
    revoke: async () => void (await apiKeys.call('RevokeApiKey', { workspaceId, id }, { requestId })),
    close: () => {
      workspaces.close();
      apiKeys.close();
    },
  };
}
