import { checkLimit, type Principal } from '@tautan/kit';
import { auditCursor, auditFilter, auditCursorId, type AuditEntry, type AuditFilterInput } from '../domain/audit.js';
import type { AuditStore } from '../store/audit.js';

/**
 * Returns a page of the audit log of the principal's workspace, newest first. Throws VALIDATION_ERROR naming `action`,
 * `from`, `to`, `limit` or `cursor`.
 */
export async function listAuditLog(
  { audit }: { audit: AuditStore },
  by: Principal,
  { cursor, limit, ...input }: AuditFilterInput & { cursor: string; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | undefined }> {
  checkLimit(limit);
  const filter = auditFilter(by.workspaceId, input);
  const found = await audit.page(filter, auditCursorId(filter, cursor), limit + 1);
  const entries = found.slice(0, limit);
  return { entries, nextCursor: found.length > limit ? auditCursor(filter, entries.at(-1)!._id) : undefined };
}
