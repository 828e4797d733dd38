import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import type { Demo } from './demo-file.js';
import { DEMO_NAME, type ProviderAccess } from './demo-owner.js';

interface Clients {
  apiKeys: RpcClient<(typeof rpcServices)['apiKeys']>;
  identity: RpcClient<(typeof rpcServices)['identity']>;
  operators: RpcClient<(typeof operatorServices)['workspaces']>;
}

/** Addresses (host:port) of the workspaces service. */
interface Addresses {
  rpc: string;
  operator: string;
}

const callOptions = () => ({ requestId: newId('req') });

/**
 * Functions that find or create the demo workspace. They throw SERVICE_UNAVAILABLE or TIMEOUT until the service is
 * ready.
 */
export const demoFunctions = (addresses: Addresses) => ({
  /**
   * Returns the workspace and API key of the last start. Mints a new key if that key is invalid. Returns null if the
   * workspace no longer exists, or if there was none.
   */
  findDemo: ({ workspaceId, apiKey }: Partial<Demo>): Promise<Demo | null> =>
    withClients(addresses, async (clients) => {
      if (!workspaceId) return null;
      if (apiKey && (await isValidKey(clients, { workspaceId, apiKey }))) return { workspaceId, apiKey };
      try {
        return await mintKey(clients, workspaceId);
      } catch (error) {
        if (faultCode(error) === 'NOT_FOUND') return null;
        throw error;
      }
    }),

  /** Creates a workspace on the BUSINESS plan with an API key. `access`: null if the workspace has no owner yet. */
  createDemo: (access: ProviderAccess | null): Promise<Demo> =>
    withClients(addresses, async (clients) => {
      const { operators, identity } = clients;
      const wanted = { name: DEMO_NAME, plan: 'BUSINESS', externalId: access?.externalId ?? '' };
      const { id } = await operators.call('CreateWorkspace', wanted, callOptions());
      // The owner becomes a member by authenticating for the first time: now or, if that fails, at the first sign-in.
      const joining =
        access &&
        identity.call('AuthenticateUser', { credential: access.token }, callOptions()).catch(ignoreUpstreamFailure);
      const [demo] = await Promise.all([mintKey(clients, id), joining]);
      return demo;
    }),
});

/** Runs `act` with clients of the workspaces service, which are closed afterwards. */
async function withClients<T>({ rpc, operator }: Addresses, act: (clients: Clients) => Promise<T>): Promise<T> {
  const clients: Clients = {
    apiKeys: rpcClient(rpcServices.apiKeys, { address: rpc }),
    identity: rpcClient(rpcServices.identity, { address: rpc }),
    operators: rpcClient(operatorServices.workspaces, { address: operator }),
  };
  try {
    return await act(clients);
  } finally {
    for (const client of [clients.apiKeys, clients.identity, clients.operators]) client.close();
  }
}

async function isValidKey({ apiKeys }: Clients, { workspaceId, apiKey }: Demo): Promise<boolean> {
  try {
    return (await apiKeys.call('VerifyApiKey', { key: apiKey }, callOptions())).workspaceId === workspaceId;
  } catch (error) {
    if (faultCode(error) === 'UNAUTHENTICATED') return false;
    throw error;
  }
}

async function mintKey({ operators }: Clients, workspaceId: string): Promise<Demo> {
  const { key } = await operators.call('MintApiKey', { workspaceId, label: 'Quickstart' }, callOptions());
  return { workspaceId, apiKey: key };
}

function ignoreUpstreamFailure(error: unknown): void {
  if (faultCode(error) !== 'UPSTREAM_UNAVAILABLE') throw error;
}
