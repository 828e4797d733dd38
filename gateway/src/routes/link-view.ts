import {
  linkRecord,
  tagRecord,
  type LinkMessage,
  type LinkRecord,
  type TagMessage,
  type TagRecord,
} from '@tautan/proto';
import { creatorView } from './creator-view.js';
import { wireFields } from './wire-fields.js';

const linkFields = wireFields(linkRecord);
const tagFields = wireFields(tagRecord);

/** Returns the record of a link. */
export const linkView = (link: LinkMessage): LinkRecord => ({
  ...linkFields(link),
  createdBy: creatorView(link.createdBy),
});

/** Returns the record of a tag. */
export const tagView = (tag: TagMessage): TagRecord => tagFields(tag);
