import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import { readDemo, writeDemo, type Demo } from './demo-file.js';
import { DEMO_NAME, type DemoOwner, type ProviderAccess } from './demo-owner.js';

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
 * Returns the demo workspace of a data folder with a valid API key. Reuses the workspace and the key of the last start.
 * Mints a new key if that key is invalid, and creates a workspace on the BUSINESS plan if there is none. Throws
 * SERVICE_UNAVAILABLE or TIMEOUT until the services are ready.
 */
export async function ensureDemo(
  dataDir: string,
  { rpc, operator }: Addresses,
  owner: DemoOwner | undefined,
): Promise<Demo> {
  const { workspaceId, apiKey } = readDemo(dataDir);
  const clients: Clients = {
    apiKeys: rpcClient(rpcServices.apiKeys, { address: rpc }),
    identity: rpcClient(rpcServices.identity, { address: rpc }),
    operators: rpcClient(operatorServices.workspaces, { address: operator }),
  };
  try {
    const isKept = workspaceId && apiKey && (await isValidKey(clients, { workspaceId, apiKey }));
    const demo = isKept ? { workspaceId, apiKey } : await renewDemo(clients, workspaceId, owner);
    const owned = owner ? { ...demo, person: owner.person } : demo;
    if (!isKept) writeDemo(dataDir, owned);
    return owned;
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

/** Mints a key for the workspace of the last start. If it no longer exists, creates a workspace. */
async function renewDemo(clients: Clients, knownId: string | undefined, owner: DemoOwner | undefined): Promise<Demo> {
  try {
    if (knownId) return await mintKey(clients, knownId);
  } catch (error) {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  }
  return createDemo(clients, await owner?.access());
}

async function mintKey({ operators }: Clients, workspaceId: string): Promise<Demo> {
  const { key } = await operators.call('MintApiKey', { workspaceId, label: 'Quickstart' }, callOptions());
  return { workspaceId, apiKey: key };
}

async function createDemo(clients: Clients, access: ProviderAccess | undefined): Promise<Demo> {
  const { operators, identity } = clients;
  const wanted = { name: DEMO_NAME, plan: 'BUSINESS', externalId: access?.externalId ?? '' };
  const { id } = await operators.call('CreateWorkspace', wanted, callOptions());
  // The owner becomes a member by authenticating for the first time: now or, if that fails, at the first sign-in.
  const joining =
    access &&
    identity.call('AuthenticateUser', { credential: access.token }, callOptions()).catch(ignoreUpstreamFailure);
  const [demo] = await Promise.all([mintKey(clients, id), joining]);
  return demo;
}

function ignoreUpstreamFailure(error: unknown): void {
  if (faultCode(error) !== 'UPSTREAM_UNAVAILABLE') throw error;
}
