import { inTransaction, isDuplicateKey, type Mongo } from '@tautan/kit/mongo';
import type { ClickBatch } from '@tautan/proto';
import type { Models } from '../store/models.js';
import type { PlanStore } from '../store/plans.js';
import type { StatsStore } from '../store/stats.js';
import { addToPeriods } from './add-to-periods.js';
import { gather, workspacesOf, type PartitionBatch } from './gather.js';

export interface ApplyBatchesDeps {
  connection: Mongo['connection'];
  models: Models;
  stats: StatsStore;
  plans: PlanStore;
}

/** What batches add to one link. */
interface Addition {
  clicks: number;
  lastClickAt: Date;
}

export const TRANSACTION_TIMEOUT_MS = 5_000;
const MOST_RACES = 3;

/**
 * Adds batches to the links' counters and to the statistics, each once: in one transaction with the markers that they were
 * applied. Answers how many were; those whose marker is there already change nothing. Links that are no more are skipped.
 */
export async function applyBatches(deps: ApplyBatchesDeps, batches: PartitionBatch[]): Promise<number> {
  for (let races = 0; ; races += 1) {
    try {
      return await applyOnce(deps, batches);
    } catch (error) {
      // Another replica has just applied one of them: its marker is seen at the next look.
      if (!isDuplicateKey(error) || races === MOST_RACES) throw error;
    }
  }
}

async function applyOnce(
  { connection, models, stats, plans }: ApplyBatchesDeps,
  batches: PartitionBatch[],
): Promise<number> {
  const ids = batches.map(({ batch }) => batch.id as never);
  // Straight to the driver throughout: a thousand updates need no schema.
  const [markers, links] = [models.appliedBatches.collection, models.links.collection];
  return inTransaction(connection, TRANSACTION_TIMEOUT_MS, async (session) => {
    const known = await markers.find({ _id: { $in: ids } }, { session }).toArray();
    const applied = new Set(known.map(({ _id }) => _id as unknown as string));
    const fresh = batches.filter(({ batch }) => !applied.has(batch.id));
    if (fresh.length === 0) return 0;
    const at = new Date();
    await markers.insertMany(fresh.map(({ batch }) => ({ _id: batch.id as never, at })), { session }); // prettier-ignore
    const updates = updatesOf(fresh);
    if (updates.length) await links.bulkWrite(updates, { session, ordered: false });
    const additions = gather(fresh);
    const daysKept = await plans.daysKept(workspacesOf(additions), session);
    await addToPeriods({ store: stats, daysKept, session }, additions);
    return fresh.length;
  });
}

function updatesOf(batches: PartitionBatch[]) {
  const byLink = new Map<string, Addition>();
  for (const { batch } of batches) add(batch, byLink);
  return [...byLink].map(([linkId, { clicks, lastClickAt }]) => ({
    updateOne: {
      filter: { _id: linkId as never },
      update: { $inc: { clickCount: clicks }, $max: { lastClickAt } },
    },
  }));
}

/** Humans' clicks alone; bots are counted apart, in the statistics. */
function add({ base, texts, clicks }: ClickBatch, byLink: Map<string, Addition>): void {
  for (const [offset, link, , , verdict] of clicks) {
    if (verdict !== 'h') continue;
    const linkId = texts[link]!;
    const at = new Date(base + offset);
    const addition = byLink.get(linkId);
    if (!addition) byLink.set(linkId, { clicks: 1, lastClickAt: at });
    else {
      addition.clicks += 1;
      if (at > addition.lastClickAt) addition.lastClickAt = at;
    }
  }
}
