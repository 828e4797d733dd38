import { creatorTypes } from '@tautan/proto';
import { wireValue } from './wire-fields.js';

/** Returns the creator of a resource. If the message has no creator, returns one of type `api_key` with an empty id. */
export const creatorView = (creator: { type: string; id: string } | null) => ({
  type: wireValue(creatorTypes, 'createdBy.type', creator?.type || 'api_key'),
  id: creator?.id ?? '',
});
