import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@tautan/kit';
import { State } from '@tautan/append-log';
import { StateAdapter } from './adapter.js';
import { loadLibrary } from './library.js';
import { StorageKeys } from './storage-keys.js';

const root = mkdtempSync(join(tmpdir(), 'tautan-identity-adapter-'));
const { errors } = await loadLibrary(createLog('identity', 'silent'));
const state = await State.open(join(root, 'log'), { onLoss: () => undefined });
afterAll(async () => {
  await state.close();
  rmSync(root, { recursive: true });
});

const adapter = (model: string, secret = 'secret') =>
  new StateAdapter(model, { state, keys: new StorageKeys(secret), errors });
const exp = Math.floor(Date.now() / 1000) + 60;

async function withToken(grantId: string): Promise<StateAdapter> {
  await adapter('Grant').upsert(grantId, { exp });
  const tokens = adapter('RefreshToken');
  await tokens.upsert(`token of ${grantId}`, { grantId, exp });
  return tokens;
}

test('the second of two concurrent uses of a token is rejected, and the grant is revoked', async () => {
  const tokens = await withToken('one');
  const other = await withToken('other');
  await tokens.upsert('sibling', { grantId: 'one', exp });
  const both = await Promise.allSettled([tokens.consume('token of one'), tokens.consume('token of one')]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await adapter('Grant').find('one')).toBeUndefined();
  expect(await tokens.find('sibling')).toBeUndefined();
  expect(await other.find('token of other')).toMatchObject({ grantId: 'other' });
});

test('a token for a grant that was revoked in the meantime is not stored', async () => {
  const tokens = await withToken('gone');
  await adapter('Grant').destroy('gone');
  await tokens.upsert('heir', { grantId: 'gone', exp });
  expect(await tokens.find('heir')).toBeUndefined();
});

test('a device code found by its user code can be updated via a signed reference that cannot be forged', async () => {
  const codes = adapter('DeviceCode');
  await codes.upsert('device code', { userCode: 'BCDF', exp });
  const found = (await codes.findByUserCode('BCDF'))!;
  expect(found).toMatchObject({ userCode: 'BCDF' });
  await codes.upsert(found.jti as string, { ...found, accountId: 'person_1' });
  expect(await codes.find('device code')).toMatchObject({ accountId: 'person_1' });
  expect(await codes.findByUserCode('BCDF')).toMatchObject({ accountId: 'person_1' });
  const [key] = (found.jti as string).split('.');
  for (const forged of [key!, `${key}.`, `${key}.${key}`]) expect(await codes.find(forged)).toBeUndefined();
  expect(await adapter('DeviceCode', 'other').find(found.jti as string)).toBeUndefined();
});

test('a sign-in in progress can be read only with its id, which is not stored', async () => {
  const interactions = adapter('Interaction');
  await interactions.upsert('its id', { returnTo: '/resume/its id', exp });
  expect(await interactions.find('its id')).toMatchObject({ jti: 'its id', returnTo: '/resume/its id' });
  expect(JSON.stringify([...state.all('oidc.Interaction')])).not.toContain('its id');
});
