import { checkLimit, type Principal } from '@tautan/kit';
import { actionFilter, auditCursor, auditPlace, type AuditEntry } from '../domain/audit.js';
import type { AuditStore } from '../store/audit.js';

/**
 * A page of the audit log of the principal's workspace, newest first; `action` whole or a prefix ending with a dot, empty
 * for all. Throws VALIDATION_ERROR naming `action`, `limit` or `cursor`.
 */
export async function listAuditLog(
  { audit }: { audit: AuditStore },
  { by, action, cursor, limit }: { by: Principal; action: string; cursor: string; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | undefined }> {
  checkLimit(limit);
  const filter = actionFilter(action);
  const place = auditPlace(by.workspaceId, filter, cursor);
  const found = await audit.page(by.workspaceId, filter, place, limit + 1);
  const entries = found.slice(0, limit);
  const more = found.length > limit;
  return { entries, nextCursor: more ? auditCursor(by.workspaceId, filter, entries.at(-1)!._id) : undefined };
}
