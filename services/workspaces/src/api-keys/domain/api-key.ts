import { fail, type Operator, type Principal } from '@tautan/kit';
import { oneLine } from '../../domain/text.js';

export interface ApiKey {
  /** key_… */
  _id: string;
  workspaceId: string;
  label: string;
  /** First characters of the key, to recognize it. */
  prefix: string;
  /** SHA-256 of the key; the key itself is not stored. */
  hash: Buffer;
  createdBy: { type: 'user' | 'api_key' | 'system'; id: string | null };
  createdAt: Date;
  /** Accurate to within a minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Minimum interval between updates of lastUsedAt, so that a busy key costs one write per minute. */
export const LAST_USED_STEP_MS = 60_000;

/** Validates a key's label: one line of 1 to 100 characters. */
export const apiKeyLabel = (text: string): string => oneLine(text, 'label', 100);

/** Throws VALIDATION_ERROR naming `label` if a workspace has reached the maximum number of keys. */
export function assertApiKeyLimit(count: number, max: number): void {
  if (count < max) return;
  const message = `A workspace can have at most ${max} API keys, and this one has ${count}. Revoke a key that is no longer used, or ask the operator to raise MAX_API_KEYS.`;
  throw fail('VALIDATION_ERROR', message, 'label');
}

/** Returns whether the use of a key should be recorded. */
export const shouldRecordUse = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_STEP_MS;

/**
 * Throws unless the caller may mint or revoke keys of a workspace: FORBIDDEN for a caller in another workspace or with
 * a role below admin, PERSON_ONLY for an API key.
 */
export function assertMayManageApiKeys(by: Principal | Operator, workspaceId: string): void {
  if (by.kind === 'operator') return;
  if (by.workspaceId !== workspaceId) throw fail('FORBIDDEN', 'You cannot manage API keys of another workspace.');
  if (by.kind === 'api_key') throw fail('PERSON_ONLY', 'API keys can only be managed by a signed-in user.');
  if (by.role !== 'owner' && by.role !== 'admin')
    throw fail('FORBIDDEN', 'Only owners and admins can manage API keys.');
}
