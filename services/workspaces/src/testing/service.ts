import { newId, type Principal, type Running } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { startServers } from '@tautan/kit/testing';
import { rpcServices } from '@tautan/proto';
import { readWorkspacesConfig, start } from '../index.js';

export type TestService = Awaited<ReturnType<typeof startService>>;

/** The service on free ports with servers of its own, and clients for it. */
export async function startService() {
  const servers = await startServers();
  const settings = {
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    RPC_PORT: '0',
    ADMIN_PORT: '0',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: servers.database,
    NATS_URL: servers.natsUrl,
  };
  const running: Running = await start(readWorkspacesConfig(settings));
  const address = `127.0.0.1:${running.addresses['grpc']}`;
  const clients = {
    workspaces: rpcClient(rpcServices.workspaces, { address }),
    apiKeys: rpcClient(rpcServices.apiKeys, { address }),
    idempotency: rpcClient(rpcServices.idempotency, { address }),
  };
  return {
    ...clients,
    servers,
    adminUrl: `http://127.0.0.1:${running.addresses['admin']}`,
    stop: async () => {
      for (const client of Object.values(clients)) client.close();
      await running.stop();
      await servers.stop();
    },
  };
}

/** A person who may do everything in a workspace. */
export const aPrincipal = (overrides: Partial<Principal> = {}): Principal => ({
  workspaceId: newId('ws'),
  kind: 'user',
  id: newId('usr'),
  name: 'Ayu',
  role: 'owner',
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: newId('req'),
  ...overrides,
});

/** A call by a principal, or by the operator. */
export const as = (principal?: Principal) => ({
  requestId: principal?.requestId ?? newId('req'),
  // A hundred calls at once on a busy machine are no matter of deadlines here.
  timeoutMs: 15_000,
  ...(principal && { principal }),
});
