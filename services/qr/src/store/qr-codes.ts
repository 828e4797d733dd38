import type { ClientSession, Model } from 'mongoose';
import { LEFT, type Followed, type Pending, type QrCode } from '../domain/qr-code.js';

/** What tells of a record whether somebody is at work on it. */
export type Unfinished = Pick<QrCode, '_id' | 'workspaceId' | 'state'> & { dueAt: Date };

/** A record as somebody has read it; what is written by it alone when it still is so. */
type Seen = Pick<QrCode, '_id' | 'workspaceId'>;

/** QR codes. Every method but `existsAnywhere` and `unfinished` keeps to one workspace. */
export class QrCodeStore {
  constructor(private readonly model: Model<QrCode>) {}

  /** Rejects with a duplicate key when one of the ids exists. */
  async insert(codes: QrCode[], session: ClientSession): Promise<void> {
    await this.model.collection.insertMany(codes as never[], { session });
  }

  /** Returns those of the ids that exist, in any workspace and state. */
  async existing(workspaceId: string, ids: string[]): Promise<Set<string>> {
    const found = await this.model
      .find({ _id: { $in: ids }, workspaceId })
      .select({ _id: 1 })
      .lean<Pick<QrCode, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Whether a QR code has a logo, or is being changed to it. */
  async usesLogo(workspaceId: string, logoRunRef: string, session: ClientSession): Promise<boolean> {
    const isUsed = this.model.exists({ workspaceId, logoRunRef, state: { $ne: 'deleted' } });
    if (await isUsed.session(session)) return true;
    return (await this.model.exists({ workspaceId, 'pending.set.logoRunRef': logoRunRef }).session(session)) !== null;
  }

  byId(workspaceId: string, id: string): Promise<QrCode | null> {
    return this.model.findOne({ _id: id, workspaceId }).lean<QrCode>().exec();
  }

  /** Whether any workspace has a QR code of this id. */
  async existsAnywhere(id: string): Promise<boolean> {
    return (await this.model.exists({ _id: id, state: 'live' })) !== null;
  }

  /** The QR codes of a link that are not archived, those that are being created too: up to `atMost` behind one. */
  unarchivedOf(
    workspaceId: string,
    linkId: string,
    { after, atMost }: { after: string | undefined; atMost: number },
  ): Promise<QrCode[]> {
    const filter = { workspaceId, linkId, state: { $ne: 'deleted' }, status: { $ne: 'archived' } };
    return this.#newest(filter, after, atMost);
  }

  /** The QR codes of a link, those that are being created too: up to `atMost` behind one. */
  ofLink(workspaceId: string, linkId: string, after: string | undefined, atMost: number): Promise<QrCode[]> {
    return this.#newest({ workspaceId, linkId, state: { $ne: 'deleted' } }, after, atMost);
  }

  /** The live QR codes of a workspace that follow links: up to `atMost` behind one. */
  linked(workspaceId: string, after: string | undefined, atMost: number): Promise<QrCode[]> {
    return this.#newest({ workspaceId, state: 'live', linkId: { $ne: null } }, after, atMost);
  }

  /** The workspace with QR codes whose id comes next in order; undefined after the last. */
  async workspaceAfter(workspaceId: string): Promise<string | undefined> {
    const found = await this.model
      .findOne({ workspaceId: { $gt: workspaceId } })
      .sort({ workspaceId: 1 })
      .select({ workspaceId: 1 })
      .lean<Pick<QrCode, 'workspaceId'>>();
    return found?.workspaceId;
  }

  /** Replaces the copy of what a QR code follows. Returns false where it was replaced since the code was read. */
  follow(
    { _id, workspaceId, followed: seen }: QrCode,
    followed: Followed,
    session: ClientSession | null = null,
  ): Promise<boolean> {
    return this.#write({ _id, workspaceId, 'followed.rev': seen?.rev ?? null }, { followed }, session);
  }

  /** Notes a change that is under way. Answers false where the record has changed, or another change is under way. */
  begin(
    { _id, workspaceId, version }: QrCode,
    pending: Pending,
    dueAt: Date,
    session: ClientSession | null = null,
  ): Promise<boolean> {
    return this.#write({ _id, workspaceId, version, state: 'live', pending: null }, { pending, dueAt }, session);
  }

  /** Ends the change that is under way, well. Answers false where it has ended. */
  async commit(seen: Seen, pending: Pending, set: Partial<QrCode>, session: ClientSession): Promise<boolean> {
    const filter = { ...this.#under(seen, pending), state: { $ne: 'deleted' } };
    return this.#write(filter, { ...set, ...committed(pending) }, session);
  }

  /** Returns those of some QR codes that are being created, with their copies of what they follow. */
  async begun(workspaceId: string, ids: string[], session: ClientSession): Promise<Map<string, Followed | null>> {
    const codes = await this.model
      .find({ _id: { $in: ids }, workspaceId, state: 'begun' })
      .select({ followed: 1 })
      .session(session)
      .lean<Pick<QrCode, '_id' | 'followed'>[]>();
    return new Map(codes.map(({ _id, followed }) => [_id, followed]));
  }

  /** Ends creations well, of QR codes that `begun` returned in the same transaction. */
  async commitAll(
    creations: { code: Seen; pending: Pending; set: Partial<QrCode> }[],
    session: ClientSession,
  ): Promise<void> {
    const writes = creations.map(({ code, pending, set }) => ({
      updateOne: { filter: this.#under(code, pending), update: { $set: { ...set, ...committed(pending) } } },
    }));
    if (writes.length > 0) await this.model.collection.bulkWrite(writes as never[], { session });
  }

  /** Ends the change that is under way without an effect. Its version is not used again. */
  async revoke(seen: Seen, pending: Pending): Promise<void> {
    await this.#write(this.#under(seen, pending), { version: pending.version, pending: null, dueAt: null });
  }

  /** Removes a record whose creation was refused. Returns false where it is no longer being created. */
  async discard({ _id, workspaceId }: Seen, session: ClientSession): Promise<boolean> {
    return (await this.model.deleteOne({ _id, workspaceId, state: 'begun' }, { session })).deletedCount === 1;
  }

  /** Leaves an unfinished record to the next one, where it still is as it was seen. */
  async leave({ _id, workspaceId, state, version }: QrCode): Promise<void> {
    await this.#write({ _id, workspaceId, state, version, dueAt: { $ne: null } }, { dueAt: LEFT });
  }

  /** Takes over an unfinished record as it was seen. Returns null where somebody else was faster. */
  claim(
    { _id, workspaceId, dueAt }: Pick<QrCode, '_id' | 'workspaceId' | 'dueAt'>,
    until: Date,
  ): Promise<QrCode | null> {
    return this.model
      .findOneAndUpdate({ _id, workspaceId, dueAt }, { $set: { dueAt: until } }, { returnDocument: 'after' })
      .lean<QrCode>()
      .exec();
  }

  /** Returns up to `atMost` unfinished records of all workspaces. */
  unfinished(atMost: number): Promise<Unfinished[]> {
    return this.model
      .find({ dueAt: { $gte: LEFT } })
      .sort({ dueAt: 1 })
      .limit(atMost)
      .select({ workspaceId: 1, state: 1, dueAt: 1 })
      .lean<Unfinished[]>()
      .exec();
  }

  /** Hides a record for good. Answers false where it has changed, or a change of a live one is under way. */
  bury({ _id, workspaceId, state, version }: QrCode, dueAt: Date, session: ClientSession): Promise<boolean> {
    const unchanged = { _id, workspaceId, state, version, ...(state === 'live' && { pending: null }) };
    return this.#write(unchanged, { state: 'deleted', pending: null, dueAt }, session);
  }

  /** Removes a buried record. */
  async erase({ _id, workspaceId }: Seen): Promise<void> {
    await this.model.deleteOne({ _id, workspaceId, state: 'deleted' });
  }

  /** Takes a tag off all of the workspace's QR codes. */
  async dropTag(workspaceId: string, tagId: string): Promise<void> {
    await this.model.updateMany({ workspaceId, tagIds: tagId }, { $pull: { tagIds: tagId } });
  }

  #newest(filter: Record<string, unknown>, after: string | undefined, atMost: number): Promise<QrCode[]> {
    return this.model
      .find({ ...filter, ...(after !== undefined && { _id: { $lt: after } }) })
      .sort({ _id: -1 })
      .limit(atMost)
      .lean<QrCode[]>()
      .exec();
  }

  #under({ _id, workspaceId }: Seen, { version }: Pending) {
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
