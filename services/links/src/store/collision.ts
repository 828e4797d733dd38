import { isDuplicateKey } from '@tautan/kit/mongo';

/** Kinds of unique keys that writers can collide over. */
export type Claim = 'link' | 'route' | 'tag' | 'domain' | 'QR code';

class Collision extends Error {
  constructor(readonly claim: Claim) {
    super(`another ${claim} has this key`);
    this.name = 'Collision';
  }
}

/** Awaits a write. Rejects with a collision of kind `claim` if the write fails with a duplicate key error (E11000). */
export async function claiming<T>(claim: Claim, write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    throw isDuplicateKey(error) ? new Collision(claim) : error;
  });
}

/** Returns the kind of key of a collision; undefined for other errors. */
export const collisionOf = (error: unknown): Claim | undefined =>
  error instanceof Collision ? error.claim : undefined;
