import type { Transact } from '@tautan/kit/mongo';
import type { TautanEvent } from '@tautan/proto';
import type { AuditStore } from '../store/audit.js';
import { applyCountChanges, type CountChange, type CountDeps } from '../../workspaces/steps/apply-count-changes.js';
import { recordAudit } from '../steps/record-audit.js';
import { retryDuplicates } from '../../workspaces/steps/retry-duplicates.js';

export interface ApplyDeps extends CountDeps {
  audit: AuditStore;
  transact: Transact;
}

/** The effects of consumed events. */
export interface EventEffects {
  audited?: TautanEvent[];
  counted?: CountChange[];
}

/** Applies events to audit logs and counts, each exactly once even if redelivered, in one transaction. */
export async function applyEvents(deps: ApplyDeps, { audited = [], counted = [] }: EventEffects): Promise<void> {
  await retryDuplicates((attempt) =>
    deps.transact(null, async (tx) => {
      // Redeliveries are rare, so only a retry checks for them. They make the first attempt fail with a duplicate key.
      const repeated = attempt > 0;
      await recordAudit(deps, tx, audited, repeated);
      await applyCountChanges(deps, tx, counted, repeated);
    }),
  );
}
