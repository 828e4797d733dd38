import type { ClientSession, Model } from 'mongoose';
import { isOnCustomDomain, purgeTime, type Route } from '../domain/route.js';
import { claiming } from '../../store/collision.js';

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
        // The twin of `isFree`.
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
    // Straight to the driver: mongoose would cast a replacement that is typed already.
    await claiming('route', this.model.collection.bulkWrite(writes as never[], { session, ordered: true }));
  }

  /** Lets a domain serve. */
  async open(route: Route, session: ClientSession): Promise<void> {
    await this.model.collection.replaceOne({ _id: route._id as never }, route, { session, upsert: true });
  }

  /** Ends what a domain serves, if it is the workspace's. */
  async close(workspaceId: string, key: string, session: ClientSession): Promise<void> {
    await this.model.deleteOne({ _id: key, workspaceId, via: 'domain' }, { session });
  }

  async update(workspaceId: string, key: string, set: Partial<Route>, session: ClientSession): Promise<void> {
    await this.model.updateOne({ _id: key, workspaceId }, { $set: set }, { session });
  }

  /** Gives a key up: nobody is redirected, and until the quarantine ends only the same workspace may claim it. */
  async tombstone(workspaceId: string, key: string, now: Date, session: ClientSession): Promise<void> {
    const set = { status: 'deleted', purgeAt: purgeTime(now) } as const;
    await this.model.updateOne({ _id: key, workspaceId }, { $set: set }, { session });
  }

  /** Changes what the entries of a link's QR codes follow of it. Answers their keys. */
  async follow(
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

  /** Active entries of links, or of QR codes, whose time has come or that are used up: up to `atMost`. */
  due(via: Route['via'], now: Date, atMost: number): Promise<Route[]> {
    const reached = [{ expiresAt: { $lte: now } }, { remaining: { $lte: 0 } }];
    return this.model
      .find({ $or: reached.map((limit) => ({ via, status: 'active' as const, ...limit })) })
      .limit(atMost)
      .lean<Route[]>()
      .exec();
  }

  async expire(keys: string[], session: ClientSession): Promise<void> {
    await this.model.updateMany({ _id: { $in: keys } }, { $set: { status: 'expired' } }, { session });
  }
}
