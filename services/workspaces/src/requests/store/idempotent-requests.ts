import { bytesOf, isDuplicateKey } from '@tautan/kit/mongo';
import type { IdempotentRequest, RequestHolder, SealedAnswer } from '../domain/idempotency.js';
import type { Models } from '../../store/models.js';

export type IdempotentRequestStore = ReturnType<typeof idempotentRequestStore>;

/** Every change is one conditional write, so that exactly one of several concurrent changes succeeds. */
export const idempotentRequestStore = ({ idempotentRequests }: Models) => ({
  /** Returns false if the id exists. */
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

  /** Takes over a released claim, unless another request did meanwhile. */
  async takeOver(found: IdempotentRequest, claim: string, holder: RequestHolder): Promise<boolean> {
    const { modifiedCount } = await idempotentRequests.updateOne(
      { _id: found._id, state: 'released', claim: found.claim },
      { $set: { state: 'running', claim, holder, beat: 0 } },
    );
    return modifiedCount === 1;
  },

  /** Removes an expired request that the database has not removed yet, unless it was claimed meanwhile. */
  async deleteExpired({ _id, state, claim }: IdempotentRequest): Promise<void> {
    await idempotentRequests.deleteOne({ _id, state, claim });
  },

  /**
   * Stores the response of a claimed request, unless one is already stored. Returns false if the claim was taken over
   * or never existed.
   */
  async complete(id: string, claim: string, answer: SealedAnswer, expireAt: Date): Promise<boolean> {
    const { matchedCount } = await idempotentRequests.updateOne(
      { _id: id, claim, state: { $ne: 'done' } },
      { $set: { state: 'done', answer, expireAt } },
    );
    return matchedCount === 1 || (await idempotentRequests.exists({ _id: id, claim })) !== null;
  },

  /** Increments `beat` of the given claims that are running. Returns the others, which have ended. */
  async renew(claims: string[]): Promise<string[]> {
    const running = { state: 'running', claim: { $in: claims } } as const;
    const { matchedCount } = await idempotentRequests.updateMany(running, { $inc: { beat: 1 } });
    if (matchedCount === claims.length) return [];
    const held = new Set(await idempotentRequests.distinct('claim', running).exec());
    return claims.filter((claim) => !held.has(claim));
  },

  /** Returns the values of `beat` of all running claims, by claim. */
  async beats(): Promise<Map<string, number>> {
    const running = await idempotentRequests
      .find({ state: 'running', claim: { $gt: '' } })
      .select({ claim: 1, beat: 1 })
      .lean<Pick<IdempotentRequest, 'claim' | 'beat'>[]>();
    return new Map(running.map(({ claim, beat }) => [claim, beat]));
  },

  /** Releases a claim. */
  async release(id: string, claim: string): Promise<void> {
    await idempotentRequests.updateOne({ _id: id, claim, state: 'running' }, { $set: { state: 'released' } });
  },

  /** Releases a claim if its `beat` still has this value. */
  async releaseStale(claim: string, beat: number): Promise<void> {
    await idempotentRequests.updateOne({ state: 'running', claim, beat }, { $set: { state: 'released' } });
  },

  /** Releases the claims of an instance, except those of its current process. */
  async releasePredecessors(instance: string, process: string): Promise<void> {
    await idempotentRequests.updateMany(
      { state: 'running', claim: { $gt: '' }, 'holder.instance': instance, 'holder.process': { $ne: process } },
      { $set: { state: 'released' } },
    );
  },
});
