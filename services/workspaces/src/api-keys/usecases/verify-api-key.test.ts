import { expect, test } from '@jest/globals';
import { hashApiKey, generateApiKey } from '@tautan/proto';
import type { ApiKey } from '../domain/api-key.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import { noPlanSources } from '../../plans/domain/workspace-plan.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { WorkspaceStore } from '../../workspaces/store/workspaces.js';
import { verifyApiKey } from './verify-api-key.js';

const { key, prefix } = generateApiKey();
const now = new Date('2030-01-01T00:00:00Z');
const counts = { linkCount: 0, qrCodeCount: 0 };
const plan = { plan: 'PRO', planSources: noPlanSources, planVersion: 1, announcedPlan: 'PRO' } as const;
const workspace: Workspace = { _id: 'ws_1', name: 'Kopi', ...plan, ...counts, asOf: now, createdAt: now };
const anApiKey = (overrides: Partial<ApiKey> = {}): ApiKey => ({
  _id: 'key_1',
  workspaceId: 'ws_1',
  label: 'CI',
  prefix,
  hash: hashApiKey(key),
  createdBy: { type: 'system', id: null },
  createdAt: now,
  lastUsedAt: null,
  revokedAt: null,
  ...overrides,
});

function verifying(apiKey: ApiKey | null, found: Workspace | null = workspace) {
  const looked: Buffer[] = [];
  const recorded: string[] = [];
  const deps = {
    apiKeys: { findByHash: async (hash: Buffer) => (looked.push(hash), apiKey) } as unknown as ApiKeyStore,
    workspaces: { find: async () => found } as unknown as WorkspaceStore,
    recordUse: (id: string) => void recorded.push(id),
    now: () => now,
  };
  return { verify: (text: string) => verifyApiKey(deps, { key: text }), looked, recorded };
}

test('looks a key up by its hash', async () => {
  const { verify, looked } = verifying(anApiKey());
  expect(await verify(key)).toMatchObject({ apiKey: { _id: 'key_1' }, workspace: { plan: 'PRO' } });
  expect(looked).toEqual([hashApiKey(key)]);
});

test('rejects a mistyped key without a database query', async () => {
  const { verify, looked } = verifying(anApiKey());
  await expect(verify(`${key.slice(0, -1)}!`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(looked).toEqual([]);
});

test.each([
  ['unknown', null, workspace],
  ['revoked', anApiKey({ revokedAt: now }), workspace],
  ['of a deleted workspace', anApiKey(), null],
])('rejects a key that is %s, and records no use', async (_kind, apiKey, found) => {
  const { verify, recorded } = verifying(apiKey, found);
  await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(recorded).toEqual([]);
});

test.each([
  [null, true],
  [new Date(now.getTime() - 59_999), false],
  [new Date(now.getTime() - 60_000), true],
])('a key last used at %s: the use is recorded: %s', async (lastUsedAt, isRecorded) => {
  const { verify, recorded } = verifying(anApiKey({ lastUsedAt }));
  await verify(key);
  expect(recorded).toEqual(isRecorded ? ['key_1'] : []);
});
