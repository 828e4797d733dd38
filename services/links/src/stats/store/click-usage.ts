import { driverCollection } from '@tautan/kit/mongo';
import { expiryOf } from '@tautan/plans/usage';
import { CLICK_PARTITIONS } from '@tautan/proto';
import type { ClientSession, mongo } from 'mongoose';
import type { ClickUsage, Models } from '../../store/models.js';

/** Numbers of clicks, without those of bots, by workspace and calendar month in UTC. */
export class ClickUsageStore {
  readonly #collection: mongo.Collection<ClickUsage>;

  constructor({ clickUsage }: Pick<Models, 'clickUsage'>) {
    this.#collection = driverCollection(clickUsage);
  }

  /** Adds clicks, keyed by `<workspace id>/<YYYY-MM>/<partition>`. */
  async add(clicks: ReadonlyMap<string, number>, session: ClientSession): Promise<void> {
    if (clicks.size === 0) return;
    const writes = Array.from(clicks, ([id, used]) => ({
      updateOne: {
        filter: { _id: id },
        update: { $inc: { used }, $setOnInsert: { expireAt: expiryOf(id.split('/')[1]!) } },
        upsert: true,
      },
    }));
    await this.#collection.bulkWrite(writes, { session, ordered: false });
  }

  /** Returns the number of clicks of each workspace in a month. */
  async read(workspaceIds: string[], month: string): Promise<Map<string, number>> {
    const ids = workspaceIds.flatMap((id) => Array.from({ length: CLICK_PARTITIONS }, (_, i) => `${id}/${month}/${i}`));
    const rows = await this.#collection.find({ _id: { $in: ids } }).toArray();
    const sums = new Map(workspaceIds.map((id) => [id, 0]));
    for (const { _id, used } of rows) {
      const [workspaceId] = _id.split('/') as [string];
      sums.set(workspaceId, sums.get(workspaceId)! + used);
    }
    return sums;
  }
}
