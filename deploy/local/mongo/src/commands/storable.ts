import { ObjectId } from 'bson';
import { Doc } from '../language/doc.js';
import { MAX_DOCUMENT_BYTES } from '../language/encode.js';
import { fail } from '../language/errors.js';
import { isDocument, type Document } from '../language/values.js';

/** A document as it is stored: at most 16 MiB, with its `_id` first, made when there is none. Errors 52, 53 and 10334. */
export function storable(document: Document): Doc {
  const { _id: id = new ObjectId() } = document;
  if (Array.isArray(id)) fail('InvalidIdField', "The '_id' value cannot be of type array");
  const dollar = isDocument(id) ? Object.keys(id).find((name) => name.startsWith('$')) : undefined;
  if (dollar !== undefined)
    fail(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`,
    );
  const doc = Doc.stored(document['_id'] === undefined ? { ...document, _id: id } : document);
  checkSize(doc.raw);
  return doc;
}

export function checkSize(raw: Buffer): void {
  if (raw.length <= MAX_DOCUMENT_BYTES) return;
  fail(
    'BSONObjectTooLarge',
    `object to insert too large. size in bytes: ${raw.length}, max size: ${MAX_DOCUMENT_BYTES}`,
  );
}
