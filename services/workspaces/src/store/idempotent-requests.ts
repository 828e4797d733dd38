import { bytesOf, isDuplicateKey } from '@tautan/kit/mongo';
import type { IdempotentRequest, SealedAnswer } from '../domain/idempotency.js';
import type { Models } from './models.js';

export type IdempotentRequestStore = ReturnType<typeof idempotentRequestStore>;

/** Every change is one conditional write, so that of any number of concurrent ones a single one wins. */
export const idempotentRequestStore = ({ idempotentRequests }: Models) => ({
  /** Answers false when the id is taken. */
  async insert(request: IdempotentRequest): Promise<boolean> {
    try {
      await idempotentRequests.insertMany([request]);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  },

  async find(id: string): Promise<IdempotentRequest | null> {
    const found = await idempotentRequests.findById(id).lean<IdempotentRequest>();
    if (!found) return null;
    const answer = found.answer && { ...found.answer, sealed: bytesOf(found.answer.sealed) };
    return { ...found, fingerprint: bytesOf(found.fingerprint), answer };
  },

  /** Takes over the claim that was found, unless someone else did meanwhile. */
  async takeOver(found: IdempotentRequest, leaseUntil: Date): Promise<boolean> {
    const { modifiedCount } = await idempotentRequests.updateOne(
      { _id: found._id, state: 'running', operationId: found.operationId, leaseUntil: found.leaseUntil },
      { $set: { leaseUntil } },
    );
    return modifiedCount === 1;
  },

  /** Removes a request whose time is over, where the database has not yet done so. */
  async forget({ _id, operationId }: IdempotentRequest): Promise<void> {
    await idempotentRequests.deleteOne({ _id, operationId });
  },

  /** Keeps the first answer. Answers false when there is no such claim. */
  async complete(id: string, operationId: string, answer: SealedAnswer, expireAt: Date): Promise<boolean> {
    const { matchedCount } = await idempotentRequests.updateOne(
      { _id: id, operationId, state: 'running' },
      { $set: { state: 'done', answer, expireAt } },
    );
    return matchedCount === 1 || (await idempotentRequests.exists({ _id: id, operationId })) !== null;
  },

  /** Lets the claim be taken over at once. */
  async release(id: string, operationId: string, leaseUntil: Date): Promise<void> {
    await idempotentRequests.updateOne({ _id: id, operationId, state: 'running' }, { $set: { leaseUntil } });
  },
});
