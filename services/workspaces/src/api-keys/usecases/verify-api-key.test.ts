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

function verifierWith(apiKey: ApiKey | null, found: Workspace | null = workspace) {
  const lookups: Buffer[] = [];
  const recorded: string[] = [];
  const deps = {
    apiKeys: { findByHash: async (hash: Buffer) => (lookups.push(hash), apiKey) } as unknown as ApiKeyStore,
    workspaces: { find: async () => found } as unknown as WorkspaceStore,
    recordUse: (id: string) => void recorded.push(id),
    now: () => now,
  };
  return { verify: (text: string) => verifyApiKey(deps, { key: text }), lookups, recorded };
}

test('looks a key up by its hash', async () => {
  const { verify, lookups } = verifierWith(anApiKey());
  expect(await verify(key)).toMatchObject({ apiKey: { _id: 'key_1' }, workspace: { plan: 'PRO' } });
  expect(lookups).toEqual([hashApiKey(key)]);
});

test('rejects a mistyped key without a database query', async () => {
  const { verify, lookups } = verifierWith(anApiKey());
  await expect(verify(`${key.slice(0, -1)}!`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(lookups).toEqual([]);
});

test.each([
  ['unknown', null, workspace],
  ['revoked', anApiKey({ revokedAt: now }), workspace],
  ['of a deleted workspace', anApiKey(), null],
])('rejects a key that is %s, and records no use', async (_state, apiKey, found) => {
  const { verify, recorded } = verifierWith(apiKey, found);
  await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(recorded).toEqual([]);
});

test.each([
  ['never', null, true],
  ['59.999 s ago', new Date(now.getTime() - 59_999), false],
  ['60 s ago', new Date(now.getTime() - 60_000), true],
])(
  'records a use only if none was recorded within the last minute: last use %s',
  async (_when, lastUsedAt, isRecorded) => {
    const { verify, recorded } = verifierWith(anApiKey({ lastUsedAt }));
    await verify(key);
    expect(recorded).toEqual(isRecorded ? ['key_1'] : []);
  },
);
