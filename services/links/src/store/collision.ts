import { isDuplicateKey } from '@tautan/kit/mongo';

/** What two writers can want at once. */
export type Claim = 'link' | 'route' | 'tag' | 'domain' | 'qr target';

class Collision extends Error {
  constructor(readonly claim: Claim) {
    super(`another ${claim} has this key`);
    this.name = 'Collision';
  }
}

/** Runs a write whose duplicate key (E11000) is an answer: it rejects with a collision over `claim`. */
export async function claiming<T>(claim: Claim, write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    throw isDuplicateKey(error) ? new Collision(claim) : error;
  });
}

/** What an error collided over; undefined for every other error. */
export const collisionOf = (error: unknown): Claim | undefined =>
  error instanceof Collision ? error.claim : undefined;
