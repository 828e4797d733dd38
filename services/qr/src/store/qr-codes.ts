import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, Model } from 'mongoose';
import { UNCLAIMED, type LinkSnapshot, type Pending, type QrCode } from '../domain/qr-code.js';

/** The fields of an unfinished record that are needed to find out whether it is claimed, and to claim it. */
export type Unfinished = Pick<QrCode, '_id' | 'workspaceId' | 'state'> & { dueAt: Date };

/** The key of a record. */
type CodeKey = Pick<QrCode, '_id' | 'workspaceId'>;

/** QR codes. Every method except `existsAnywhere`, `workspaceAfter` and `unfinished` is limited to one workspace. */
export class QrCodeStore {
  constructor(private readonly model: Model<QrCode>) {}

  /** Inserts new records. Rejects with a duplicate key error if one of the ids exists. */
  async insert(codes: QrCode[], session: ClientSession): Promise<void> {
    await driverCollection(this.model).insertMany(codes, { session });
  }

  /** Returns those of the ids that exist, in any state. */
  async existing(workspaceId: string, ids: string[]): Promise<Set<string>> {
    const found = await this.model
      .find({ _id: { $in: ids }, workspaceId })
      .select({ _id: 1 })
      .lean<Pick<QrCode, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Returns whether any QR code has the logo, or a pending change that sets it. */
  async usesLogo(workspaceId: string, logoRunRef: string, session: ClientSession): Promise<boolean> {
    const isUsed = this.model.exists({ workspaceId, logoRunRef, state: { $ne: 'deleted' } });
    if (await isUsed.session(session)) return true;
    return (await this.model.exists({ workspaceId, 'pending.set.logoRunRef': logoRunRef }).session(session)) !== null;
  }

  byId(workspaceId: string, id: string): Promise<QrCode | null> {
    return this.model.findOne({ _id: id, workspaceId }).lean<QrCode>().exec();
  }

  /** Returns whether any workspace has a live QR code with this id. */
  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id, state: 'live' })) !== null;
  }

  /**
   * Returns up to `limit` unarchived QR codes of a link, newest first, starting after the id `after`. Includes those
   * being created.
   */
  unarchivedOf(
    workspaceId: string,
    linkId: string,
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<QrCode[]> {
    const filter = { workspaceId, linkId, state: { $ne: 'deleted' }, status: { $ne: 'archived' } };
    return this.#newest(filter, after, limit);
  }

  /** Like `unarchivedOf`, but also returns archived QR codes. */
  ofLink(workspaceId: string, linkId: string, after: string | undefined, limit: number): Promise<QrCode[]> {
    return this.#newest({ workspaceId, linkId, state: { $ne: 'deleted' } }, after, limit);
  }

  /** Returns up to `limit` live QR codes of a workspace that have a link, newest first, after the id `after`. */
  linked(workspaceId: string, after: string | undefined, limit: number): Promise<QrCode[]> {
    return this.#newest({ workspaceId, state: 'live', linkId: { $ne: null } }, after, limit);
  }

  /** Returns the id of the next workspace with QR codes, in id order; undefined after the last. */
  async workspaceAfter(workspaceId: string): Promise<string | undefined> {
    const found = await this.model
      .findOne({ workspaceId: { $gt: workspaceId } })
      .sort({ workspaceId: 1 })
      .select({ workspaceId: 1 })
      .lean<Pick<QrCode, 'workspaceId'>>();
    return found?.workspaceId;
  }

  /** Replaces the link snapshot of a QR code. Returns false if it was replaced after the QR code was read. */
  replaceSnapshot(
    { _id, workspaceId, followed: previous }: QrCode,
    followed: LinkSnapshot,
    session: ClientSession | null = null,
  ): Promise<boolean> {
    return this.#write({ _id, workspaceId, 'followed.rev': previous?.rev ?? null }, { followed }, session);
  }

  /** Stores a pending change. Returns false if the record has changed or another change is pending. */
  begin(
    { _id, workspaceId, version }: QrCode,
    pending: Pending,
    dueAt: Date,
    session: ClientSession | null = null,
  ): Promise<boolean> {
    return this.#write({ _id, workspaceId, version, state: 'live', pending: null }, { pending, dueAt }, session);
  }

  /** Commits the pending change. Returns false if it is no longer pending, or if the record is deleted. */
  async commit(key: CodeKey, pending: Pending, set: Partial<QrCode>, session: ClientSession): Promise<boolean> {
    const filter = { ...this.#withPending(key, pending), state: { $ne: 'deleted' } };
    return this.#write(filter, { ...set, ...committed(pending) }, session);
  }

  /** Returns the link snapshots of those of the given QR codes that are still being created, keyed by QR code id. */
  async snapshotsOfBegun(
    workspaceId: string,
    ids: string[],
    session: ClientSession,
  ): Promise<Map<string, LinkSnapshot | null>> {
    const codes = await this.model
      .find({ _id: { $in: ids }, workspaceId, state: 'begun' })
      .select({ followed: 1 })
      .session(session)
      .lean<Pick<QrCode, '_id' | 'followed'>[]>();
    return new Map(codes.map(({ _id, followed }) => [_id, followed]));
  }

  /** Commits the creations of QR codes for which `snapshotsOfBegun` returned an entry in the same transaction. */
  async commitAll(
    creations: { code: CodeKey; pending: Pending; set: Partial<QrCode> }[],
    session: ClientSession,
  ): Promise<void> {
    const writes = creations.map(({ code, pending, set }) => ({
      updateOne: { filter: this.#withPending(code, pending), update: { $set: { ...set, ...committed(pending) } } },
    }));
    if (writes.length > 0) await driverCollection(this.model).bulkWrite(writes, { session });
  }

  /** Drops the pending change. Its version is not reused. */
  async revoke(key: CodeKey, pending: Pending): Promise<void> {
    await this.#write(this.#withPending(key, pending), { version: pending.version, pending: null, dueAt: null });
  }

  /** Deletes a record whose creation was rejected. Returns false if it is no longer being created. */
  async discard({ _id, workspaceId }: CodeKey, session: ClientSession): Promise<boolean> {
    return (await this.model.deleteOne({ _id, workspaceId, state: 'begun' }, { session })).deletedCount === 1;
  }

  /** Releases the claim on an unfinished record, unless the record has changed. */
  async release({ _id, workspaceId, state, version }: QrCode): Promise<void> {
    await this.#write({ _id, workspaceId, state, version, dueAt: { $ne: null } }, { dueAt: UNCLAIMED });
  }

  /** Claims an unfinished record until `until`. Returns null if another process was faster. */
  claim(
    { _id, workspaceId, dueAt }: Pick<QrCode, '_id' | 'workspaceId' | 'dueAt'>,
    until: Date,
  ): Promise<QrCode | null> {
    return this.model
      .findOneAndUpdate({ _id, workspaceId, dueAt }, { $set: { dueAt: until } }, { returnDocument: 'after' })
      .lean<QrCode>()
      .exec();
  }

  /** Returns up to `limit` unfinished records of all workspaces, claimed or not; those with a released claim first. */
  unfinished(limit: number): Promise<Unfinished[]> {
    return this.model
      .find({ dueAt: { $gte: UNCLAIMED } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .select({ workspaceId: 1, state: 1, dueAt: 1 })
      .lean<Unfinished[]>()
      .exec();
  }

  /** Marks a record as deleted. Returns false if it has changed, or if it is live and has a pending change. */
  tombstone({ _id, workspaceId, state, version }: QrCode, dueAt: Date, session: ClientSession): Promise<boolean> {
    const unchanged = { _id, workspaceId, state, version, ...(state === 'live' && { pending: null }) };
    return this.#write(unchanged, { state: 'deleted', pending: null, dueAt }, session);
  }

  /** Removes a tombstoned record. */
  async erase({ _id, workspaceId }: CodeKey): Promise<void> {
    await this.model.deleteOne({ _id, workspaceId, state: 'deleted' });
  }

  /** Removes a tag from all QR codes of the workspace. */
  async dropTag(workspaceId: string, tagId: string): Promise<void> {
    await this.model.updateMany({ workspaceId, tagIds: tagId }, { $pull: { tagIds: tagId } });
  }

  #newest(filter: Record<string, unknown>, after: string | undefined, limit: number): Promise<QrCode[]> {
    return this.model
      .find({ ...filter, ...(after !== undefined && { _id: { $lt: after } }) })
      .sort({ _id: -1 })
      .limit(limit)
      .lean<QrCode[]>()
      .exec();
  }

  #withPending({ _id, workspaceId }: CodeKey, { version }: Pending) {
    return { _id, workspaceId, 'pending.version': version };
  }

  async #write(
    filter: Record<string, unknown>,
    set: Partial<QrCode>,
    session: ClientSession | null = null,
  ): Promise<boolean> {
    const { matchedCount } = await this.model.updateOne(filter, { $set: set }).session(session);
    return matchedCount === 1;
  }
}

const committed = ({ version }: Pending) => ({ state: 'live', version, pending: null, dueAt: null }) as const;
