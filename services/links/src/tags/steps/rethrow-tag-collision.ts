import { fail } from '@tautan/kit';
import { collisionOf } from '../../store/index.js';

/** Throws TAG_EXISTS if the error is a collision over a tag name; otherwise rethrows the error. */
export function rethrowTagCollision(error: unknown): never {
  throw collisionOf(error) === 'tag' ? fail('TAG_EXISTS', 'A tag with this name already exists.', 'name') : error;
}
