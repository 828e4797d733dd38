import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { apiClient } from '../support/client.js';
import { admin } from './cluster.js';
import { describeOnCluster } from './on-cluster.js';

describeOnCluster('tautan-admin in the pods', (on) => {
  test('runs in a pod of each workload', async () => {
    for (const workload of await on.cluster.workloads())
      expect(await admin(workload, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('lists every pod', async () => {
    const { processes } = JSON.parse(await admin('workspaces', 'status', '--json')) as {
      processes: { service: string; version: string; connections: Record<string, string> }[];
    };
    expect(processes).toHaveLength((await on.cluster.allPods()).length);
  });

  test('creates workspaces and keys, and revokes keys', async () => {
    const name = `Kopi ${randomUUID()}`;
    const id = (await admin('workspaces', 'workspaces', 'create', name, '--quiet')).trim();
    expect(await admin('workspaces', 'workspaces', 'list', '--limit', '5')).toContain(name);
    const { id: keyId, key } = JSON.parse(await admin('workspaces', 'keys', 'create', id, 'tests', '--json')) as {
      id: string;
      key: string;
    };
    const api = apiClient({ ...on.stack, apiKey: key });
    expect((await api.get('/links')).status).toBe(200);
    await admin('workspaces', 'keys', 'revoke', id, keyId);
    expect((await api.get('/links')).status).toBe(401);
  });

  test('verifies audit logs, checks usage and lists dead letters in the services that store them', async () => {
    await admin('workspaces', 'audit', 'verify', '--json');
    for (const workload of ['links', 'qr', 'webhooks', 'workspaces']) await admin(workload, 'usage', 'check', '--json');
    for (const workload of ['stats', 'qr', 'webhooks', 'workspaces'])
      await admin(workload, 'dead-letters', 'list', '--json');
  }, 120_000);
});
