import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultCode, newId } from '@tautan/kit';
import { rpcClient, type RpcClient } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto';
import { writePrivate } from './quickstart.js';

/** The demo workspace and a key of it. */
export interface Demo {
  workspaceId: string;
  apiKey: string;
}

type ApiKeys = RpcClient<typeof rpcServices.apiKeys>;
type Workspaces = RpcClient<typeof rpcServices.workspaces>;

/**
 * The demo workspace of a data folder, on the BUSINESS plan, with a key that works: the one of the last start while it
 * verifies, else a new one. Throws SERVICE_UNAVAILABLE or TIMEOUT while the services are not there yet.
 */
export async function ensureDemo(dataDir: string, address: string): Promise<Demo> {
  const path = join(dataDir, 'demo.json');
  const apiKeys = rpcClient(rpcServices.apiKeys, { address });
  const workspaces = rpcClient(rpcServices.workspaces, { address });
  try {
    const known = remembered(path);
    if (known && (await verifies(apiKeys, known))) return known;
    const demo = await makeDemo(apiKeys, workspaces, known?.workspaceId);
    writePrivate(path, demo);
    return demo;
  } finally {
    apiKeys.close();
    workspaces.close();
  }
}

function remembered(path: string): Demo | undefined {
  try {
    const { workspaceId, apiKey } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Demo>;
    return workspaceId && apiKey ? { workspaceId, apiKey } : undefined;
  } catch {
    return undefined; // There is none yet, or it is damaged: a new key is as good.
  }
}

const call = () => ({ requestId: newId('req') });

async function verifies(apiKeys: ApiKeys, { workspaceId, apiKey }: Demo): Promise<boolean> {
  try {
    return (await apiKeys.call('VerifyApiKey', { key: apiKey }, call())).workspaceId === workspaceId;
  } catch (error) {
    if (faultCode(error) === 'UNAUTHENTICATED') return false;
    throw error;
  }
}

async function makeDemo(apiKeys: ApiKeys, workspaces: Workspaces, knownId: string | undefined): Promise<Demo> {
  const mint = async (workspaceId: string): Promise<Demo> => {
    const { key } = await apiKeys.call('MintApiKey', { workspaceId, label: 'Quickstart' }, call());
    return { workspaceId, apiKey: key };
  };
  try {
    if (knownId) return await mint(knownId);
  } catch (error) {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  }
  const { id } = await workspaces.call('CreateWorkspace', { name: 'Demo', plan: 'BUSINESS' }, call());
  return mint(id);
}
