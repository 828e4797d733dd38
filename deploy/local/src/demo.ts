import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import { accessTokenOf, ownWorkspaceOf, signUpDemoPerson, type DemoPerson } from './demo-person.js';
import type { IdentityFacts } from './identity.js';
import { writePrivate } from './quickstart.js';

/** The demo workspace and a key of it. */
export interface Demo {
  workspaceId: string;
  apiKey: string;
  /** Its owner; absent where people sign in elsewhere. */
  person?: DemoPerson;
}

/** Who owns the demo workspace. */
export interface DemoOwner {
  person: DemoPerson;
  /** What proves it, and the workspace's id at the provider: there when the demo is to be made. */
  claim?: { token: string; externalId: string };
}

interface Clients {
  apiKeys: RpcClient<(typeof rpcServices)['apiKeys']>;
  identity: RpcClient<(typeof rpcServices)['identity']>;
  operators: RpcClient<(typeof operatorServices)['workspaces']>;
}

/** Addresses of the workspaces service, host:port. */
interface Addresses {
  rpc: string;
  operator: string;
}

const NAME = 'Demo';
const fileOf = (dataDir: string): string => join(dataDir, 'demo.json');
const call = () => ({ requestId: newId('req') });

/**
 * Somebody to sign in as, at the local identity provider: the one of the last start, else somebody new. Needs no other
 * process, and so is done while they start.
 */
export async function ensureDemoOwner(dataDir: string, identity: IdentityFacts): Promise<DemoOwner> {
  const known = remembered(dataDir);
  const person = known.person ?? (await signUpDemoPerson(identity.url));
  // At once: nobody could sign in as a person whose password got lost.
  if (!known.person) writePrivate(fileOf(dataDir), { ...known, person });
  return known.apiKey === undefined ? { person, claim: await claimOf(person, identity) } : { person };
}

async function claimOf(person: DemoPerson, identity: IdentityFacts): Promise<NonNullable<DemoOwner['claim']>> {
  const token = await accessTokenOf(identity, person);
  return { token, externalId: await ownWorkspaceOf(identity.url, token, NAME) };
}

/**
 * The demo workspace of a data folder, on the BUSINESS plan, with a key that works: the one of the last start while it
 * verifies, else a new one. Throws SERVICE_UNAVAILABLE or TIMEOUT while the services are not there yet.
 */
export async function ensureDemo(
  dataDir: string,
  { rpc, operator }: Addresses,
  { identity, owner }: { identity: IdentityFacts; owner: DemoOwner | undefined },
): Promise<Demo> {
  const { workspaceId, apiKey } = remembered(dataDir);
  const clients: Clients = {
    apiKeys: rpcClient(rpcServices.apiKeys, { address: rpc }),
    identity: rpcClient(rpcServices.identity, { address: rpc }),
    operators: rpcClient(operatorServices.workspaces, { address: operator }),
  };
  const person = owner && { person: owner.person };
  try {
    if (workspaceId && apiKey && (await verifies(clients, { workspaceId, apiKey })))
      return { workspaceId, apiKey, ...person };
    const claim = owner && (owner.claim ?? (await claimOf(owner.person, identity)));
    const demo = { ...(await makeDemo(clients, workspaceId, claim)), ...person };
    writePrivate(fileOf(dataDir), demo);
    return demo;
  } finally {
    for (const client of [clients.apiKeys, clients.identity, clients.operators]) client.close();
  }
}

function remembered(dataDir: string): Partial<Demo> {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<Demo>;
  } catch {
    return {}; // There is none yet, or it is damaged: a new key is as good.
  }
}

async function verifies({ apiKeys }: Clients, { workspaceId, apiKey }: Demo): Promise<boolean> {
  try {
    return (await apiKeys.call('VerifyApiKey', { key: apiKey }, call())).workspaceId === workspaceId;
  } catch (error) {
    if (faultCode(error) === 'UNAUTHENTICATED') return false;
    throw error;
  }
}

async function makeDemo(
  { operators, identity }: Clients,
  knownId: string | undefined,
  claim: DemoOwner['claim'],
): Promise<Demo> {
  const mint = async (workspaceId: string): Promise<Demo> => {
    const { key } = await operators.call('MintApiKey', { workspaceId, label: 'Quickstart' }, call());
    return { workspaceId, apiKey: key };
  };
  try {
    if (knownId) return await mint(knownId);
  } catch (error) {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  }
  const wanted = { name: NAME, plan: 'BUSINESS', externalId: claim?.externalId ?? '' };
  const { id } = await operators.call('CreateWorkspace', wanted, call());
  // Seen for the first time, the owner becomes a member here; if not now, then at the first sign-in.
  const owning = claim && identity.call('AuthenticatePerson', { credential: claim.token }, call()).catch(unlessAway);
  const [demo] = await Promise.all([mint(id), owning]);
  return demo;
}

function unlessAway(error: unknown): void {
  if (faultCode(error) !== 'UPSTREAM_UNAVAILABLE') throw error;
}
