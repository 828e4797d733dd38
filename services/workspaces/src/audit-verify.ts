import { createLog } from '@tautan/kit';
import { connectMongo } from '@tautan/kit/mongo';
import type { CommandConfig } from './config.js';
import { auditStore } from './store/audit.js';
import { createModels } from './store/models.js';
import { verifyAudit, type AuditVerdict } from './usecases/verify-audit.js';

const CONNECT_MS = 10_000;
const POLL_MS = 50;

/**
 * Verifies the audit logs of the given workspaces, of all without any, and tells each verdict in a line. Answers whether
 * all hold. Rejects with one plain sentence when the database cannot be reached.
 */
export async function auditVerify(
  { MONGODB_URI: uri, MONGODB_DATABASE: database }: CommandConfig,
  workspaceIds: string[],
  tell: (line: string) => void,
): Promise<boolean> {
  const log = createLog('audit', 'silent');
  const mongo = connectMongo({ uri, database, poolSize: 2, name: 'audit', log, prepare: async () => undefined });
  try {
    await connected(mongo.ready);
    const audit = auditStore(createModels(mongo.connection));
    const ids = workspaceIds.length > 0 ? workspaceIds : await audit.workspaces();
    let hold = true;
    for (const id of ids) {
      const verdict = await verifyAudit({ audit }, id);
      hold &&= verdict.broken === undefined;
      tell(lineOf(verdict));
    }
    return hold;
  } finally {
    await mongo.close();
  }
}

async function connected(ready: () => boolean): Promise<void> {
  const deadline = performance.now() + CONNECT_MS;
  while (!ready()) {
    if (performance.now() > deadline) throw new Error('The database at MONGODB_URI cannot be reached.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function lineOf({ workspaceId, entries, broken }: AuditVerdict): string {
  if (!broken) return `${workspaceId}  holds, ${entries} entries`;
  return `${workspaceId}  BROKEN at entry ${broken.seq}${broken.id === null ? '' : ` (${broken.id})`}: ${broken.reason}`;
}
