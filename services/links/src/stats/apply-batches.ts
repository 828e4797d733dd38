import { inTransaction, isDuplicateKey, type Mongo } from '@tautan/kit/mongo';
import { monthOf } from '@tautan/plans/usage';
import type { Models } from '../store/models.js';
import type { PlanStore } from './store/plans.js';
import { AppliedBatchStore } from './store/applied-batches.js';
import { ClickCounterStore, type ClickAddition } from './store/click-counters.js';
import { ClickUsageStore } from './store/click-usage.js';
import type { StatsStore } from './store/stats.js';
import { addToPeriods } from './add-to-periods.js';
import { collectAdditions, workspacesOf, type PartitionBatch } from './collect-additions.js';

export interface ApplyBatchesDeps {
  connection: Mongo['connection'];
  models: Models;
  stats: StatsStore;
  plans: PlanStore;
  /** Called after the commit with the number of human clicks, keyed by `<workspace id>/<month>/<partition>`. */
  onCounted?: (clicks: ReadonlyMap<string, number>) => void;
}

export const TRANSACTION_TIMEOUT_MS = 5_000;
const MAX_RACES = 3;

/**
 * Adds batches to the counters of links and QR codes and to the statistics, exactly once: the same transaction marks
 * each batch as applied, and marked batches are skipped. Returns the batches that it applied. The counters of deleted
 * links and QR codes are skipped.
 */
export async function applyBatches(deps: ApplyBatchesDeps, batches: PartitionBatch[]): Promise<PartitionBatch[]> {
  for (let races = 0; ; races += 1) {
    try {
      return await applyOnce(deps, batches);
    } catch (error) {
      // Another replica has just applied one of the batches. The next attempt finds its marker.
      if (!isDuplicateKey(error) || races === MAX_RACES) throw error;
    }
  }
}

async function applyOnce(deps: ApplyBatchesDeps, batches: PartitionBatch[]): Promise<PartitionBatch[]> {
  const { connection, models, stats, plans } = deps;
  const [markers, counters] = [new AppliedBatchStore(models), new ClickCounterStore(models)];
  let counted: ReadonlyMap<string, number> = new Map();
  const applied = await inTransaction(connection, TRANSACTION_TIMEOUT_MS, async (session) => {
    const marked = await markers.appliedOf(
      batches.map(({ batch }) => batch.id),
      session,
    );
    const fresh = batches.filter(({ batch }) => !marked.has(batch.id));
    counted = usageOf(fresh);
    if (fresh.length === 0) return [];
    await markers.mark(
      fresh.map(({ batch }) => batch.id),
      session,
    );
    const { byLink, byCode } = additionsOf(fresh);
    await counters.addToLinks(byLink, session);
    await counters.addToQrCodes(byCode, session);
    const additions = collectAdditions(fresh);
    const retentionDays = await plans.retentionDays(workspacesOf(additions), session);
    await addToPeriods({ store: stats, retentionDays, session }, additions);
    await new ClickUsageStore(models).add(counted, session);
    return fresh;
  });
  deps.onCounted?.(counted);
  return applied;
}

/** Returns the number of human clicks, keyed by `<workspace id>/<month>/<partition>`. */
function usageOf(batches: PartitionBatch[]): Map<string, number> {
  const usage = new Map<string, number>();
  for (const { batch, partition } of batches) {
    const { base, texts, clicks } = batch;
    for (const [offset, , , workspace, verdict] of clicks) {
      if (verdict !== 'h') continue;
      const id = `${texts[workspace]!}/${monthOf(new Date(base + offset))}/${partition}`;
      usage.set(id, (usage.get(id) ?? 0) + 1);
    }
  }
  return usage;
}

/** Returns the counter additions of human clicks. Bots are only counted in the statistics. */
function additionsOf(batches: PartitionBatch[]): Record<'byLink' | 'byCode', Map<string, ClickAddition>> {
  const [byLink, byCode] = [new Map<string, ClickAddition>(), new Map<string, ClickAddition>()];
  for (const { batch } of batches) {
    const { base, texts, clicks } = batch;
    for (const [offset, link, qr, workspace, verdict] of clicks) {
      if (verdict !== 'h') continue;
      const at = new Date(base + offset);
      const workspaceId = texts[workspace]!;
      if (link !== -1) add(byLink, { id: texts[link]!, workspaceId, at });
      if (qr !== -1) add(byCode, { id: texts[qr]!, workspaceId, at });
    }
  }
  return { byLink, byCode };
}

function add(
  additions: Map<string, ClickAddition>,
  { id, workspaceId, at }: { id: string; workspaceId: string; at: Date },
): void {
  const addition = additions.get(id);
  if (!addition) additions.set(id, { workspaceId, clicks: 1, lastClickAt: at });
  else {
    addition.clicks += 1;
    if (at > addition.lastClickAt) addition.lastClickAt = at;
  }
}
