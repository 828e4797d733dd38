import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import type { RunningIdentity } from '@tautan/local-identity';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import { accessTokenOf, renameOwnWorkspace, signUpDemoPerson, type DemoPerson } from './demo-person.js';
import type { IdentityFacts } from './identity.js';
import { writePrivate } from './quickstart.js';

/** The demo workspace, with an API key and its owner. */
export interface Demo {
  workspaceId: string;
  apiKey: string;
  /** The owner of the workspace. Absent with an external identity provider. */
  person?: DemoPerson;
}

/** The owner of the demo workspace. */
export interface DemoOwner {
  person: DemoPerson;
  /** The owner's access token, and the workspace's id at the provider. Absent if an earlier start created the demo. */
  providerAccess?: { token: string; externalId: string };
}

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

const NAME = 'Demo';
const fileOf = (dataDir: string): string => join(dataDir, 'demo.json');
const callOptions = () => ({ requestId: newId('req') });

/**
 * Returns the demo user of the last start, or creates one at the local identity provider. Requires no other process, so
 * it can run while the others start.
 */
export async function ensureDemoOwner(
  dataDir: string,
  identity: IdentityFacts,
  provider: RunningIdentity,
): Promise<DemoOwner> {
  const known = readDemo(dataDir);
  const person = known.person ?? (await signUpDemoPerson(provider));
  // Store the password immediately, because it cannot be recovered.
  if (!known.person) writePrivate(fileOf(dataDir), { ...known, person });
  return known.apiKey === undefined ? { person, providerAccess: await providerAccessOf(person, identity) } : { person };
}

async function providerAccessOf(
  person: DemoPerson,
  identity: IdentityFacts,
): Promise<NonNullable<DemoOwner['providerAccess']>> {
  const token = await accessTokenOf(identity, person);
  return { token, externalId: await renameOwnWorkspace(identity.url, token, NAME) };
}

/**
 * Returns the demo workspace of a data folder with a valid API key. Reuses the workspace and the key of the last start.
 * Mints a new key if that key is invalid, and creates a workspace on the BUSINESS plan if there is none. Throws
 * SERVICE_UNAVAILABLE or TIMEOUT until the services are ready.
 */
export async function ensureDemo(
  dataDir: string,
  { rpc, operator }: Addresses,
  { identity, owner }: { identity: IdentityFacts; owner: DemoOwner | undefined },
): Promise<Demo> {
  const { workspaceId, apiKey } = readDemo(dataDir);
  const clients: Clients = {
    apiKeys: rpcClient(rpcServices.apiKeys, { address: rpc }),
    identity: rpcClient(rpcServices.identity, { address: rpc }),
    operators: rpcClient(operatorServices.workspaces, { address: operator }),
  };
  const person = owner && { person: owner.person };
  try {
    if (workspaceId && apiKey && (await isValidKey(clients, { workspaceId, apiKey })))
      return { workspaceId, apiKey, ...person };
    const access = owner && (owner.providerAccess ?? (await providerAccessOf(owner.person, identity)));
    const demo = { ...(await createDemo(clients, workspaceId, access)), ...person };
    writePrivate(fileOf(dataDir), demo);
    return demo;
  } finally {
    for (const client of [clients.apiKeys, clients.identity, clients.operators]) client.close();
  }
}

function readDemo(dataDir: string): Partial<Demo> {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Demo>;
  } catch {
    return {}; // The file does not exist or is corrupt. A new demo is created.
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

async function createDemo(
  { operators, identity }: Clients,
  knownId: string | undefined,
  access: DemoOwner['providerAccess'],
): Promise<Demo> {
  const mint = async (workspaceId: string): Promise<Demo> => {
    const { key } = await operators.call('MintApiKey', { workspaceId, label: 'Quickstart' }, callOptions());
    return { workspaceId, apiKey: key };
  };
  try {
    if (knownId) return await mint(knownId);
  } catch (error) {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  }
  const wanted = { name: NAME, plan: 'BUSINESS', externalId: access?.externalId ?? '' };
  const { id } = await operators.call('CreateWorkspace', wanted, callOptions());
  // The owner becomes a member by authenticating for the first time: now or, if that fails, at the first sign-in.
  const joining =
    access &&
    identity.call('AuthenticateUser', { credential: access.token }, callOptions()).catch(ignoreUpstreamFailure);
  const [demo] = await Promise.all([mint(id), joining]);
  return demo;
}

function ignoreUpstreamFailure(error: unknown): void {
  if (faultCode(error) !== 'UPSTREAM_UNAVAILABLE') throw error;
}
