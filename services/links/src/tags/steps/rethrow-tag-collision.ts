import { fail } from '@tautan/kit';
import { collisionOf } from '../../store/index.js';

/** Rethrows an error; a collision over a tag name as TAG_EXISTS. */
export function rethrowTagCollision(error: unknown): never {
  throw collisionOf(error) === 'tag' ? fail('TAG_EXISTS', 'A tag with this name already exists.', 'name') : error;
}
