import { isDuplicateKey } from '@tautan/kit/mongo';

/** Kinds of unique keys that writers can collide over. */
export type KeyKind = 'link' | 'route' | 'tag' | 'domain' | 'QR code';

class Collision extends Error {
  constructor(readonly kind: KeyKind) {
    super(`another ${kind} has this key`);
    this.name = 'Collision';
  }
}

/** Awaits a write. Rejects with a collision of this kind if the write fails with a duplicate key error (E11000). */
export async function detectCollision<T>(kind: KeyKind, write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    throw isDuplicateKey(error) ? new Collision(kind) : error;
  });
}

/** Returns the kind of key of a collision; undefined for other errors. */
export const collisionOf = (error: unknown): KeyKind | undefined =>
  error instanceof Collision ? error.kind : undefined;
