import { fail, type Operator, type Principal } from '@tautan/kit';
import { oneLine } from './text.js';

export interface ApiKey {
  /** key_… */
  _id: string;
  workspaceId: string;
  label: string;
  /** First characters of the key, to recognise it by. */
  prefix: string;
  /** SHA-256 of the key; the key itself is kept nowhere. */
  hash: Buffer;
  createdBy: { type: 'user' | 'api_key' | 'system'; id: string | null };
  createdAt: Date;
  /** To the minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** How far lastUsedAt may lag behind, so that a busy key costs one write a minute. */
export const LAST_USED_STEP_MS = 60_000;

/** A key's label: one line of 1 to 100 characters. */
export const keyLabel = (text: string): string => oneLine(text, 'label', 100);

/** Throws VALIDATION_ERROR naming `label` when a workspace has as many keys as it can have. */
export function assertKeysLeft(count: number, max: number): void {
  if (count < max) return;
  const message = `A workspace can have at most ${max} API keys, and this one has ${count}. Revoke a key that is no longer used, or ask the operator to raise MAX_API_KEYS.`;
  throw fail('VALIDATION_ERROR', message, 'label');
}

/** Whether it is time to note that a key was used. */
export const isUseWorthNoting = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_STEP_MS;

/** Refuses who may not mint or revoke keys of a workspace: another workspace, an API key, a role below admin. */
export function assertMayManageKeys(by: Principal | Operator, workspaceId: string): void {
  if (by.kind === 'operator') return;
  if (by.workspaceId !== workspaceId) throw fail('FORBIDDEN', 'The key belongs to another workspace.');
  if (by.kind === 'api_key') throw fail('PERSON_ONLY', 'Only a person can manage API keys.');
  if (by.role !== 'owner' && by.role !== 'admin') throw fail('FORBIDDEN', 'Your role does not manage API keys.');
}
