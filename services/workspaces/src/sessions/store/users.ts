import { isDuplicateKey, type Transaction } from '@tautan/kit/mongo';
import type { User } from '../domain/user.js';
import type { Models } from '../../store/models.js';

export type UserStore = ReturnType<typeof userStore>;

export const userStore = ({ users }: Models) => ({
  find: (id: string, tx?: Transaction): Promise<User | null> =>
    users
      .findById(id)
      .session(tx?.session ?? null)
      .lean<User>(),

  findBySubject: (issuer: string, subject: string, tx?: Transaction): Promise<User | null> =>
    users
      .findOne({ issuer, subject })
      .session(tx?.session ?? null)
      .lean<User>(),

  /** Returns the user with the given email address; the earliest if there are several. */
  findByEmail: (email: string): Promise<User | null> => users.findOne({ email }).sort({ _id: 1 }).lean<User>().exec(),

  findBySubjects: (issuer: string, subjects: string[]): Promise<User[]> =>
    users.find({ issuer, subject: { $in: subjects } }).lean<User[]>(),

  /** Inserts a user. Returns false if a concurrent request has created the same user. */
  async insert(user: User): Promise<boolean> {
    try {
      await users.insertMany([user]);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  },

  async updateProfile(id: string, { email, emailVerified, name }: Partial<User>): Promise<void> {
    await users.updateOne({ _id: id }, { $set: { email, emailVerified, name } });
  },

  async setLastWorkspace(id: string, workspaceId: string, { session }: Transaction): Promise<void> {
    await users.updateOne({ _id: id }, { $set: { lastWorkspaceId: workspaceId } }, { session });
  },

  /** Clears the last active workspace if it is this one. */
  async clearLastWorkspace(id: string, workspaceId: string, { session }: Transaction): Promise<void> {
    const filter = { _id: id, lastWorkspaceId: workspaceId };
    await users.updateOne(filter, { $set: { lastWorkspaceId: null } }, { session });
  },

  /** Replaces the list of workspace creations, which must have been read in this transaction. */
  async setCreating(id: string, creating: User['creating'], { session }: Transaction): Promise<void> {
    await users.updateOne({ _id: id }, { $set: { creating } }, { session });
  },

  async recordSynced(id: string, at: Date): Promise<void> {
    await users.updateOne({ _id: id }, { $set: { syncedAt: at } });
  },
});
