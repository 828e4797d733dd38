import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickstartIn, type Quickstart, type Stack } from '../support/stack.js';
import { admin, adminCommand, release, type Cluster, type Service } from './cluster.js';
import { startFront } from './front.js';

/**
 * Returns the product in a cluster, behind nginx, as a stack. Creates a workspace and an API key as an operator. Tests
 * reach the product only over the network; processes and logs are not accessible.
 */
export async function openClusterStack(cluster: Cluster): Promise<Stack> {
  const baseUrl = await publicUrl(cluster);
  const front = await startFront(cluster, Number(new URL(baseUrl).port));
  const dataDir = await mkdtemp(join(tmpdir(), 'tautan-cluster-'));
  const workspaceId = (
    await admin('workspaces', 'workspaces', 'create', 'Uji klaster', '--plan', 'BUSINESS', '--quiet')
  ).trim();
  const apiKey = (await admin('workspaces', 'keys', 'create', workspaceId, 'tests', '--quiet')).trim();
  const addressOf = async (name: string): Promise<string> => {
    const { clusterIP, ports } = (await cluster.get<Service>('services', `${release}-${name}`)).spec;
    return `${clusterIP}:${ports[0]!.port}`;
  };
  const quickstart: Quickstart = {
    baseUrl,
    apiKey,
    workspaceId,
    person: { email: '', password: '' },
    identity: { url: `http://${await addressOf('keycloak')}`, clientId: 'tautan', deviceClientId: 'tautan-cli' },
    payments: { url: '', secretKey: '' },
    mongodb: { engine: 'external', uri: `mongodb://${await addressOf('mongodb')}/?directConnection=true` },
    nats: { engine: 'external', url: `nats://${await addressOf('nats')}` },
    services: [],
    admin: Object.fromEntries(['workspaces', 'links', 'stats'].map((name) => [name, adminCommand(name)])),
  };
  await writeFile(join(dataDir, 'quickstart.json'), JSON.stringify(quickstart), { mode: 0o600 });
  return {
    baseUrl,
    apiKey,
    dataDir,
    pid: 0,
    databasePrefix: '',
    broker: undefined,
    output: () => '',
    quickstart: () => quickstartIn(dataDir),
    stop: async () => {
      await front.stop();
      await rm(dataDir, { recursive: true, force: true });
      return 0;
    },
  };
}

/** Returns the public URL of the release. */
async function publicUrl(cluster: Cluster): Promise<string> {
  const { spec } = await cluster.get<{
    spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } };
  }>('deployments', `${release}-gateway`);
  return spec.template.spec.containers[0]!.env.find(({ name }) => name === 'BASE_URL')!.value!;
}
