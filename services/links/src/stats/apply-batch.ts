import { isDuplicateKey, type Mongo } from '@tautan/kit/mongo';
import type { ClickBatch } from '@tautan/proto';
import type { Models } from '../store/models.js';

export interface ApplyBatchDeps {
  connection: Mongo['connection'];
  models: Models;
}

/** What a batch adds to one link. */
interface Addition {
  clicks: number;
  lastClickAt: Date;
}

const TRANSACTION_TIMEOUT_MS = 5_000;

/**
 * Adds a batch to the links' counters, once: in one transaction with the marker that it was applied. Answers false, and
 * changes nothing, when the marker is there already. Links that are no more are skipped.
 */
export async function applyBatch({ connection, models }: ApplyBatchDeps, batch: ClickBatch): Promise<boolean> {
  const updates = [...additions(batch)].map(([linkId, { clicks, lastClickAt }]) => ({
    updateOne: {
      filter: { _id: linkId as never },
      update: { $inc: { clickCount: clicks }, $max: { lastClickAt } },
    },
  }));
  try {
    await connection.withSession((session) =>
      session.withTransaction(
        async () => {
          await models.appliedBatches.collection.insertOne({ _id: batch.id as never, at: new Date() }, { session });
          // Straight to the driver: a thousand updates need no schema.
          if (updates.length) await models.links.collection.bulkWrite(updates, { session, ordered: false });
        },
        { timeoutMS: TRANSACTION_TIMEOUT_MS },
      ),
    );
    return true;
  } catch (error) {
    // Only the marker is inserted, so only it can be there already.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Humans' clicks by link; bots are counted apart, where statistics are made. */
function additions({ base, texts, clicks }: ClickBatch): Map<string, Addition> {
  const byLink = new Map<string, Addition>();
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
  return byLink;
}
