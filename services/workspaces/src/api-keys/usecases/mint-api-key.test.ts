import { expect, test } from '@jest/globals';
import { KeyedMutex, newUlid, type Operator, type Principal } from '@tautan/kit';
import { hashApiKey } from '@tautan/proto';
import type { ApiKey } from '../domain/api-key.js';
import { mintApiKey } from './mint-api-key.js';

const user = { kind: 'user', id: 'usr_1', workspaceId: 'ws_1', role: 'admin' } as Principal;
const operator = { kind: 'operator' } as Operator;
const MAX_KEYS = 2;

interface Situation {
  /** The stored role of the user; null if the user is not a member. */
  role?: string | null;
  /** Whether the membership still exists when the transaction locks it. */
  isStillMember?: boolean;
  /** The stored keys. */
  keys?: ApiKey[];
}

/**
 * Returns a function that mints keys in a workspace, and its effects: the stored keys, the writes and events in order
 * (`changes`), and the ids of the keys that the gateways must verify again (`rechecked`).
 */
function aWorkspace({ role = 'admin', isStillMember = true, keys = [] }: Situation = {}) {
  const stored = [...keys];
  const changes: string[] = [];
  const rechecked: string[] = [];
  const deps = {
    workspaces: { find: async (id: string) => (id === 'ws_1' ? { _id: id } : null), lock: async () => undefined },
    members: { lock: async () => isStillMember, findMembership: async () => (role === null ? null : { role }) },
    apiKeys: {
      find: async (id: string) => stored.find(({ _id }) => _id === id) ?? null,
      count: async () => stored.length,
      insert: async (key: ApiKey) => (stored.push(key), changes.push('insert')),
      replaceSecret: async (key: ApiKey) => {
        stored[stored.findIndex(({ _id }) => _id === key._id)] = key;
        changes.push('replace');
      },
    },
    transact: (_by: unknown, work: (tx: object) => unknown) =>
      work({ emit: ({ type }: { type: string }) => changes.push(type) }),
    maxApiKeys: MAX_KEYS,
    mutex: new KeyedMutex(),
    recheckCredentials: ({ apiKeyIds }: { apiKeyIds: string[] }) => void rechecked.push(...apiKeyIds),
    signal: new AbortController().signal,
    now: () => new Date(),
  };
  const mint = (by: Principal | Operator, operationId?: string) =>
    mintApiKey(deps as never, by, { workspaceId: 'ws_1', label: 'CI', operationId });
  return { mint, stored, changes, rechecked };
}

const fault = (code: string) => expect.objectContaining({ code });

test.each([
  ['is not a member', { role: null }],
  ['has just been removed', { isStillMember: false }],
  ['now has the role viewer', { role: 'viewer' }],
  ['now has the role member', { role: 'member' }],
])('a user who %s is rejected, even if the role in the principal is admin', async (_what, situation) => {
  const { mint, changes } = aWorkspace(situation);
  await expect(mint(user)).rejects.toEqual(fault('FORBIDDEN'));
  expect(changes).toEqual([]);
});

test('a key records its creator; an operator needs no membership', async () => {
  const { mint, stored, changes, rechecked } = aWorkspace();
  await mint(user);
  await mint(operator);
  expect(stored.map(({ createdBy }) => createdBy)).toEqual([
    { type: 'user', id: 'usr_1' },
    { type: 'system', id: null },
  ]);
  expect(changes).toEqual(['insert', 'api_key.created', 'insert', 'api_key.created']);
  expect(rechecked).toEqual([]);
  const outsider = aWorkspace({ role: null });
  await outsider.mint(operator);
  expect(outsider.stored).toHaveLength(1);
});

test('a repeated operation replaces the secret, even at the limit, and makes the gateways verify the key again', async () => {
  const { mint, stored, changes, rechecked } = aWorkspace();
  const operationId = newUlid();
  const first = await mint(user, operationId);
  await mint(user);
  const { _id, key } = await mint(user, operationId);
  expect(_id).toBe(first._id);
  expect(key).not.toBe(first.key);
  expect(stored).toHaveLength(MAX_KEYS);
  expect(stored[0]!.hash).toEqual(hashApiKey(key));
  expect(changes).toEqual(['insert', 'api_key.created', 'insert', 'api_key.created', 'replace']);
  expect(rechecked).toEqual([_id]);
  await expect(mint(user)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'label' });
});

test.each([
  ['was revoked', { revokedAt: new Date() }],
  ['belongs to another workspace', { workspaceId: 'ws_2' }],
])('a repeated operation whose key %s is rejected', async (_what, change) => {
  const operationId = newUlid();
  const { mint, stored } = aWorkspace();
  await mint(user, operationId);
  const { mint: repeat, changes, rechecked } = aWorkspace({ keys: [{ ...stored[0]!, ...change }] });
  await expect(repeat(user, operationId)).rejects.toEqual(fault('NOT_FOUND'));
  expect([...changes, ...rechecked]).toEqual([]);
});
