import { newId, type Principal, type Running } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { startServers, until, type TestServers } from '@tautan/kit/testing';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import { readWorkspacesConfig, start } from '../index.js';

export type TestService = Awaited<ReturnType<typeof startService>>;

/** Resolves when a replica is ready. */
export const untilReady = ({ adminUrl }: Pick<TestService, 'adminUrl'>) =>
  until(async () => (await fetch(`${adminUrl}/readyz`)).status === 200);

interface Options {
  /** Servers to use, which the caller stops. */
  servers?: TestServers;
  now?: () => Date;
}

/**
 * Starts the service on free ports, with clients for it. Also starts a database and a broker, unless `servers` is set.
 */
export async function startService(overrides: Record<string, string> = {}, options: Options = {}) {
  const servers = options.servers ?? (await startServers());
  const settings = {
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    ADMIN_PORT: '0',
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: servers.database,
    NATS_URL: servers.natsUrl,
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    ...overrides,
  };
  const running: Running = await start(readWorkspacesConfig(settings), options.now);
  const address = `127.0.0.1:${running.ports['grpc']}`;
  const operatorAddress = `127.0.0.1:${running.ports['operator']}`;
  const clients = {
    operators: rpcClient(operatorServices.workspaces, { address: operatorAddress }),
    workspaces: rpcClient(rpcServices.workspaces, { address }),
    members: rpcClient(rpcServices.members, { address }),
    apiKeys: rpcClient(rpcServices.apiKeys, { address }),
    audit: rpcClient(rpcServices.audit, { address }),
    usage: rpcClient(rpcServices.usage, { address }),
    identity: rpcClient(rpcServices.identity, { address }),
    sessions: rpcClient(rpcServices.sessions, { address }),
    idempotency: rpcClient(rpcServices.idempotency, { address }),
  };
  return {
    ...clients,
    servers,
    /** host:port */
    address,
    operatorAddress,
    adminUrl: `http://127.0.0.1:${running.ports['admin']}`,
    stop: async () => {
      for (const client of Object.values(clients)) client.close();
      await running.stop();
      if (!options.servers) await servers.stop();
    },
  };
}

/** Returns a principal who owns a workspace with a new id. */
export const aPrincipal = (overrides: Partial<Principal> = {}): Principal => ({
  workspaceId: newId('ws'),
  kind: 'user',
  id: newId('usr'),
  name: 'Ayu',
  role: 'owner',
  plan: 'UNLIMITED',
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: newId('req'),
  ...overrides,
});

/** Returns call options with or without a principal. */
export const as = (principal?: Principal) => ({
  requestId: principal?.requestId ?? newId('req'),
  // Some tests make a hundred concurrent calls on a busy machine; none of them tests this deadline.
  timeoutMs: 15_000,
  ...(principal && { principal }),
});
