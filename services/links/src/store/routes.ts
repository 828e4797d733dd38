import type { ClientSession, Model } from 'mongoose';
import { purgeTime, type Route } from '../domain/route.js';
import { claiming } from './collision.js';

/** The routing table. Keys are unique over all workspaces, so that reads by key need none. */
export class RouteStore {
  constructor(private readonly model: Model<Route>) {}

  byKeys(keys: string[], session: ClientSession | null = null): Promise<Route[]> {
    return this.model
      .find({ _id: { $in: keys } })
      .session(session)
      .lean<Route[]>()
      .exec();
  }

  async byKey(key: string, session: ClientSession | null = null): Promise<Route | null> {
    return this.model.findOne({ _id: key }).session(session).lean<Route>().exec();
  }

  /** The number of a workspace's QR codes: each has an entry of its own. */
  countQrCodes(workspaceId: string): Promise<number> {
    return this.model.countDocuments({ workspaceId, via: 'qr', status: { $ne: 'deleted' } }).exec();
  }

  /** Gives keys to new entries. Rejects with a collision over `route` when one is in use or in another's quarantine. */
  async claim(routes: Route[], now: Date, session: ClientSession): Promise<void> {
    const writes = routes.map((route) => ({
      replaceOne: {
        filter: {
          _id: route._id,
          status: 'deleted',
          $or: [{ workspaceId: route.workspaceId }, { purgeAt: { $lte: now } }],
        },
        replacement: route,
        upsert: true,
      },
    }));
    // Straight to the driver: mongoose would cast a replacement that is typed already.
    await claiming('route', this.model.collection.bulkWrite(writes as never[], { session, ordered: true }));
  }

  async update(workspaceId: string, key: string, set: Partial<Route>, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: key, workspaceId }, { $set: set }, { session });
  }

  /** Gives a key up: nobody is redirected, and until the quarantine ends only the same workspace may claim it. */
  async bury(workspaceId: string, key: string, now: Date, session: ClientSession): Promise<void> {
    const set = { status: 'deleted', purgeAt: purgeTime(now) } as const;
    await this.model.updateOne({ _id: key, workspaceId }, { $set: set }, { session });
  }

  /** Keys of active entries whose time has come, or that are used up: up to `atMost` of each. */
  async due(now: Date, atMost: number): Promise<string[]> {
    const [late, used] = await Promise.all([
      this.#activeKeys({ expiresAt: { $lte: now } }, atMost),
      this.#activeKeys({ remaining: { $lte: 0 } }, atMost),
    ]);
    return [...new Set([...late, ...used])];
  }

  async #activeKeys(condition: object, atMost: number): Promise<string[]> {
    const found = await this.model
      .find({ status: 'active', ...condition })
      .select({ _id: 1 })
      .limit(atMost)
      .lean();
    return found.map(({ _id }) => _id);
  }

  async expire(keys: string[], session: ClientSession): Promise<void> {
    await this.model.updateMany({ _id: { $in: keys } }, { $set: { status: 'expired' } }, { session });
  }
}
