import { expect, test } from '@jest/globals';
import type { Operator, Principal } from '@tautan/kit';
import { apiKeyLabel, assertApiKeyLimit, assertMayManageApiKeys, shouldRecordUse } from './api-key.js';

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

test('a label has up to 100 characters', () => {
  expect(apiKeyLabel('x'.repeat(100))).toBe('x'.repeat(100));
  expect(() => apiKeyLabel('x'.repeat(101))).toThrow(fault('VALIDATION_ERROR', 'label'));
});

test('a new key is rejected if the workspace has reached the maximum number of keys', () => {
  expect(() => assertApiKeyLimit(4, 5)).not.toThrow();
  for (const count of [5, 6]) expect(() => assertApiKeyLimit(count, 5)).toThrow(fault('VALIDATION_ERROR', 'label'));
});

test('the use of a key is recorded at most once a minute', () => {
  const now = new Date('2030-01-01T00:01:00.000Z');
  expect(shouldRecordUse(null, now)).toBe(true);
  expect(shouldRecordUse(new Date('2030-01-01T00:00:00.000Z'), now)).toBe(true);
  expect(shouldRecordUse(new Date('2030-01-01T00:00:00.001Z'), now)).toBe(false);
});

const by = (fields: Partial<Principal>) =>
  ({ workspaceId: 'ws_1', kind: 'user', role: 'owner', ...fields }) as Principal;

test.each([
  ['an operator', { kind: 'operator' } as Operator],
  ['the owner', by({ role: 'owner' })],
  ['an admin', by({ role: 'admin' })],
])('%s may manage API keys', (_who, author) => {
  expect(() => assertMayManageApiKeys(author, 'ws_1')).not.toThrow();
});

test.each([
  ['an owner of another workspace', by({ workspaceId: 'ws_2' }), 'FORBIDDEN'],
  ['an API key', by({ kind: 'api_key', role: 'admin' }), 'PERSON_ONLY'],
  ['a member', by({ role: 'member' }), 'FORBIDDEN'],
  ['a viewer', by({ role: 'viewer' }), 'FORBIDDEN'],
])('%s may not manage API keys', (_who, author, code) => {
  expect(() => assertMayManageApiKeys(author, 'ws_1')).toThrow(fault(code));
});
