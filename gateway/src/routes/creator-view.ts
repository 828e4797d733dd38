import { creatorTypes } from '@tautan/proto';
import { wireValue } from './wire-fields.js';

/** Returns the creator of a resource; an API key without an id if the message has none. */
export const creatorView = (creator: { type: string; id: string } | null) => ({
  type: wireValue(creatorTypes, 'createdBy.type', creator?.type || 'api_key'),
  id: creator?.id ?? '',
});
