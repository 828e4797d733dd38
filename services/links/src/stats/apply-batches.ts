import { inTransaction, isDuplicateKey, type Mongo } from '@tautan/kit/mongo';
import { monthOf } from '@tautan/kit/usage';
import type { Models } from '../store/models.js';
import type { PlanStore } from './store/plans.js';
import { ClickUsageStore } from './store/click-usage.js';
import type { StatsStore } from './store/stats.js';
import { addToPeriods } from './add-to-periods.js';
import { gather, workspacesOf, type PartitionBatch } from './gather.js';

export interface ApplyBatchesDeps {
  connection: Mongo['connection'];
  models: Models;
  stats: StatsStore;
  plans: PlanStore;
  /** Called after the commit with the human clicks that were counted, by workspace and month. */
  onCounted?: (clicks: ReadonlyMap<string, number>) => void;
}

/** What batches add to one link, or to one QR code. */
interface Addition {
  workspaceId: string;
  clicks: number;
  lastClickAt: Date;
}

export const TRANSACTION_TIMEOUT_MS = 5_000;
const MAX_RACES = 3;

/**
 * Adds batches to the counters of links and QR codes and to the statistics, each once: in one transaction with the markers that they were
 * applied. Returns those that were; those whose marker is there already change nothing. Links and QR codes that are no more are
 * skipped.
 */
export async function applyBatches(deps: ApplyBatchesDeps, batches: PartitionBatch[]): Promise<PartitionBatch[]> {
  for (let races = 0; ; races += 1) {
    try {
      return await applyOnce(deps, batches);
    } catch (error) {
      // Another replica has just applied one of them: its marker is seen at the next look.
      if (!isDuplicateKey(error) || races === MAX_RACES) throw error;
    }
  }
}

async function applyOnce(deps: ApplyBatchesDeps, batches: PartitionBatch[]): Promise<PartitionBatch[]> {
  const { connection, models, stats, plans } = deps;
  const ids = batches.map(({ batch }) => batch.id as never);
  // Straight to the driver throughout: a thousand updates need no schema.
  const [markers, links, codes] = [
    models.appliedBatches.collection,
    models.links.collection,
    models.qrTargets.collection,
  ];
  let counted: ReadonlyMap<string, number> = new Map();
  const applied = await inTransaction(connection, TRANSACTION_TIMEOUT_MS, async (session) => {
    const known = await markers.find({ _id: { $in: ids } }, { session }).toArray();
    const markedIds = new Set(known.map(({ _id }) => _id as unknown as string));
    const fresh = batches.filter(({ batch }) => !markedIds.has(batch.id));
    counted = usageOf(fresh);
    if (fresh.length === 0) return [];
    const at = new Date();
    await markers.insertMany(
      fresh.map(({ batch }) => ({ _id: batch.id as never, at })),
      { session },
    );
    const { byLink, byCode } = additionsOf(fresh);
    if (byLink.size) await links.bulkWrite(updatesOf(byLink, 'clickCount', 'lastClickAt'), { session, ordered: false });
    if (byCode.size) await codes.bulkWrite(updatesOf(byCode, 'scanCount', 'lastScanAt'), { session, ordered: false });
    const additions = gather(fresh);
    const daysKept = await plans.daysKept(workspacesOf(additions), session);
    await addToPeriods({ store: stats, daysKept, session }, additions);
    await new ClickUsageStore(models).add(counted, session);
    return fresh;
  });
  deps.onCounted?.(counted);
  return applied;
}

/** Human clicks by `<workspace id>/<month>/<partition>`. */
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

const updatesOf = (additions: Map<string, Addition>, count: string, last: string) =>
  Array.from(additions, ([id, { workspaceId, clicks, lastClickAt }]) => ({
    updateOne: {
      filter: { _id: id as never, workspaceId },
      update: { $inc: { [count]: clicks }, $max: { [last]: lastClickAt } },
    },
  }));

/** Humans' clicks alone; bots are counted apart, in the statistics. */
function additionsOf(batches: PartitionBatch[]): Record<'byLink' | 'byCode', Map<string, Addition>> {
  const [byLink, byCode] = [new Map<string, Addition>(), new Map<string, Addition>()];
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
  additions: Map<string, Addition>,
  { id, workspaceId, at }: { id: string; workspaceId: string; at: Date },
): void {
  const addition = additions.get(id);
  if (!addition) additions.set(id, { workspaceId, clicks: 1, lastClickAt: at });
  else {
    addition.clicks += 1;
    if (at > addition.lastClickAt) addition.lastClickAt = at;
  }
}
