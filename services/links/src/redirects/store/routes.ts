import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model, mongo } from 'mongoose';
import { isOnCustomDomain, purgeTime, type Route } from '../domain/route.js';
import { detectCollision } from '../../store/collision.js';

/** The routing table. Keys are unique across workspaces, so reads by key need no workspace. */
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

  /** Returns the number of a workspace's QR codes. Each has one entry, with or without a link. */
  countQrCodes(workspaceId: string): Promise<number> {
    return this.model.countDocuments({ workspaceId, via: 'qr', status: { $ne: 'deleted' } }).exec();
  }

  /** Writes new entries. Rejects with a collision of kind `route` if a key is not free for the workspace (`isFree`). */
  async claim(routes: Route[], now: Date, session: ClientSession): Promise<void> {
    const writes = routes.map((route): mongo.AnyBulkWriteOperation<Route> => ({
      replaceOne: {
        // Must match `isFree` in domain/route.ts.
        filter: isOnCustomDomain(route._id)
          ? { _id: route._id, $or: [{ workspaceId: { $ne: route.workspaceId } }, { status: 'deleted' }] }
          : {
              _id: route._id,
              status: 'deleted',
              $or: [{ workspaceId: route.workspaceId }, { purgeAt: { $lte: now } }],
            },
        replacement: route,
        upsert: true,
      },
    }));
    // Uses the driver directly: mongoose would cast replacements that are already typed.
    await detectCollision('route', driverCollection(this.model).bulkWrite(writes, { session, ordered: true }));
  }

  /** Enables redirects on a domain. */
  async enableDomain(route: Route, session: ClientSession): Promise<void> {
    await driverCollection(this.model).replaceOne({ _id: route._id }, route, { session, upsert: true });
  }

  /** Stops serving a domain, if it belongs to the workspace. */
  async disableDomain(workspaceId: string, key: string, session: ClientSession): Promise<void> {
    await this.model.deleteOne({ _id: key, workspaceId, via: 'domain' }, { session });
  }

  async update(workspaceId: string, key: string, set: Partial<Route>, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: key, workspaceId }, { $set: set }, { session });
  }

  /**
   * Marks an entry as deleted: it no longer redirects. Until the quarantine ends, only the same workspace may claim its
   * key. On a custom domain, a new owner of the domain may claim it, too. Returns how many clicks were left; null if
   * there was no limit or no entry of the workspace.
   */
  async tombstone(workspaceId: string, key: string, now: Date, session: ClientSession): Promise<number | null> {
    const set = { status: 'deleted', purgeAt: purgeTime(now) } as const;
    const before = await this.model
      .findOneAndUpdate({ _id: key, workspaceId }, { $set: set }, { session, projection: { remaining: 1 } })
      .lean<Pick<Route, 'remaining'>>();
    return before?.remaining ?? null;
  }

  /** Updates the entries of the QR codes that follow a link. Returns their keys. */
  async updateFollowers(
    workspaceId: string,
    linkId: string,
    set: Pick<Route, 'url' | 'follows'>,
    session: ClientSession,
  ): Promise<string[]> {
    const filter = { workspaceId, linkId, via: 'qr', status: { $ne: 'deleted' } } as const;
    const codes = await this.model.find(filter).select({ _id: 1 }).session(session).lean();
    if (codes.length) await this.model.updateMany(filter, { $set: set }, { session });
    return codes.map(({ _id }) => _id);
  }

  /**
   * Returns up to `limit` entries of one kind (`via`) that have expired or reached their click limit. Their stored
   * status is still `active`.
   */
  due(via: Route['via'], now: Date, limit: number): Promise<Route[]> {
    const reached = [{ expiresAt: { $lte: now } }, { remaining: { $lte: 0 } }];
    return this.model
      .find({ $or: reached.map((condition) => ({ via, status: 'active' as const, ...condition })) })
      .limit(limit)
      .lean<Route[]>()
      .exec();
  }

  async expire(keys: string[], session: ClientSession): Promise<void> {
    await this.model.updateMany({ _id: { $in: keys } }, { $set: { status: 'expired' } }, { session });
  }
}
